// The files that a program would load, found in the way of the dynamic loader:
// RPATH, LD_LIBRARY_PATH, RUNPATH, ldconfig's cache, the standard folders.
#ifndef POPRT_LAUNCH_LOADER_LIBRARIES_H_
#define POPRT_LAUNCH_LOADER_LIBRARIES_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "launch/loader/elf_file.h"

namespace poprt {

// Paths of each library name, in the order of the cache.
using LoaderCache = std::map<std::string, std::vector<std::string>>;

// Parses the content of /etc/ld.so.cache.  Empty if it is not one.
LoaderCache parse_loader_cache(std::string_view content);

// The cache of this machine.
LoaderCache loader_cache();

// The program's own file or a library.
struct LoadedFile {
  std::string path;
  ElfFile elf;
  // Libraries that were not found.  The program may not start on this machine,
  // or it finds them in another way.
  std::vector<std::string> missing;
};

// The file itself first, then everything it needs, each once, breadth first.
// `library_path` is LD_LIBRARY_PATH.  Empty if `path` is no ELF file for this
// machine.
std::vector<LoadedFile> loaded_files(const std::string& path,
                                     const std::string& library_path,
                                     const LoaderCache& cache);

// The file that the loader takes for this entry of LD_PRELOAD, in the program
// at the path `program`; "" for none.
std::string preloaded_file(const std::string& entry, const std::string& program,
                           const std::string& library_path,
                           const LoaderCache& cache);

// The file of glibc (libc.so.6) that the program at this path runs with; "" if
// it is not known.
std::string c_library_of(const std::string& program,
                         const std::string& library_path,
                         const LoaderCache& cache);

// A version of glibc that `library` needs and that `c_library` is too old to
// have ("GLIBC_2.34"): the loader would end the program.  "" for none.
std::string missing_version(const std::string& library,
                            const std::string& c_library);

// The parts of a list separated by colons, without empty ones.
std::vector<std::string> path_entries(std::string_view list);

// Of a path: the part after the last '/', and the part before it ("." for
// none).
std::string base_name(const std::string& path);
std::string folder_of(const std::string& path);

}  // namespace poprt

#endif  // POPRT_LAUNCH_LOADER_LIBRARIES_H_
