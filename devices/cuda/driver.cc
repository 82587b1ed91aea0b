#include "devices/cuda/driver.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace poprt::cuda {
namespace {

struct Driver {
  int (*get_device)(int* device, int number);
  int (*get_name)(char* name, int size, int device);
  // The second version has the UUID of a part of a device, if it is one.
  int (*get_uuid)(uint8_t* uuid, int device);
};

bool find_driver(Driver* driver) {
  void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return false;
  const auto find = [library](const char* name, auto* function) {
    *function = reinterpret_cast<std::remove_pointer_t<decltype(function)>>(
        dlsym(library, name));
    return *function != nullptr;
  };
  const bool found = find("cuDeviceGet", &driver->get_device) &&
                     find("cuDeviceGetName", &driver->get_name) &&
                     (find("cuDeviceGetUuid_v2", &driver->get_uuid) ||
                      find("cuDeviceGetUuid", &driver->get_uuid));
  dlclose(library);
  return found;
}

// "GPU-00112233-4455-6677-8899-aabbccddeeff".
std::string uuid_text(const uint8_t (&uuid)[16]) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "GPU";
  for (size_t i = 0; i < sizeof uuid; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[uuid[i] / 16];
    text += kDigits[uuid[i] % 16];
  }
  return text;
}

}  // namespace

DeviceIdentity identity_of(int number) {
  DeviceIdentity identity;
  Driver driver = {};
  int device = 0;
  if (!find_driver(&driver) || driver.get_device(&device, number) != 0) {
    return identity;
  }
  uint8_t uuid[16] = {};
  if (driver.get_uuid(uuid, device) == 0) identity.unit = uuid_text(uuid);
  char name[128] = "";
  if (driver.get_name(name, sizeof name - 1, device) == 0) identity.name = name;
  return identity;
}

}  // namespace poprt::cuda
