// A layer of OpenCL's loader (OPENCL_LAYERS): the loader opens this library,
// and sends the program's calls through the functions that it is given here.
//
// It asks for the times of each command, and tells them when the command is
// over.  Not seen are functions of extensions that a program looks up itself.
#include "devices/opencl/layer.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>

namespace poprt::opencl {

constinit Layer g_layer;

namespace {

constexpr char kName[] = "poprt";
constinit cl_icd_dispatch g_table = {};

// As the loader's own queries: null where the caller does not want to know.
cl_int give(const void* value, size_t bytes, size_t room, void* to,
            size_t* bytes_ret) {
  if (to != nullptr) {
    if (room < bytes) return CL_INVALID_VALUE;
    std::memcpy(to, value, bytes);
  }
  if (bytes_ret != nullptr) *bytes_ret = bytes;
  return CL_SUCCESS;
}

const DeviceSink* find_sink() {
  using Find = const DeviceSink* (*)();
  const auto find =
      reinterpret_cast<Find>(dlsym(RTLD_DEFAULT, "poprt_device_sink"));
  return find != nullptr ? find() : nullptr;
}

}  // namespace
}  // namespace poprt::opencl

[[gnu::visibility("default")]] cl_int CL_API_CALL
clGetLayerInfo(cl_layer_info what, size_t room, void* value, size_t* bytes) {
  using poprt::opencl::give;
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  switch (what) {
    case CL_LAYER_API_VERSION:
      return give(&version, sizeof version, room, value, bytes);
    case CL_LAYER_NAME:
      return give(poprt::opencl::kName, sizeof poprt::opencl::kName, room,
                  value, bytes);
    default:
      return CL_INVALID_VALUE;
  }
}

// The table below may have fewer functions than this library knows.  What it
// lacks, no program can call.
[[gnu::visibility("default")]] cl_int CL_API_CALL
clInitLayer(cl_uint count, const cl_icd_dispatch* below, cl_uint* own_count,
            const cl_icd_dispatch** own) {
  using namespace poprt::opencl;
  if (below == nullptr || own_count == nullptr || own == nullptr) {
    return CL_INVALID_VALUE;
  }
  const cl_uint most = sizeof g_table / sizeof(void*);
  *own_count = std::min(count, most);
  std::memcpy(&g_table, below, *own_count * sizeof(void*));
  *own = &g_table;
  g_layer = {below, find_sink()};
  if (g_layer.sink == nullptr) return CL_SUCCESS;
  put_queue_functions(&g_table);
  put_command_functions(&g_table);
  put_waiting_functions(&g_table);
  return CL_SUCCESS;
}
