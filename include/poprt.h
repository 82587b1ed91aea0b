/* poprt: mark the parts of a program that efficiencies are reported for.
 *
 * Conventions, for every function here:
 *  - Without the preloaded library it does nothing and takes a few
 *    nanoseconds; there is nothing to link (glibc before 2.34: -ldl).
 *  - It may be called from any thread, at any time.
 *  - It never fails as far as the program can see: misuse (a stop without a
 *    start) is counted and named in the report.
 *  - Names are copied; at most 127 bytes of them are kept.
 *
 * C and C++.
 */
#ifndef POPRT_H_
#define POPRT_H_

#include <dlfcn.h>
#include <stddef.h>

/* 0xMMmmpp; raised when this header changes, not with every release. */
#define POPRT_API_VERSION 0x010000

typedef void (*pop_function_)(const char* name);

static inline void pop_nothing_(const char* name) { (void)name; }

/* Looked up at run time rather than declared weak: a weak symbol is null for
 * good in an executable that is not position independent.  An OpenMP runtime
 * may load the library later than the first call (OMP_TOOL_LIBRARIES), so that
 * a miss is not final at once. */
static inline void pop_call_(pop_function_* known, int* misses,
                             const char* function, const char* name) {
  pop_function_ call = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (call == NULL) {
    /* The null handle is RTLD_DEFAULT, which C hides behind _GNU_SOURCE. */
    void* const found = dlsym(NULL, function);
    if (found != NULL) {
      __builtin_memcpy(&call, &found, sizeof call);
      __atomic_store_n(known, call, __ATOMIC_RELAXED);
    } else {
      call = pop_nothing_;
      if (__atomic_add_fetch(misses, 1, __ATOMIC_RELAXED) > 64) {
        __atomic_store_n(known, call, __ATOMIC_RELAXED);
      }
    }
  }
  call(name);
}

/* Opens the region `name` on this process, for all its threads.  Regions
 * nest, overlap, repeat and recurse. */
static inline void pop_region_start(const char* name) {
  static pop_function_ known = NULL;
  static int misses = 0;
  pop_call_(&known, &misses, "pop_region_start", name);
}

/* Closes the region `name` on this process. */
static inline void pop_region_stop(const char* name) {
  static pop_function_ known = NULL;
  static int misses = 0;
  pop_call_(&known, &misses, "pop_region_stop", name);
}

#endif /* POPRT_H_ */
