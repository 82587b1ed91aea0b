#include "launch/loader/mpi_tools.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/library_list.h"

namespace poprt {
namespace {

// MPI_Send, and not MPI_SEND, which is a name of Fortran bindings.
bool is_function_of(std::string_view prefix, std::string_view symbol) {
  return symbol.size() > prefix.size() + 1 && symbol.starts_with(prefix) &&
         symbol[prefix.size()] >= 'A' && symbol[prefix.size()] <= 'Z' &&
         symbol[prefix.size() + 1] >= 'a' && symbol[prefix.size() + 1] <= 'z';
}

bool needs_mpi(const LoadedFile& file) {
  return std::ranges::any_of(file.elf.needed, [](const std::string& name) {
    return name.starts_with("libmpi");
  });
}

}  // namespace

bool is_mpi_tool(const std::string& path) {
  const auto bytes = open_bytes(path);
  if (!bytes) return false;
  bool has_init = false;
  bool has_own_pmpi = false;
  std::set<std::string, std::less<>> defined;
  std::set<std::string, std::less<>> called;
  for_each_symbol(*bytes, [&](std::string_view symbol, bool is_defined) {
    if (is_function_of("MPI_", symbol) && is_defined) {
      has_init |= symbol == "MPI_Init";
      defined.emplace(symbol);
    } else if (is_function_of("PMPI_", symbol)) {
      has_own_pmpi |= is_defined;
      called.emplace(symbol.substr(1));
    }
    return !has_own_pmpi;
  });
  // A library may have functions with such names that are none of MPI's.
  return !has_own_pmpi &&
         (has_init || std::ranges::any_of(defined, [&](const auto& name) {
            return called.count(name) != 0;
          }));
}

std::vector<std::string> mpi_tools_of(const std::vector<LoadedFile>& files,
                                      const Environment& environment,
                                      const LoaderCache& cache) {
  std::vector<std::string> tools;
  std::set<std::string> seen;
  const std::string preload = preload_list(value_of(environment, "LD_PRELOAD"));
  for (const std::string& entry : path_entries(preload)) {
    const std::string path =
        preloaded_file(entry, files.empty() ? "" : files.front().path,
                       value_of(environment, "LD_LIBRARY_PATH"), cache);
    if (is_mpi_tool(path)) {
      tools.push_back(entry);
      seen.insert(path);
    }
  }
  for (size_t i = 1; i < files.size(); ++i) {
    const std::string& path = files[i].path;
    // Most libraries need no MPI, and their symbols need not be read.
    if (needs_mpi(files[i]) && path.find_first_of(": ") == path.npos &&
        seen.insert(path).second && is_mpi_tool(path)) {
      tools.push_back(path);
    }
  }
  return tools;
}

}  // namespace poprt
