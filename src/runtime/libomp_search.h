// Where LLVM's OpenMP runtime is on this machine.
#ifndef POPRT_RUNTIME_LIBOMP_SEARCH_H_
#define POPRT_RUNTIME_LIBOMP_SEARCH_H_

#include <string>
#include <vector>

namespace poprt {

// The path of a libomp: in LD_LIBRARY_PATH, in one of `folders`, in the newest
// of LLVM's own folders; "" where none is found.
std::string find_libomp(const std::vector<std::string>& folders);

}  // namespace poprt

#endif  // POPRT_RUNTIME_LIBOMP_SEARCH_H_
