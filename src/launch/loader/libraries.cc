#include "launch/loader/libraries.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>

namespace poprt {
namespace {

constexpr size_t kMostFiles = 4096;
constexpr std::string_view kCacheMagic = "glibc-ld.so.cache1.1";
constexpr uint64_t kLongestCache = 64 << 20;  // bytes

// The format that glibc writes.
struct CacheHeader {
  char magic[20];
  uint32_t count;
  uint32_t rest[6];
};
struct CacheEntry {
  int32_t flags;
  uint32_t name;  // offsets of texts from the header
  uint32_t path;
  uint32_t os_version;
  uint64_t hardware;
};

std::string_view text_in(std::string_view content, size_t offset) {
  if (offset >= content.size()) return {};
  content.remove_prefix(offset);
  return content.substr(0, content.find('\0'));
}

// The folders in a RPATH or RUNPATH of a file in the folder `origin`.  Other
// variables than $ORIGIN depend on the loader and are left out.
std::vector<std::string> expanded(const std::string& list,
                                  const std::string& origin) {
  std::vector<std::string> folders;
  for (std::string folder : path_entries(list)) {
    for (const std::string_view name : {"$ORIGIN", "${ORIGIN}"}) {
      for (size_t at = folder.find(name); at != std::string::npos;
           at = folder.find(name, at + origin.size())) {
        folder.replace(at, name.size(), origin);
      }
    }
    if (folder.find('$') == std::string::npos) folders.push_back(folder);
  }
  return folders;
}

std::optional<ElfFile> native_elf(const std::string& path) {
  const auto bytes = open_bytes(path);
  if (!bytes) return std::nullopt;
  auto elf = read_elf(*bytes);
  return elf && elf->is_native ? elf : std::nullopt;
}

// Searches the libraries that one file needs.
struct Search {
  // RPATHs of the file and of the files that need it
  const std::vector<std::string>& inherited;
  const std::vector<std::string> runpath;
  const std::vector<std::string>& library_path;
  const LoaderCache& cache;
  // Of the loader's own, which are before the cache of the machine's loader.
  std::vector<std::string> loaders_folders = {};

  std::optional<LoadedFile> in(const std::vector<std::string>& folders,
                               const std::string& name) const {
    for (const std::string& folder : folders) {
      const std::string path = folder + "/" + name;
      if (auto elf = native_elf(path)) return LoadedFile{path, *elf, {}};
    }
    return std::nullopt;
  }

  std::optional<LoadedFile> find(const std::string& name) const {
    if (name.find('/') != std::string::npos) {
      const auto elf = native_elf(name);
      return elf ? std::optional<LoadedFile>({name, *elf, {}}) : std::nullopt;
    }
    if (runpath.empty()) {
      if (auto found = in(inherited, name)) return found;
    }
    if (auto found = in(library_path, name)) return found;
    if (auto found = in(runpath, name)) return found;
    if (auto found = in(loaders_folders, name)) return found;
    if (const auto known = cache.find(name); known != cache.end()) {
      for (const std::string& path : known->second) {
        if (auto elf = native_elf(path)) return LoadedFile{path, *elf, {}};
      }
    }
    return in({"/lib64", "/usr/lib64", "/lib", "/usr/lib"}, name);
  }
};

// For what a program itself asks for.
struct ProgramsSearch {
  ProgramsSearch(const std::string& program, const std::string& library_path,
                 const LoaderCache& cache)
      : own(native_elf(program).value_or(ElfFile())),
        rpath(expanded(own.rpath, folder_of(program))),
        folders(path_entries(library_path)),
        search{rpath, expanded(own.runpath, folder_of(program)), folders,
               cache} {}

