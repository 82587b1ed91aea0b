#include "code_places/code_address.h"

#include <limits.h>
#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace poprt {
namespace {

// The path of the file that is mapped at an address, as the kernel knows it.
std::string mapped_file(uint64_t address) {
  std::string path;
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return path;
  char* line = nullptr;
  size_t room = 0;
  ssize_t length;
  while (path.empty() && (length = getline(&line, &room, maps)) > 0) {
    unsigned long long begin = 0;
    unsigned long long end = 0;
    int name = 0;
    std::sscanf(line, "%llx-%llx %*s %*s %*s %*s %n", &begin, &end, &name);
    if (address < begin || address >= end) continue;
    if (line[name] != '/') break;
    path.assign(line + name, line + length - 1);
  }
  std::free(line);
  std::fclose(maps);
  return path;
}

bool is_code(const ElfW(Phdr) & segment) {
  return segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0;
}

uint64_t first_code_address(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (is_code(segment)) return object.dlpi_addr + segment.p_vaddr;
  }
  return 0;
}

bool contains(const dl_phdr_info& object, uint64_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    const uint64_t begin = object.dlpi_addr + segment.p_vaddr;
    if (is_code(segment) && address >= begin &&
        address - begin < segment.p_memsz) {
      return true;
    }
  }
  return false;
}

std::string path_of(const dl_phdr_info& object) {
  char path[PATH_MAX];
  // The program itself has no name here.  If the dynamic linker was started as
  // a command, /proc/self/exe is the linker, which has no AT_BASE.
  if (object.dlpi_name[0] == '\0' && getauxval(AT_BASE) != 0) {
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length > 0) return std::string(path, static_cast<size_t>(length));
  }
  // A relative name was relative to the working directory when it was loaded.
  if (object.dlpi_name[0] == '/') {
    return realpath(object.dlpi_name, path) != nullptr ? path
                                                       : object.dlpi_name;
  }
  return mapped_file(first_code_address(object));
}

struct Search {
  uint64_t address;
  CodeAddress found;
};

int look_into(dl_phdr_info* object, size_t, void* argument) {
  Search& search = *static_cast<Search*>(argument);
  if (!contains(*object, search.address - 1)) return 0;
  search.found.module = path_of(*object);
  if (!search.found.module.empty()) search.found.offset -= object->dlpi_addr;
  return 1;
}

int add_module(dl_phdr_info* object, size_t, void* argument) {
  static_cast<std::vector<LoadedModule>*>(argument)->push_back(
      {path_of(*object), object->dlpi_addr});
  return 0;
}

}  // namespace

CodeAddress code_address(const void* return_address) {
  const auto address = reinterpret_cast<uint64_t>(return_address);
  Search search{address, {"", address}};
  dl_iterate_phdr(look_into, &search);
  return search.found;
}

std::vector<LoadedModule> loaded_modules() {
  std::vector<LoadedModule> modules;
  dl_iterate_phdr(add_module, &modules);
  return modules;
}

}  // namespace poprt
