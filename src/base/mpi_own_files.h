// Which files in a process are MPI's own: what they use is not what the program
// uses.
#ifndef POPRT_BASE_MPI_OWN_FILES_H_
#define POPRT_BASE_MPI_OWN_FILES_H_

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/imports.h"

namespace poprt {

// The beginnings of names of libraries and plugins below MPI's libraries.
inline constexpr std::string_view kBelowMpi[] = {
    "mca_",   "libopen-", "libmpi_gtl", "libpmix", "libhwloc",
    "hwloc_", "libucm",   "libuct",     "libucp",  "libucs",
    "libucx", "libucc",   "libfabric"};

// Of a file's name or path.
inline bool is_below_mpi(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::ranges::any_of(
      kBelowMpi, [&](std::string_view each) { return name.starts_with(each); });
}

// MPI's libraries define what tools call, in C or Fortran, whatever they are
// called; a library of a program may have a name that begins with theirs.
inline bool is_own_of_mpi(const dl_phdr_info& image) {
  constexpr const char* kForTools[] = {"PMPI_Init", "pmpi_init_",
                                       "pmpi_init_f08_"};
  return std::ranges::any_of(kForTools,
                             [&](const char* name) {
                               return exported(image, name) != nullptr;
                             }) ||
         (image.dlpi_name != nullptr && is_below_mpi(image.dlpi_name));
}

}  // namespace poprt

#endif  // POPRT_BASE_MPI_OWN_FILES_H_
