// poprt-topology: says what this host consists of, by hwloc.
//
// usage: poprt-topology
//
// Started by the library (src/modules/cores/core_use.cc) in a process of
// its own and with an empty environment: so neither hwloc nor its plugins are
// in the user's program, and it is this host whatever hwloc's variables say.
// Writes what parse_topology() (src/model/topology_text.h) reads.
#include <hwloc.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "code_places/helper_start.h"

namespace {

// "0-3,8".
std::string list_of(hwloc_const_bitmap_t set) {
  char* text = nullptr;
  if (set == nullptr || hwloc_bitmap_list_asprintf(&text, set) < 0) return "";
  std::string list = text;
  std::free(text);
  return list;
}

// A value may be made of any bytes of the firmware's.
std::string one_line(const char* text) {
  std::string line = text == nullptr ? "" : text;
  for (char& each : line) {
    if (each == '\n' || each == '\t') each = ' ';
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

void put_objects(hwloc_topology_t topology, hwloc_obj_type_t type,
                 const char* key) {
  for (hwloc_obj_t each = nullptr;
       (each = hwloc_get_next_obj_by_type(topology, type, each)) != nullptr;) {
    std::printf("%s\t%s\n", key, list_of(each->cpuset).c_str());
  }
}

void put_memories(hwloc_topology_t topology) {
  for (hwloc_obj_t each = nullptr;
       (each = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE,
                                          each)) != nullptr;) {
    std::printf(
        "memory\t%s\t%u\t%llu\t%s\n", list_of(each->cpuset).c_str(),
        each->os_index,
        static_cast<unsigned long long>(each->attr->numanode.local_memory),
        one_line(each->subtype).c_str());
  }
}

void put_caches(hwloc_topology_t topology) {
  for (int level = 1; level <= 5; ++level) {
    const auto type =
        static_cast<hwloc_obj_type_t>(HWLOC_OBJ_L1CACHE + level - 1);
    for (hwloc_obj_t each = nullptr; (each = hwloc_get_next_obj_by_type(
                                          topology, type, each)) != nullptr;) {
      std::printf("cache\t%s\t%d\t%llu\n", list_of(each->cpuset).c_str(), level,
                  static_cast<unsigned long long>(each->attr->cache.size));
    }
  }
}

void put_core_kinds([[maybe_unused]] hwloc_topology_t topology) {
#if HWLOC_API_VERSION >= 0x00020400
  const int count = hwloc_cpukinds_get_nr(topology, 0);
  hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
  for (int kind = 0; kind < count; ++kind) {
    int efficiency = -1;
    unsigned infos = 0;
    hwloc_info_s* info = nullptr;
    if (hwloc_cpukinds_get_info(topology, static_cast<unsigned>(kind), cpus,
                                &efficiency, &infos, &info, 0) != 0) {
      continue;
    }
    const char* name = "";
    for (unsigned i = 0; i < infos; ++i) {
      if (std::string(info[i].name) == "CoreType") name = info[i].value;
    }
    std::printf("kind\t%s\t%d\t%s\n", list_of(cpus).c_str(), efficiency,
                one_line(name).c_str());
  }
  hwloc_bitmap_free(cpus);
#endif
}

}  // namespace

int main() {
  poprt::begin_as_helper();
  setenv("HWLOC_HIDE_ERRORS", "2", 1);  // warnings of its, on stderr
  // No plugin: they know devices, for which nobody asks.
  setenv("HWLOC_PLUGINS_PATH", "/dev/null", 1);
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return 1;
  // What a cgroup takes away is on the host all the same.
  hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  // It would bind itself to each processor in turn, behind whoever computes
  // there.
  hwloc_topology_set_components(
      topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  if (hwloc_topology_load(topology) != 0) return 1;
  const hwloc_obj_t package =
      hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
  const char* model = package == nullptr
                          ? nullptr
                          : hwloc_obj_get_info_by_name(package, "CPUModel");
  if (model == nullptr) {
    model =
        hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), "CPUModel");
  }
  std::printf("model\t%s\n", one_line(model).c_str());
  std::printf("cpus\t%s\n",
              list_of(hwloc_topology_get_topology_cpuset(topology)).c_str());
  const bool has_cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0;
  put_objects(topology, has_cores ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU, "core");
  put_objects(topology, HWLOC_OBJ_PACKAGE, "socket");
  put_objects(topology, HWLOC_OBJ_DIE, "die");
  put_memories(topology);
  put_caches(topology);
  put_core_kinds(topology);
  std::printf("end\n");
  hwloc_topology_destroy(topology);
  return 0;
}
