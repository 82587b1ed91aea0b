/* poprt: marks the parts of a program for which efficiencies are reported, adds
 * metadata to the run file, and returns efficiencies while the program runs.
 *
 * For every function here:
 *  - Without the preloaded library it does nothing and takes a few
 *    nanoseconds.  There is nothing to link (glibc before 2.34: -ldl).
 *  - It may be called from any thread, at any time.
 *  - It never harms the program: misuse (a stop without a start, a null
 *    pointer) is counted and named in the report.
 *  - Names are copied, and cut to 127 bytes.
 *
 * For C and C++.  docs/regions.md has examples by task.
 */
#ifndef POPRT_H_
#define POPRT_H_

#include <stddef.h>
#include <stdint.h>

/* 0xMMmmpp; raised when this header changes, not with every release. */
#define POPRT_API_VERSION 0x010100

/* A handle of a region, for loops in which looking up its name takes too long.
 * 0: no region.  Below 0: a region that is not measured. */
typedef int pop_region_t;

/* The metrics of a region until now.  Times are in nanoseconds.  Efficiencies
 * are those of the hybrid critical-path model (docs/metrics.md); 1 is perfect,
 * and an undefined one (no MPI, no OpenMP) is NaN.
 *
 * Program and library may have different versions.  Later versions only add
 * members at the end, each an int64_t or a double, and every call passes the
 * size that the program knows.  An older program gets the members that it
 * knows.  In a newer program, members that the library does not know are -1 or
 * NaN. */
typedef struct {
  int64_t processes; /* that have entered the region */
  int64_t threads;   /* of these processes */
  int64_t visits;    /* how often it was opened, over all processes */
  int64_t run_time_ns;
  int64_t elapsed_ns; /* how long it was open, on the process with the most */
  int64_t useful_ns;  /* sums over threads */
  int64_t mpi_ns;
  int64_t openmp_ns;
  double parallel_efficiency;
  double load_balance;
  double communication_efficiency;
  double serialisation_efficiency;
  double transfer_efficiency;
  double mpi_parallel_efficiency;
  double mpi_load_balance;
  double mpi_communication_efficiency;
  double mpi_serialisation_efficiency;
  double mpi_transfer_efficiency;
  double openmp_parallel_efficiency;
  double openmp_load_balance;
  double openmp_communication_efficiency;
  double openmp_serialisation_efficiency;
  double openmp_transfer_efficiency;
} pop_region_metrics_t;

#ifndef POPRT_TYPES_ONLY

#include <dlfcn.h>

/* A function of the library: its address when it is known, or the address of
 * this object when it is known that there is no such function. */
typedef struct {
  void* address;
  int misses;
} pop_function_;

/* Whether the function exists.  Then `*call`, a pointer to a function, is set
 * to its address.
 *
 * It is looked up at run time and not declared weak, because a weak symbol is
 * always null in an executable that is not position independent.  An OpenMP
 * runtime may load the library after the first call (OMP_TOOL_LIBRARIES), so
 * the search is given up only after some calls. */
static inline int pop_look_up_(pop_function_* function, const char* name,
                               void* call) {
  void* const nowhere = function;
  void* address = __atomic_load_n(&function->address, __ATOMIC_RELAXED);
  if (address == NULL) {
    /* The null handle is RTLD_DEFAULT, which C hides behind _GNU_SOURCE. */
    address = dlsym(NULL, name);
    if (address != NULL) {
      __atomic_store_n(&function->address, address, __ATOMIC_RELAXED);
    } else {
      if (__atomic_add_fetch(&function->misses, 1, __ATOMIC_RELAXED) > 64) {
        __atomic_store_n(&function->address, nowhere, __ATOMIC_RELAXED);
      }
      return 0;
    }
  }
  if (address == nowhere) return 0;
  __builtin_memcpy(call, &address, sizeof address);
  return 1;
}

/* Opens the region `name` on this process, for all its threads.  Regions may
 * nest, overlap, repeat and recurse. */
static inline void pop_region_start(const char* name) {
  static pop_function_ function;
  void (*call)(const char*);
  if (pop_look_up_(&function, "pop_region_start", &call)) call(name);
}

