// Lists of libraries in the environment: LD_PRELOAD, OMP_TOOL_LIBRARIES.
#ifndef POPRT_BASE_LIBRARY_LIST_H_
#define POPRT_BASE_LIBRARY_LIST_H_

#include <algorithm>
#include <string>
#include <string_view>

namespace poprt {

// A value of LD_PRELOAD with colons only: the loader takes blanks as well.
inline std::string preload_list(std::string_view value) {
  std::string list(value);
  std::replace(list.begin(), list.end(), ' ', ':');
  return list;
}

// The list with `path` in front, where it stands only there, and without `old`.
inline std::string list_with(std::string_view list, std::string_view path,
                             std::string_view old = "") {
  std::string result(path);
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find(':'));
    list.remove_prefix(std::min(entry.size() + 1, list.size()));
    if (entry.empty() || entry == old || entry == path) continue;
    result.append(":").append(entry);
  }
  return result;
}

}  // namespace poprt

#endif  // POPRT_BASE_LIBRARY_LIST_H_
