// The program's own call behind a call that came through a library.
//
// A Fortran program calls MPI through the bindings of its MPI library, and
// others through PETSc or mpi4py.  The return address of MPI_Send is then in
// that library.  This finds the innermost return address outside of all such
// libraries.
//
// A frame of a function is as large at each of its calls of the same place,
// unless it has arrays of variable size, and keeps its return address in the
// same word.  So both are looked up by the address that the frame is entered
// again at; only the first time, and now and then to see whether they hold, the
// stack is unwound by the tables of the compiler.
#ifndef POPRT_BASE_OWN_FRAMES_H_
#define POPRT_BASE_OWN_FRAMES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace poprt {

// Whether a file of this name only passes calls on, for the program.
bool passes_calls_on(std::string_view file_name);

// Finds the libraries that pass calls on, among those that are loaded now, with
// those in front of this one (PMPI tools).  REQUIRES: this library is
// preloaded. To be called once, before has_passing_libraries().
void find_passing_libraries();
bool has_passing_libraries();
// For tests: code between these addresses passes calls on, too.
void add_passing_code(uintptr_t begin, uintptr_t end);

// What one thread knows of its frames.
class OwnFrames {
 public:
  // A call returns to `code`, in a frame whose stack pointer is `stack` then.
  // The return address in the program; `code` itself if there is no other.
  const void* own_code(const void* code, const void* stack);

  // How often the stack was unwound.
  int64_t unwound() const { return unwound_; }

 private:
  static constexpr size_t kPlaces = 512;
  struct Frame {
    const void* code = nullptr;
    int64_t bytes = 0;
    // Where its return address is, from its stack pointer; negative: in no word
    // for sure.
    int64_t returns_at = -1;
    uint32_t uses = 0;
    bool varies = false;
  };

  Frame* find(const void* code);
  // Learns the sizes of the frames up to the program; returns its address.
  const void* unwind(const void* code, const void* stack);

  Frame frames_[kPlaces];
  int64_t unwound_ = 0;
  // Up to here the stack is known to be memory.
  uintptr_t highest_ = 0;
};

}  // namespace poprt

#endif  // POPRT_BASE_OWN_FRAMES_H_
