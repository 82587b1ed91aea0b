// The exported MPI names.
//
// MPI_Send is a jump through a pointer, which leads to the measuring function
// (poprt_MPI_Send) until it turns out that the process has another MPI than
// this library was compiled for.  Then it leads to PMPI_Send: the arguments,
// whose sizes differ between MPI libraries, are never touched.
//
// PMPI_Send is the same entry, because that is the name by which the Fortran
// bindings call C: all of Open MPI's, and MPICH's mpi_f08.  They have turned
// Fortran's handles, statuses and sentinels into C's by then.  The program's
// MPI library is found behind this one (pmpi.cc).
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

// Defines and exports `name`; poprt_entry_<name> is its address, whatever other
// library has the name too.  REQUIRES: poprt_<name> has C linkage and the type
// of `name` in mpi.h.
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
      ".weak P" #name                                                         \
      "\n"                                                                    \
      ".globl poprt_entry_" #name                                             \
      "\n"                                                                    \
      ".hidden poprt_entry_" #name                                            \
      "\n"                                                                    \
      ".type " #name                                                          \
      ", %function\n"                                                         \
      ".type P" #name ", %function\n" #name ":\nP" #name                      \
      ":\npoprt_entry_" #name                                                 \
      ":\n" POPRT_JUMP("poprt_to_" #name) ".size " #name ", . - " #name       \
                                          "\n"                                \
                                          ".size P" #name ", . - P" #name     \
                                          "\n"                                \
                                          ".popsection\n")

#endif  // POPRT_WRAPPERS_ENTRY_H_
