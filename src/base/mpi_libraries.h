// The libraries for programs with MPI, which `poprt run` names to all processes
// below it: what a shell or make starts may need another one than that which is
// preloaded, which then hands over.
#ifndef POPRT_BASE_MPI_LIBRARIES_H_
#define POPRT_BASE_MPI_LIBRARIES_H_

#include <string>
#include <string_view>

namespace poprt {

// Without the prefix POPRT_, because it is not an option for users.
inline constexpr char kMpiLibrariesVariable[] = "_POPRT_MPI_LIBRARIES";

// Adds a library to the variable's value, which has one line for each: "mpich"
// and its path.
inline void add_mpi_library(std::string_view mpi, std::string_view path,
                            std::string* value) {
  if (path.find('\n') != path.npos) return;
  value->append(mpi).append("=").append(path).append("\n");
}

// The path of the library for this MPI in the variable's value; "" for none.
inline std::string mpi_library_in(std::string_view value,
                                  std::string_view mpi) {
  while (!value.empty()) {
    const std::string_view line = value.substr(0, value.find('\n'));
    value.remove_prefix(line.size() < value.size() ? line.size() + 1
                                                   : value.size());
    if (line.size() > mpi.size() && line.substr(0, mpi.size()) == mpi &&
        line[mpi.size()] == '=') {
      return std::string(line.substr(mpi.size() + 1));
    }
  }
  return "";
}

}  // namespace poprt

#endif  // POPRT_BASE_MPI_LIBRARIES_H_
