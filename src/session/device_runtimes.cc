#include "session/device_runtimes.h"

#include <glob.h>
#include <link.h>

#include <algorithm>
#include <string_view>

#include "base/mpi_own_files.h"

namespace poprt {
namespace {

constexpr std::string_view kRuntimes[] = {"libomptarget.so", "libcuda.so",
                                          "libamdhip64.so", "libze_loader.so",
                                          "libOpenCL.so"};
// Those of them that have no devices of their own.
constexpr std::string_view kLookForDrivers[] = {"libOpenCL.so",
                                                "libze_loader.so"};
constexpr const char* kSignsOfDevices[] = {
    "/dev/dri/render*", "/dev/nvidia*", "/dev/kfd",
    "/dev/accel*",      "/dev/dxg",     "/etc/OpenCL/vendors/*"};

template <class Names>
bool begins_with_one(const std::string& name, const Names& names) {
  return std::ranges::any_of(
      names, [&](std::string_view each) { return name.starts_with(each); });
}

int add_image(dl_phdr_info* info, size_t, void* result) {
  LoadedImage image;
  const std::string_view path = info->dlpi_name;
  image.name = path.substr(path.rfind('/') + 1);
  image.is_own_of_mpi = is_own_of_mpi(*info);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* const entries = reinterpret_cast<const ElfW(Dyn)*>(
        info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    ElfW(Addr) names = 0;
    for (const auto* it = entries; it->d_tag != DT_NULL; ++it) {
      if (it->d_tag == DT_STRTAB) names = it->d_un.d_ptr;
    }
    // Some loaders leave it relative.
    if (names < info->dlpi_addr) names += info->dlpi_addr;
    for (const auto* it = entries; it->d_tag != DT_NULL; ++it) {
      if (it->d_tag != DT_NEEDED) continue;
      image.needed.emplace_back(
          reinterpret_cast<const char*>(names + it->d_un.d_val));
    }
  }
  static_cast<std::vector<LoadedImage>*>(result)->push_back(std::move(image));
  return 0;
}

}  // namespace

std::vector<std::string> device_runtimes_among(
    const std::vector<LoadedImage>& images) {
  std::vector<std::string> found;
  for (const LoadedImage& image : images) {
    if (!begins_with_one(image.name, kRuntimes)) continue;
    bool is_linked = false;
    bool is_programs = false;
    for (const LoadedImage& other : images) {
      if (std::ranges::find(other.needed, image.name) == other.needed.end()) {
        continue;
      }
      is_linked = true;
      is_programs |= !other.is_own_of_mpi;
    }
    // Who has opened what nobody links is not known.
    if (is_programs || !is_linked) found.push_back(image.name);
  }
  return found;
}

bool has_no_accelerator(const std::string& root) {
  return std::ranges::all_of(kSignsOfDevices, [&](const char* pattern) {
    glob_t found = {};
    const int result =
        glob((root + pattern).c_str(), GLOB_NOSORT, nullptr, &found);
    globfree(&found);
    return result == GLOB_NOMATCH;
  });
}

std::vector<std::string> device_runtimes() {
  std::vector<LoadedImage> images;
  dl_iterate_phdr(add_image, &images);
  std::vector<std::string> found = device_runtimes_among(images);
  const auto looks_for_drivers = [](const std::string& name) {
    return begins_with_one(name, kLookForDrivers);
  };
  if (std::ranges::any_of(found, looks_for_drivers) && has_no_accelerator("")) {
    std::erase_if(found, looks_for_drivers);
  }
  return found;
}

}  // namespace poprt
