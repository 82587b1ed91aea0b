#include "code_places/code_address.h"

#include <limits.h>
#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

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

bool is_loaded(const ElfW(Phdr) & segment) { return segment.p_type == PT_LOAD; }

using IsWanted = bool (*)(const ElfW(Phdr) & segment);

bool contains(const dl_phdr_info& object, uint64_t address, IsWanted wanted) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    const uint64_t begin = object.dlpi_addr + segment.p_vaddr;
    if (wanted(segment) && address >= begin &&
        address - begin < segment.p_memsz) {
      return true;
    }
  }
  return false;
}

// What the loader knows of an object.  Filled where the loader's lock is held,
// so nothing is allocated there: without memory the lock would be left held.
struct LoadedObject {
  uint64_t load_address = 0;
  uint64_t code_address = 0;
  char name[PATH_MAX] = "";
};

void copy(const dl_phdr_info& object, LoadedObject* to) {
  to->load_address = object.dlpi_addr;
  to->code_address = first_code_address(object);
  std::strncpy(to->name, object.dlpi_name, sizeof to->name - 1);
}

std::string path_of(const LoadedObject& object) {
  const auto path = std::make_unique_for_overwrite<char[]>(PATH_MAX);
  // The program itself has no name here.  If the dynamic linker was started as
  // a command, /proc/self/exe is the linker, which has no AT_BASE.
  if (object.name[0] == '\0' && getauxval(AT_BASE) != 0) {
    const ssize_t length = readlink("/proc/self/exe", path.get(), PATH_MAX);
    if (length > 0) return {path.get(), static_cast<size_t>(length)};
  }
  // A relative name was relative to the working directory when it was loaded.
  if (object.name[0] == '/') {
    return realpath(object.name, path.get()) != nullptr ? path.get()
                                                        : object.name;
  }
  return mapped_file(object.code_address);
}

struct Search {
  uint64_t address = 0;
  IsWanted wanted = nullptr;
  LoadedObject found;
};

int look_into(dl_phdr_info* object, size_t, void* argument) {
  Search& search = *static_cast<Search*>(argument);
  if (!contains(*object, search.address, search.wanted)) return 0;
  copy(*object, &search.found);
  return 1;
}

struct Turn {
  size_t left = 0;
  LoadedObject object;
};

int take_turn(dl_phdr_info* object, size_t, void* argument) {
  Turn& turn = *static_cast<Turn*>(argument);
  if (turn.left-- > 0) return 0;
  copy(*object, &turn.object);
  return 1;
}

// `behind`: how far the address is behind what it stands for.
CodeAddress place_of(uint64_t address, uint64_t behind, IsWanted wanted) {
  const auto search = std::make_unique<Search>();
  search->address = address - behind;
  search->wanted = wanted;
  if (dl_iterate_phdr(look_into, search.get()) == 0) return {"", address};
  const std::string module = path_of(search->found);
  return {module,
          module.empty() ? address : address - search->found.load_address};
}

}  // namespace

CodeAddress code_address(const void* return_address) {
  return place_of(reinterpret_cast<uint64_t>(return_address), 1, is_code);
}

CodeAddress data_address(const void* variable) {
  return place_of(reinterpret_cast<uint64_t>(variable), 0, is_loaded);
}

// One at a time.  If another thread unloads an object meanwhile, one may be
// missing.
std::vector<LoadedModule> loaded_modules() {
  std::vector<LoadedModule> modules;
  const auto turn = std::make_unique<Turn>();
  while (dl_iterate_phdr(take_turn, turn.get()) != 0) {
    modules.push_back({path_of(turn->object), turn->object.load_address});
    turn->left = modules.size();
  }
  return modules;
}

}  // namespace poprt
