// Queues get the property that makes the device note the times of commands.  A
// program that did not ask for it does not see it.
#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

#include "devices/opencl/layer.h"

namespace poprt::opencl {
namespace {

using Property = cl_queue_properties;

// Queues that have the property only for the layer.
constexpr size_t kMostQueues = 4096;
constinit std::mutex g_queues_mutex;
// Protected by the mutex.
constinit std::array<cl_command_queue, kMostQueues> g_queues = {};
constinit size_t g_queue_count = 0;

bool is_added(cl_command_queue queue) {
  const std::lock_guard lock(g_queues_mutex);
  return std::find(g_queues.begin(), g_queues.begin() + g_queue_count, queue) !=
         g_queues.begin() + g_queue_count;
}

// A queue may have the address of one that is gone.
void note_added(cl_command_queue queue, bool added) {
  const std::lock_guard lock(g_queues_mutex);
  const auto end = g_queues.begin() + g_queue_count;
  const auto place = std::find(g_queues.begin(), end, queue);
  if (place != end && !added) {
    *place = g_queues[--g_queue_count];
  } else if (place == end && added && g_queue_count < kMostQueues) {
    g_queues[g_queue_count++] = queue;
  }
}

cl_command_queue CL_API_CALL
create_queue(cl_context context, cl_device_id device,
             cl_command_queue_properties properties, cl_int* result) {
  const auto create = g_layer.below->clCreateCommandQueue;
  const bool adds = (properties & CL_QUEUE_PROFILING_ENABLE) == 0;
  cl_command_queue queue =
      create(context, device, properties | CL_QUEUE_PROFILING_ENABLE, result);
  // The device refuses, for this or for another reason.
  if (queue == nullptr && adds) {
    return create(context, device, properties, result);
  }
  if (queue != nullptr) note_added(queue, adds);
  return queue;
}

// Pairs of a name and a value, and a 0 behind them.
struct Properties {
  static constexpr size_t kMost = 32;
  std::array<Property, kMost> words = {CL_QUEUE_PROPERTIES,
                                       CL_QUEUE_PROFILING_ENABLE};
  bool adds = true;
  bool fits = true;

  explicit Properties(const Property* pair) {
    size_t count = 2;
    for (; pair != nullptr && *pair != 0; pair += 2) {
      if (*pair == CL_QUEUE_PROPERTIES) {
        adds = (pair[1] & CL_QUEUE_PROFILING_ENABLE) == 0;
        words[1] |= pair[1];
      } else if (count + 3 <= kMost) {
        words[count++] = pair[0];
        words[count++] = pair[1];
      } else {
        fits = false;
      }
    }
  }
};

cl_command_queue CL_API_CALL create_queue_with(cl_context context,
                                               cl_device_id device,
                                               const Property* asked,
                                               cl_int* result) {
  const auto create = g_layer.below->clCreateCommandQueueWithProperties;
  const Properties properties(asked);
  if (!properties.fits) return create(context, device, asked, result);
  cl_command_queue queue =
      create(context, device, properties.words.data(), result);
  if (queue == nullptr && properties.adds) {
    return create(context, device, asked, result);
  }
  if (queue != nullptr) note_added(queue, properties.adds);
  return queue;
}

cl_int CL_API_CALL queue_info(cl_command_queue queue,
                              cl_command_queue_info what, size_t room,
                              void* value, size_t* bytes) {
  const cl_int result =
      g_layer.below->clGetCommandQueueInfo(queue, what, room, value, bytes);
  cl_command_queue_properties properties = 0;
  if (result == CL_SUCCESS && what == CL_QUEUE_PROPERTIES && value != nullptr &&
      room >= sizeof properties && is_added(queue)) {
    std::memcpy(&properties, value, sizeof properties);
    properties &= ~cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE};
    std::memcpy(value, &properties, sizeof properties);
  }
  return result;
}

cl_int CL_API_CALL profiling_info(cl_event event, cl_profiling_info what,
                                  size_t room, void* value, size_t* bytes) {
  cl_command_queue queue = nullptr;
  const cl_int result = g_layer.below->clGetEventInfo(
      event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr);
  if (result == CL_SUCCESS && queue != nullptr && is_added(queue)) {
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  }
  return g_layer.below->clGetEventProfilingInfo(event, what, room, value,
                                                bytes);
}

}  // namespace

void put_queue_functions(cl_icd_dispatch* table) {
  table->clCreateCommandQueue = create_queue;
  table->clCreateCommandQueueWithProperties = create_queue_with;
  table->clGetCommandQueueInfo = queue_info;
  table->clGetEventProfilingInfo = profiling_info;
}

}  // namespace poprt::opencl
