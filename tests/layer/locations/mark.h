/* Programs whose return addresses are known: each place says what it is. */
#ifndef POPRT_TESTS_MARK_H_
#define POPRT_TESTS_MARK_H_

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the address that it returns to, and what that is, to stdout. */
void mark(const char* function, const char* symbol, int line);

#ifdef __cplusplus
}
#endif

/* `function` is the name of this place in the source, `symbol` what is known
 * without debug information. The code after the call prevents a tail call. */
#define MARK(function, symbol)         \
  do {                                 \
    mark(function, symbol, __LINE__);  \
    __asm__ volatile("" ::: "memory"); \
  } while (0)

/* The symbol of a task in `function`: clang's do not tell it. */
#ifdef __clang__
#define TASK_OF(function) ".omp_task_entry."
#else
#define TASK_OF(function) function
#endif

#endif
