// Which files a program would load, found as the dynamic loader finds them:
// RPATH, LD_LIBRARY_PATH, RUNPATH, ldconfig's cache, the standard folders.
#ifndef POPRT_LAUNCH_LIBRARIES_H_
#define POPRT_LAUNCH_LIBRARIES_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "launch/elf_file.h"

namespace poprt {

// Paths of each library name, in the order of the cache.
using LoaderCache = std::map<std::string, std::vector<std::string>>;

// The content of /etc/ld.so.cache; empty where it is none.
LoaderCache parse_loader_cache(std::string_view content);

// That of this machine.
LoaderCache loader_cache();

// A file that the program has, or would load.
struct LoadedFile {
  std::string path;
  ElfFile elf;
  // Libraries that are nowhere: the program may not start here, or they are
  // known by name only.
  std::vector<std::string> missing;
};

// The file itself, first, and all that it needs, each once, breadth first.
// `library_path` is LD_LIBRARY_PATH.  Empty where `path` is no native ELF file.
std::vector<LoadedFile> loaded_files(const std::string& path,
                                     const std::string& library_path,
                                     const LoaderCache& cache);

// Parts of a list with colons, without empty ones.
std::vector<std::string> path_entries(std::string_view list);

// Of a path: what is behind the last '/', what is before it ("." for none).
std::string base_name(const std::string& path);
std::string folder_of(const std::string& path);

}  // namespace poprt

#endif  // POPRT_LAUNCH_LIBRARIES_H_
