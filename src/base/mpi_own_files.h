// Which files in a process are MPI's own: what they use is not what the program
// uses.
#ifndef POPRT_BASE_MPI_OWN_FILES_H_
#define POPRT_BASE_MPI_OWN_FILES_H_

#include <algorithm>
#include <string_view>

namespace poprt {

// The beginnings of names of MPI's and hwloc's own libraries and plugins.
inline constexpr std::string_view kMpiOwnFiles[] = {
    "libmpi", "mca_",   "libopen-", "libpmix", "libhwloc", "hwloc_",   "libucm",
    "libuct", "libucp", "libucs",   "libucx",  "libucc",   "libfabric"};

// Of a file's name or path.
inline bool is_own_of_mpi(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::ranges::any_of(kMpiOwnFiles, [&](std::string_view each) {
    return name.starts_with(each);
  });
}

}  // namespace poprt

#endif  // POPRT_BASE_MPI_OWN_FILES_H_
