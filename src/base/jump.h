// A call in whose place this one stands sees the return address of the program:
// it is a jump.
#ifndef POPRT_BASE_JUMP_H_
#define POPRT_BASE_JUMP_H_

// In front of the function, and in place of `return`.
#if defined(__clang__)
#define POPRT_JUMPS
#define POPRT_JUMP [[clang::musttail]] return
#else
#define POPRT_JUMPS __attribute__((optimize("O2")))
#define POPRT_JUMP return
#endif

#endif  // POPRT_BASE_JUMP_H_
