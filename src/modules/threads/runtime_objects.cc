#include "modules/threads/runtime_objects.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>

namespace poprt::modules::threads {
namespace {

// How the names begin.
constexpr std::string_view kRuntimes[] = {
    // MPI, and what starts and connects its processes
    "libmpi", "libmpich", "libopen-pal", "libopen-rte", "libpmi", "libprrte",
    "libslurm", "libpals", "mca_",
    // networks
    "libucp", "libucs", "libuct", "libucm", "libucc", "libfabric", "libpsm",
    "libhcoll", "libsharp", "libmxm", "libcxi", "libnccl", "librccl",
    // OpenMP, and other runtimes of compilers
    "libomp.", "libomp5", "libomptarget", "libiomp", "libgomp", "libgfortran",
    // accelerators: OpenCL and its devices, pocl's that are cores of the host,
    // too, GPUs of NVIDIA, AMD and Intel
    "libOpenCL.", "libpocl", "libMesaOpenCL", "libRusticlOpenCL", "libamdocl",
    "libigdrcl", "libintelocl", "libcuda", "libnvidia", "libamdhip64",
    "libhsa-runtime64", "libze_",
    // the C library's older parts
    "libpthread.", "librt.", "libanl.",
    // tools
    "libpapi", "libcupti", "libdebuginfod"};
// Libfabric's providers.
constexpr std::string_view kProvider = "-fi.so";

}  // namespace

bool is_runtime(std::string_view name) {
  return name.ends_with(kProvider) ||
         std::ranges::any_of(kRuntimes, [&](std::string_view begin) {
           return name.starts_with(begin);
         });
}

std::vector<bool> runtimes_among(const std::vector<LoadedObject>& objects) {
  std::unordered_map<std::string_view, size_t> by_name;
  for (size_t i = 1; i < objects.size(); ++i) by_name[objects[i].name] = i;
  std::vector<bool> needed(objects.size());
  std::vector<bool> theirs(objects.size(), true);
  for (const LoadedObject& object : objects) {
    for (const std::string& name : object.needed) {
      const auto found = by_name.find(name);
      if (found != by_name.end()) needed[found->second] = true;
    }
  }
  // The program, what was preloaded or loaded later, and what these need.
  std::vector<size_t> open;
  const auto reach = [&](size_t i) {
    if (!theirs[i] || (i > 0 && is_runtime(objects[i].name))) return;
    theirs[i] = false;
    open.push_back(i);
  };
  for (size_t i = 0; i < objects.size(); ++i) {
    if (i == 0 || !needed[i]) reach(i);
  }
  while (!open.empty()) {
    const size_t i = open.back();
    open.pop_back();
    for (const std::string& name : objects[i].needed) {
      const auto found = by_name.find(name);
      if (found != by_name.end()) reach(found->second);
    }
  }
  return theirs;
}

}  // namespace poprt::modules::threads