  const ElfFile own;
  const std::vector<std::string> rpath;
  const std::vector<std::string> folders;
  Search search;
};

}  // namespace

std::vector<std::string> path_entries(std::string_view list) {
  std::vector<std::string> entries;
  while (!list.empty()) {
    const size_t colon = std::min(list.find(':'), list.size());
    if (colon > 0) entries.emplace_back(list.substr(0, colon));
    list.remove_prefix(std::min(colon + 1, list.size()));
  }
  return entries;
}

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

LoaderCache parse_loader_cache(std::string_view content) {
  LoaderCache cache;
  // The cache in its older form may come first.
  const size_t begin = content.find(kCacheMagic);
  if (begin == std::string_view::npos) return cache;
  content.remove_prefix(begin);
  CacheHeader header;
  if (content.size() < sizeof header) return cache;
  std::memcpy(&header, content.data(), sizeof header);
  const size_t count = std::min<size_t>(
      header.count, (content.size() - sizeof header) / sizeof(CacheEntry));
  for (size_t i = 0; i < count; ++i) {
    CacheEntry entry;
    std::memcpy(&entry, content.data() + sizeof header + i * sizeof entry,
                sizeof entry);
    const std::string_view path = text_in(content, entry.path);
    if (!path.empty()) {
      cache[std::string(text_in(content, entry.name))].emplace_back(path);
    }
  }
  return cache;
}

LoaderCache loader_cache() {
  const auto bytes = open_bytes("/etc/ld.so.cache");
  if (!bytes || bytes->size > kLongestCache) return {};
  std::string content(static_cast<size_t>(bytes->size), '\0');
  if (!bytes->read(0, content.data(), content.size())) return {};
  return parse_loader_cache(content);
}

std::string preloaded_file(const std::string& entry, const std::string& program,
                           const std::string& library_path,
                           const LoaderCache& cache) {
  const ProgramsSearch search(program, library_path, cache);
  for (const std::string& name : expanded(entry, folder_of(program))) {
    if (const auto found = search.search.find(name)) return found->path;
  }
  return "";
}

std::string c_library_of(const std::string& program,
                         const std::string& library_path,
                         const LoaderCache& cache) {
  ProgramsSearch search(program, library_path, cache);
  // glibc is beside its loader.
  char* const loader = realpath(search.own.interpreter.c_str(), nullptr);
  if (loader != nullptr) search.search.loaders_folders = {folder_of(loader)};
  std::free(loader);
  const auto found = search.search.find("libc.so.6");
  return found ? found->path : "";
}

std::string missing_version(const std::string& library,
                            const std::string& c_library) {
  const auto needing = open_bytes(library);
  const auto having = open_bytes(c_library);
  if (!needing || !having) return "";
  const std::vector<std::string> defined = defined_versions(*having);
  if (defined.empty()) return "";
  std::string newest;
  for (const std::string& version : needed_versions(*needing, "libc.so.6")) {
    if (std::ranges::find(defined, version) == defined.end() &&
        strverscmp(version.c_str(), newest.c_str()) > 0) {
      newest = version;
    }
  }
  return newest;
}

std::vector<LoadedFile> loaded_files(const std::string& path,
                                     const std::string& library_path,
                                     const LoaderCache& cache) {
  std::vector<LoadedFile> files;
  // For each file the RPATHs that count for its libraries.
  std::vector<std::vector<std::string>> rpaths;
  const auto add = [&](LoadedFile file, std::vector<std::string> inherited) {
    if (file.elf.runpath.empty()) {
      std::vector<std::string> own =
          expanded(file.elf.rpath, folder_of(file.path));
      inherited.insert(inherited.begin(), own.begin(), own.end());
    }
    files.push_back(std::move(file));
    rpaths.push_back(std::move(inherited));
  };
  char* const real = realpath(path.c_str(), nullptr);
  if (real == nullptr) return files;
  const auto elf = native_elf(real);
  if (elf) add({real, *elf, {}}, {});
  std::free(real);

  const std::vector<std::string> folders = path_entries(library_path);
  std::set<std::string> names;
  for (size_t i = 0; i < files.size() && files.size() < kMostFiles; ++i) {
    const std::vector<std::string> inherited = rpaths[i];
    const ElfFile own = files[i].elf;
    const Search search{inherited,
                        expanded(own.runpath, folder_of(files[i].path)),
                        folders, cache};
    for (const std::string& name : own.needed) {
      if (!names.insert(name).second) continue;
      if (auto found = search.find(name)) {
        add(*found, inherited);
      } else {
        files[i].missing.push_back(name);
      }
    }
  }
  return files;
}

}  // namespace poprt
