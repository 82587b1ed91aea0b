// The exported MPI names.
//
// MPI_Send is a jump through a pointer to the measuring function
// poprt_MPI_Send.  If the process turns out to use another MPI than this
// library was compiled for, the pointer is changed to PMPI_Send.  Then no code
// of this library touches the arguments, whose sizes differ between MPI
// libraries.
//
// PMPI_Send is the same entry, because Fortran bindings call C functions by
// that name: all of Open MPI's, and MPICH's mpi_f08.  By then they have
// converted Fortran's handles, statuses and sentinels.  The MPI library's own
// functions are looked up behind this library (pmpi.cc).
#ifndef POPRT_WRAPPERS_CALLS_ENTRY_H_
#define POPRT_WRAPPERS_CALLS_ENTRY_H_

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

// Defines and exports the entry `name`. poprt_entry_<name> is its address, even
// if another library defines `name` too.  REQUIRES: poprt_<name> has C linkage
// and the type that `name` has in mpi.h.
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

#endif  // POPRT_WRAPPERS_CALLS_ENTRY_H_