/* Closes the region `name` on this process. */
static inline void pop_region_stop(const char* name) {
  static pop_function_ function;
  void (*call)(const char*);
  if (pop_look_up_(&function, "pop_region_stop", &call)) call(name);
}

/* The handle of the region `name`, for pop_region_enter() and
 * pop_region_leave(), valid on any thread until the program ends.  Does not
 * open the region. */
static inline pop_region_t pop_region_find(const char* name) {
  static pop_function_ function;
  pop_region_t (*call)(const char*);
  return pop_look_up_(&function, "pop_region_find", &call) ? call(name) : 0;
}

/* Like pop_region_start() and pop_region_stop(), by handle. */
static inline void pop_region_enter(pop_region_t region) {
  static pop_function_ function;
  void (*call)(pop_region_t);
  if (region < 0) return;
  if (pop_look_up_(&function, "pop_region_enter", &call)) call(region);
}

static inline void pop_region_leave(pop_region_t region) {
  static pop_function_ function;
  void (*call)(pop_region_t);
  if (region < 0) return;
  if (pop_look_up_(&function, "pop_region_leave", &call)) call(region);
}

/* Sets metadata of the run file: for a key, a text of at most 1023 bytes.  The
 * last value counts; an empty one removes the key.  If several processes set a
 * key, the value of the lowest rank counts. */
static inline void pop_metadata(const char* key, const char* value) {
  static pop_function_ function;
  void (*call)(const char*, const char*);
  if (pop_look_up_(&function, "pop_metadata", &call)) call(key, value);
}

/* The metrics of the region on this process until now, with the longest paths
 * that have reached it.  Returns 1; or 0, with `*metrics` unchanged, if nothing
 * is measured or this process has not entered the region.  Call it while no
 * other thread of the process is in a parallel region: the numbers of such
 * threads would not be defined. */
static inline int pop_region_metrics(const char* name,
                                     pop_region_metrics_t* metrics) {
  static pop_function_ function;
  int (*call)(const char*, pop_region_metrics_t*, size_t);
  return pop_look_up_(&function, "pop_region_metrics", &call) &&
         call(name, metrics, sizeof *metrics);
}

/* The metrics of the region on all processes.  A collective: all processes must
 * call it, with the same name, where they could call
 * MPI_Barrier(MPI_COMM_WORLD), and it is measured like that.  All get the same
 * result.  Returns 0 if no process has entered the region, and in a program
 * that uses MPI only by sessions.  Before MPI_Init: the metrics of this
 * process.
 */
static inline int pop_region_metrics_job(const char* name,
                                         pop_region_metrics_t* metrics) {
  static pop_function_ function;
  int (*call)(const char*, pop_region_metrics_t*, size_t);
  return pop_look_up_(&function, "pop_region_metrics_job", &call) &&
         call(name, metrics, sizeof *metrics);
}

/* The version of the preloaded library, "0.1.0"; "" without the library. */
static inline const char* pop_version(void) {
  static pop_function_ function;
  const char* (*call)(void);
  return pop_look_up_(&function, "pop_version", &call) ? call() : "";
}

#ifdef __cplusplus

/* The region is open from here to the end of the block. */
#define POP_REGION_SCOPE(name) \
  const pop_region_scope_ POP_JOIN_(pop_region_scope_at_, __COUNTER__)(name)
/* The region with the function's name, without class and arguments (__func__),
 * is open to the end of the function. */
#define POP_REGION_FUNCTION() POP_REGION_SCOPE(__func__)

#define POP_JOIN_(a, b) POP_JOIN_LATER_(a, b)
#define POP_JOIN_LATER_(a, b) a##b

class pop_region_scope_ {
 public:
  explicit pop_region_scope_(const char* name)
      : region_(pop_region_find(name)) {
    if (region_ != 0) pop_region_enter(region_);
  }
  ~pop_region_scope_() {
    if (region_ != 0) pop_region_leave(region_);
  }
  pop_region_scope_(const pop_region_scope_&) = delete;
  pop_region_scope_& operator=(const pop_region_scope_&) = delete;

 private:
  const pop_region_t region_;
};

#endif /* __cplusplus */
#endif /* POPRT_TYPES_ONLY */
#endif /* POPRT_H_ */
