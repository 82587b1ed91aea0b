// Finds LLVM's OpenMP runtime on this machine.
#ifndef POPRT_BASE_LIBOMP_SEARCH_H_
#define POPRT_BASE_LIBOMP_SEARCH_H_

#include <string>
#include <vector>

namespace poprt {

// The path of a libomp in LD_LIBRARY_PATH, in one of `folders`, or in the
// folder of the newest LLVM; "" if there is none.
std::string find_libomp(const std::vector<std::string>& folders);

}  // namespace poprt

#endif  // POPRT_BASE_LIBOMP_SEARCH_H_
