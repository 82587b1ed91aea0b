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

namespace poprt::mpi {

// A type without the `const` of what its pointers point to, down to the
// parameters of functions.
template <class T>
struct WithoutConst {
  using Type = T;
};
template <class T>
struct WithoutConst<const T> : WithoutConst<T> {};
template <class T>
struct WithoutConst<T*> {
  using Type = typename WithoutConst<T>::Type*;
};
template <class Result, class... Parameters>
struct WithoutConst<Result(Parameters...)> {
  using Type = Result(typename WithoutConst<Parameters>::Type...);
};

}  // namespace poprt::mpi

// Defines and exports the entry `name`. poprt_entry_<name> is its address, even
// if another library defines `name` too.  REQUIRES: poprt_<name> has C linkage
// and the type that `name` has in mpi.h, but for each `const`: later standards
// have added some.
#define POPRT_MPI_ENTRY(name)                                             \
  static_assert(                                                          \
      std::is_same_v<                                                     \
          poprt::mpi::WithoutConst<decltype(&::name)>::Type,              \
          poprt::mpi::WithoutConst<decltype(&::poprt_##name)>::Type>,     \
      #name ": the prototype is not that of mpi.h");                      \
  extern "C" {                                                            \
  void* poprt_to_##name = reinterpret_cast<void*>(&poprt_##name);         \
  }                                                                       \
  __asm__(                                                                \
      ".pushsection .text\n"                                              \
      ".p2align 4\n"                                                      \
      ".globl " #name                                                     \
      "\n"                                                                \
      ".weak P" #name                                                     \
      "\n"                                                                \
      ".globl poprt_entry_" #name                                         \
      "\n"                                                                \
      ".hidden poprt_entry_" #name                                        \
      "\n"                                                                \
      ".type " #name                                                      \
      ", %function\n"                                                     \
      ".type P" #name ", %function\n" #name ":\nP" #name                  \
      ":\npoprt_entry_" #name                                             \
      ":\n" POPRT_JUMP("poprt_to_" #name) ".size " #name ", . - " #name   \
                                          "\n"                            \
                                          ".size P" #name ", . - P" #name \
                                          "\n"                            \
                                          ".popsection\n")

#endif  // POPRT_WRAPPERS_CALLS_ENTRY_H_
