// Lists of libraries in the environment: LD_PRELOAD, OMP_TOOL_LIBRARIES.
#ifndef POPRT_BASE_LIBRARY_LIST_H_
#define POPRT_BASE_LIBRARY_LIST_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace poprt {

// A value of LD_PRELOAD with colons only: the loader takes blanks as well.
inline std::string preload_list(std::string_view value) {
  std::string list(value);
  std::replace(list.begin(), list.end(), ' ', ':');
  return list;
}

// The entries of a list with colons, without empty ones.
inline std::vector<std::string_view> list_entries(std::string_view list) {
  std::vector<std::string_view> entries;
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find(':'));
    list.remove_prefix(std::min(entry.size() + 1, list.size()));
    if (!entry.empty()) entries.push_back(entry);
  }
  return entries;
}

// The list with `path` in front, where it stands only there.
inline std::string list_with(std::string_view list, std::string_view path) {
  std::string result(path);
  for (const std::string_view entry : list_entries(list)) {
    if (entry != path) result.append(":").append(entry);
  }
  return result;
}

// The list with `path` in the place of `old`; in front if `old` is not there.
inline std::string list_with_instead(std::string_view list,
                                     std::string_view old,
                                     std::string_view path) {
  const std::vector<std::string_view> entries = list_entries(list);
  if (std::find(entries.begin(), entries.end(), old) == entries.end()) {
    return list_with(list, path);
  }
  std::string result;
  for (const std::string_view entry : entries) {
    if (entry == path) continue;
    if (!result.empty()) result += ':';
    result += entry == old ? path : entry;
  }
  return result;
}

}  // namespace poprt

#endif  // POPRT_BASE_LIBRARY_LIST_H_
