// The exported MPI names.
//
// MPI_Send is a jump through a pointer, which leads to the measuring function
// (poprt_MPI_Send) until it turns out that the process has another MPI than
// this library was compiled for.  Then it leads to PMPI_Send: the arguments,
// whose sizes differ between MPI libraries, are never touched.
#ifndef POPRT_WRAPPERS_ENTRY_H_
#define POPRT_WRAPPERS_ENTRY_H_

#include <mpi.h>

#include <type_traits>

#if defined(__x86_64__)
#define POPRT_JUMP(pointer) "jmp *" pointer "(%rip)\n"
#elif defined(__aarch64__)
#define POPRT_JUMP(pointer)       \
  "adrp x16, " pointer            \
  "\n"                            \
  "ldr x16, [x16, :lo12:" pointer \
  "]\n"                           \
  "br x16\n"
#else
#error "poprt has no entry code for this processor"
#endif

// Defines and exports `name`.  REQUIRES: poprt_<name> has C linkage and the
// type of `name` in mpi.h.
#define POPRT_MPI_ENTRY(name)                                                 \
  static_assert(std::is_same_v<decltype(&::name), decltype(&::poprt_##name)>, \
                #name ": the prototype is not that of mpi.h");                \
  extern "C" {                                                                \
  void* poprt_to_##name = reinterpret_cast<void*>(&poprt_##name);             \
  }                                                                           \
  __asm__(                                                                    \
      ".pushsection .text\n"                                                  \
      ".p2align 4\n"                                                          \
      ".globl " #name                                                         \
      "\n"                                                                    \
      ".type " #name ", %function\n" #name                                    \
      ":\n" POPRT_JUMP("poprt_to_" #name) ".size " #name ", . - " #name       \
                                          "\n"                                \
                                          ".popsection\n")

#endif  // POPRT_WRAPPERS_ENTRY_H_
