/* poprt: mark the parts of a program that efficiencies are reported for, say
 * what the run is, and look at efficiencies while it runs.
 *
 * Conventions, for every function here:
 *  - Without the preloaded library it does nothing and takes a few
 *    nanoseconds; there is nothing to link (glibc before 2.34: -ldl).
 *  - It may be called from any thread, at any time.
 *  - It never fails as far as the program can see: misuse (a stop without a
 *    start, a null pointer) is counted and named in the report.
 *  - Names are copied; at most 127 bytes of them are kept.
 *
 * C and C++.  docs/regions.md goes through it by task.
 */
#ifndef POPRT_H_
#define POPRT_H_

#include <stddef.h>
#include <stdint.h>

/* 0xMMmmpp; raised when this header changes, not with every release. */
#define POPRT_API_VERSION 0x010100

/* A region, for loops in which to look up its name takes too long.  0 is none,
 * below 0 one that is not measured. */
typedef int pop_region_t;

/* What happened in a region so far.  Times are in nanoseconds.  Efficiencies
 * are those of the hybrid critical-path model (docs/metrics.md), 1 being
 * perfect; one that is undefined (no MPI, no OpenMP) is not a number.
 *
 * The program and the library need not be of one version: further versions only
 * add members, at the end, an int64_t or a double each; the size that the
 * program knows goes with every call.  An older program gets the members that
 * it knows.  In a newer one those that the library does not know are -1, and
 * not a number. */
typedef struct {
  int64_t processes; /* that have been in the region */
  int64_t threads;   /* of these processes */
  int64_t visits;    /* times it was opened, over all processes */
  int64_t run_time_ns;
  int64_t elapsed_ns; /* that it was open, of the process with most */
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

/* A function of the library: its address once that is known, and the address
 * of this very object when it is known that there is none. */
typedef struct {
  void* address;
  int misses;
} pop_function_;

/* Whether there is the function; then its address is in `*call`, a pointer to
 * a function.
 *
 * Looked up at run time rather than declared weak: a weak symbol is null for
 * good in an executable that is not position independent.  An OpenMP runtime
 * may load the library later than the first call (OMP_TOOL_LIBRARIES), so that
 * a miss is not final at once. */
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

/* Opens the region `name` on this process, for all its threads.  Regions
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

/* The region `name`, for pop_region_enter() and pop_region_leave() on any
 * thread until the program ends.  Opens nothing. */
static inline pop_region_t pop_region_find(const char* name) {
  static pop_function_ function;
  pop_region_t (*call)(const char*);
  return pop_look_up_(&function, "pop_region_find", &call) ? call(name) : 0;
}

/* The same as pop_region_start() and pop_region_stop() with its name. */
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

/* Says something of the run, which is then in the run file: a text of at most
 * 1023 bytes for a key.  The last value counts, an empty one takes the key
 * back; of several processes, that of the lowest rank which has one. */
static inline void pop_metadata(const char* key, const char* value) {
  static pop_function_ function;
  void (*call)(const char*, const char*);
  if (pop_look_up_(&function, "pop_metadata", &call)) call(key, value);
}

/* What this process did in the region so far, and what the longest paths were
 * that have reached it.  Returns 0, and leaves `*metrics` alone, where nothing
 * is measured or this process has not been in the region.  To be called where
 * no other thread of the process is in a parallel region: the figures of one
 * that is are not defined. */
static inline int pop_region_metrics(const char* name,
                                     pop_region_metrics_t* metrics) {
  static pop_function_ function;
  int (*call)(const char*, pop_region_metrics_t*, size_t);
  return pop_look_up_(&function, "pop_region_metrics", &call) &&
         call(name, metrics, sizeof *metrics);
}

/* The same of all processes, which must all call it with the same name, as
 * they would MPI_Barrier(MPI_COMM_WORLD): that is what it counts as, too.
 * All get the same figures; 0 where no process has been in the region, or in a
 * program with MPI by sessions only.  Before MPI_Init: those of this process.
 */
static inline int pop_region_metrics_job(const char* name,
                                         pop_region_metrics_t* metrics) {
  static pop_function_ function;
  int (*call)(const char*, pop_region_metrics_t*, size_t);
  return pop_look_up_(&function, "pop_region_metrics_job", &call) &&
         call(name, metrics, sizeof *metrics);
}

/* The version of the preloaded library, "0.1.0"; "" where there is none. */
static inline const char* pop_version(void) {
  static pop_function_ function;
  const char* (*call)(void);
  return pop_look_up_(&function, "pop_version", &call) ? call() : "";
}

#ifdef __cplusplus

/* The region is open from here to the end of the block. */
#define POP_REGION_SCOPE(name) \
  const pop_region_scope_ POP_JOIN_(pop_region_scope_at_, __COUNTER__)(name)
/* The region with the function's name is open to the end of the function.  It
 * is the name without class and arguments (__func__). */
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
