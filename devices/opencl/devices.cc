#include "devices/opencl/devices.h"

#include <array>
#include <atomic>
#include <cstdio>

#include "devices/opencl/layer.h"

namespace poprt::opencl {
namespace {

constexpr int kMostDevices = 64;
constinit std::mutex g_devices_mutex;
// Those behind the number are written with the mutex held.
constinit std::array<Device, kMostDevices> g_devices = {};
constinit std::atomic<int> g_device_count{0};

// As text; without a UUID the empty text.
using Unit = std::array<char, 2 * CL_UUID_SIZE_KHR + 1>;
Unit unit_of(cl_device_id id) {
  Unit unit = {};
  std::array<cl_uchar, CL_UUID_SIZE_KHR> uuid = {};
  if (g_layer.below->clGetDeviceInfo(id, CL_DEVICE_UUID_KHR, sizeof uuid,
                                     uuid.data(), nullptr) != CL_SUCCESS) {
    return unit;
  }
  for (size_t i = 0; i < uuid.size(); ++i) {
    std::snprintf(&unit[2 * i], 3, "%02x", uuid[i]);
  }
  return unit;
}

// A device that is made of the host's cores is each process's own.
bool is_host(cl_device_id id) {
  cl_device_type type = 0;
  g_layer.below->clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type,
                                 nullptr);
  return (type & CL_DEVICE_TYPE_CPU) != 0;
}

int number_of(cl_device_id id) {
  std::array<char, 256> name = {};
  g_layer.below->clGetDeviceInfo(id, CL_DEVICE_NAME, name.size() - 1,
                                 name.data(), nullptr);
  const Unit unit = is_host(id) ? Unit() : unit_of(id);
  return g_layer.sink->add_device(name.data(),
                                  unit[0] != '\0' ? unit.data() : nullptr);
}

}  // namespace

void Device::learn(int64_t device_ns, int64_t begin_ns, int64_t end_ns) {
  const std::lock_guard lock(mutex_);
  offset_.learn(device_ns, begin_ns, end_ns);
}

int64_t Device::to_host(int64_t device_ns) {
  const std::lock_guard lock(mutex_);
  return offset_.to_host(device_ns);
}

Device* device_of(cl_command_queue queue) {
  cl_device_id id = nullptr;
  if (g_layer.below->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof id,
                                           &id, nullptr) != CL_SUCCESS) {
    return nullptr;
  }
  const auto find = [id](int from, int count) -> Device* {
    for (int i = from; i < count; ++i) {
      Device& device = g_devices[static_cast<size_t>(i)];
      if (device.id_ == id) return &device;
    }
    return nullptr;
  };
  const int known = g_device_count.load(std::memory_order_acquire);
  Device* device = find(0, known);
  if (device == nullptr) {
    const std::lock_guard lock(g_devices_mutex);
    const int count = g_device_count.load(std::memory_order_relaxed);
    device = find(known, count);
    if (device == nullptr && count < kMostDevices) {
      device = &g_devices[static_cast<size_t>(count)];
      device->id_ = id;
      device->number_ = number_of(id);
      g_device_count.store(count + 1, std::memory_order_release);
    }
  }
  return device != nullptr && device->number_ != DeviceSink::kNoDevice
             ? device
             : nullptr;
}

}  // namespace poprt::opencl
