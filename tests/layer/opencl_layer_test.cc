// The layer of OpenCL's loader above a fake OpenCL, in which the test says what
// time it is, when commands run and when they are over.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "devices/device_monitor.h"
#include "devices/device_sink.h"
#include "devices/opencl/opencl.h"

namespace poprt {
namespace {

// Of the fake device's clock, which is behind the host's.
constexpr int64_t kBehindNs = 5'000'000;

struct FakeEvent {
  cl_command_queue queue = nullptr;
  int references = 1;
  cl_ulong queued_ns = 0;
  cl_ulong begin_ns = 0;
  cl_ulong end_ns = 0;
  void(CL_CALLBACK* callback)(cl_event, cl_int, void*) = nullptr;
  void* data = nullptr;
};

struct FakeQueue {
  cl_command_queue_properties properties = 0;
};

// What happens in the test: OpenCL below the layer, and who is told above.
struct World {
  int64_t now_ns = 1'000'000'000;
  std::deque<FakeEvent> events;
  std::deque<FakeQueue> queues;
  std::vector<std::string> calls;  // as the library is told
  bool refuses = false;            // the next command
  bool has_profiling = true;
  cl_device_id device = nullptr;
  std::unique_ptr<DeviceMonitor> monitor;

  void tell(const std::string& what) { calls.push_back(what); }
};
World* g_world = nullptr;

FakeEvent& fake(cl_event event) { return *reinterpret_cast<FakeEvent*>(event); }

cl_ulong device_now() {
  return static_cast<cl_ulong>(g_world->now_ns - kBehindNs);
}

cl_int enqueue(cl_command_queue queue, cl_event* event) {
  g_world->now_ns += 100;
  if (g_world->refuses) return CL_INVALID_VALUE;
  FakeEvent made;
  made.queue = queue;
  made.queued_ns = device_now();
  g_world->events.push_back(made);
  g_world->now_ns += 100;
  if (event != nullptr) {
    *event = reinterpret_cast<cl_event>(&g_world->events.back());
  }
  return CL_SUCCESS;
}

// A command runs now, and it is heard of when it is over.
void execute(size_t number, int64_t ns, cl_int status = CL_COMPLETE) {
  FakeEvent& event = g_world->events.at(number);
  event.begin_ns = device_now();
  g_world->now_ns += ns;
  event.end_ns = device_now();
  ASSERT_NE(nullptr, event.callback);
  event.callback(reinterpret_cast<cl_event>(&event), status, event.data);
}

cl_command_queue make_queue(cl_command_queue_properties properties,
                            cl_int* result) {
  if (!g_world->has_profiling &&
      (properties & CL_QUEUE_PROFILING_ENABLE) != 0) {
    if (result != nullptr) *result = CL_INVALID_QUEUE_PROPERTIES;
    return nullptr;
  }
  g_world->queues.push_back({properties});
  if (result != nullptr) *result = CL_SUCCESS;
  return reinterpret_cast<cl_command_queue>(&g_world->queues.back());
}

template <class Value>
cl_int give(const Value& value, size_t room, void* to) {
  if (room < sizeof value) return CL_INVALID_VALUE;
  std::memcpy(to, &value, sizeof value);
  return CL_SUCCESS;
}

cl_icd_dispatch fake_table() {
  cl_icd_dispatch table = {};
  table.clCreateCommandQueue =
      [](cl_context, cl_device_id, cl_command_queue_properties properties,
         cl_int* result) { return make_queue(properties, result); };
  table.clCreateCommandQueueWithProperties =
      [](cl_context, cl_device_id, const cl_queue_properties* pairs,
         cl_int* result) {
        cl_command_queue_properties properties = 0;
        for (; pairs != nullptr && *pairs != 0; pairs += 2) {
          if (*pairs == CL_QUEUE_PROPERTIES) properties = pairs[1];
        }
        return make_queue(properties, result);
      };
  table.clGetCommandQueueInfo = [](cl_command_queue queue,
                                   cl_command_queue_info what, size_t room,
                                   void* value, size_t*) {
    if (what == CL_QUEUE_DEVICE) {
      return give(g_world->device, room, value);
    }
    return give(reinterpret_cast<FakeQueue*>(queue)->properties, room, value);
  };
  table.clGetDeviceInfo = [](cl_device_id, cl_device_info what, size_t room,
                             void* value, size_t*) -> cl_int {
    if (what == CL_DEVICE_TYPE) {
      return give(cl_device_type{CL_DEVICE_TYPE_GPU}, room, value);
    }
    if (what == CL_DEVICE_UUID_KHR) {
      std::memset(value, 0xAB, CL_UUID_SIZE_KHR);
      return CL_SUCCESS;
    }
    std::strncpy(static_cast<char*>(value), "fake", room);
    return CL_SUCCESS;
  };
  table.clEnqueueNDRangeKernel = [](cl_command_queue queue, cl_kernel, cl_uint,
                                    const size_t*, const size_t*, const size_t*,
                                    cl_uint, const cl_event*, cl_event* event) {
    return enqueue(queue, event);
  };
  table.clEnqueueReadBuffer = [](cl_command_queue queue, cl_mem, cl_bool,
                                 size_t, size_t, void*, cl_uint,
                                 const cl_event*, cl_event* event) {
    return enqueue(queue, event);
  };
  table.clEnqueueMapBuffer =
      [](cl_command_queue queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t,
         cl_uint, const cl_event*, cl_event* event, cl_int* result) -> void* {
    *result = enqueue(queue, event);
    return g_world;
  };
  table.clFinish = [](cl_command_queue) {
    g_world->tell("below");
    return cl_int{CL_SUCCESS};
  };
  table.clSetEventCallback =
      [](cl_event event, cl_int,
         void(CL_CALLBACK * callback)(cl_event, cl_int, void*), void* data) {
        fake(event).callback = callback;
        fake(event).data = data;
        return cl_int{CL_SUCCESS};
      };
  table.clReleaseEvent = [](cl_event event) {
    --fake(event).references;
    return cl_int{CL_SUCCESS};
  };
  table.clGetEventInfo = [](cl_event event, cl_event_info, size_t room,
                            void* value, size_t*) {
    return give(fake(event).queue, room, value);
  };
  table.clGetEventProfilingInfo = [](cl_event event, cl_profiling_info what,
                                     size_t room, void* value, size_t*) {
    const FakeEvent& it = fake(event);
    if ((reinterpret_cast<FakeQueue*>(it.queue)->properties &
         CL_QUEUE_PROFILING_ENABLE) == 0) {
      return cl_int{CL_PROFILING_INFO_NOT_AVAILABLE};
    }
    return give(what == CL_PROFILING_COMMAND_QUEUED  ? it.queued_ns
                : what == CL_PROFILING_COMMAND_START ? it.begin_ns
                                                     : it.end_ns,
                room, value);
  };
  return table;
}

DeviceSink sink() {
  DeviceSink sink = {};
  sink.now_ns = [] { return g_world->now_ns; };
  sink.add_device = [](const char* name, const char* unit) {
    g_world->tell(std::string(name) + " " + (unit != nullptr ? unit : ""));
    return g_world->monitor->add_device();
  };
  sink.launch = [](int device, const Launch& launch) {
    g_world->monitor->launch(device, launch, {});
  };
  sink.cancel = [](int device, uint64_t launch) {
    g_world->monitor->cancel(device, launch);
  };
  sink.record = [](int device, const Operation& operation) {
    g_world->monitor->record(device, operation, g_world->now_ns);
  };
  sink.call_begin = [](HostActivity call) {
    g_world->tell(call == HostActivity::kLaunching ? "launching"
                  : call == HostActivity::kCopying ? "copying"
                                                   : "waiting");
  };
  sink.call_end = [] { g_world->tell("end"); };
  return sink;
}

class OpenClLayer : public testing::Test {
 protected:
  OpenClLayer() {
    // Another one in each test.
    static int devices = 0;
    world_.device =
        reinterpret_cast<cl_device_id>(static_cast<intptr_t>(++devices));
    g_world = &world_;
    HostEvent now;
    now.time_ns = world_.now_ns;
    world_.monitor =
        std::make_unique<DeviceMonitor>(now, now, OpenRegions(), OpenRegions());
    cl_uint count = 0;
    EXPECT_EQ(CL_SUCCESS, clInitLayer(sizeof below_ / sizeof(void*), &below_,
                                      &count, &layer_));
    EXPECT_EQ(sizeof below_ / sizeof(void*), count);
  }

  cl_command_queue queue(cl_command_queue_properties properties = 0) {
    return layer_->clCreateCommandQueue(nullptr, nullptr, properties, nullptr);
  }
  cl_int kernel(cl_command_queue queue, cl_event* event = nullptr) {
    return layer_->clEnqueueNDRangeKernel(queue, nullptr, 1, nullptr, nullptr,
                                          nullptr, 0, nullptr, event);
  }
  cl_int read(cl_command_queue queue, cl_bool blocks) {
    return layer_->clEnqueueReadBuffer(queue, nullptr, blocks, 0, 0, nullptr, 0,
                                       nullptr, nullptr);
  }
  const DeviceUse& end() {
    HostEvent now;
    now.time_ns = world_.now_ns;
    world_.monitor->end(now);
    return world_.monitor->devices().device(0);
  }

  const cl_icd_dispatch below_ = fake_table();
  const cl_icd_dispatch* layer_ = nullptr;
  World world_;
};

TEST_F(OpenClLayer, TellsItsNameAndVersion) {
  char name[16] = {};
  size_t bytes = 0;
  EXPECT_EQ(CL_SUCCESS,
            clGetLayerInfo(CL_LAYER_NAME, sizeof name, name, &bytes));
  EXPECT_STREQ("poprt", name);
  EXPECT_EQ(6u, bytes);
  cl_layer_api_version version = 0;
  EXPECT_EQ(CL_SUCCESS, clGetLayerInfo(CL_LAYER_API_VERSION, sizeof version,
                                       &version, nullptr));
  EXPECT_EQ(cl_layer_api_version{CL_LAYER_API_VERSION_100}, version);
  EXPECT_EQ(CL_INVALID_VALUE, clGetLayerInfo(CL_LAYER_NAME, 1, name, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, clGetLayerInfo(0, 0, nullptr, nullptr));
}

TEST_F(OpenClLayer, CommandsAreOperationsInTheHostsTime) {
  const cl_command_queue q = queue();
  ASSERT_EQ(CL_SUCCESS, kernel(q));
  ASSERT_EQ(CL_SUCCESS, read(q, CL_FALSE));
  world_.now_ns += 1000;
  execute(0, 40'000);
  execute(1, 10'000);
  const DeviceUse& device = end();
  const DeviceTime time = device.timeline().run();
  EXPECT_EQ(40'000, time.kernels_ns);
  EXPECT_EQ(10'000, time.copies_ns);
  EXPECT_EQ((LaunchedWork{40'000, 2, 0}), device.launched().all());
  EXPECT_EQ(0, device.unannounced());
  EXPECT_EQ(0, device.late_ns());
  // Events of the layer's own are gone, and those of the program are not.
  EXPECT_EQ(0, world_.events[0].references);
  cl_event event = nullptr;
  ASSERT_EQ(CL_SUCCESS, kernel(q, &event));
  EXPECT_EQ(1, fake(event).references);
}

TEST_F(OpenClLayer, TellsWhatTheHostDoes) {
  const cl_command_queue q = queue();
  kernel(q);
  world_.calls.clear();
  kernel(q);
  read(q, CL_TRUE);
  read(q, CL_FALSE);
  layer_->clFinish(q);
  EXPECT_EQ(
      (std::vector<std::string>{"launching", "end", "copying", "end",
                                "launching", "end", "waiting", "below", "end"}),
      world_.calls);
}

TEST_F(OpenClLayer, MappedMemoryIsACopy) {
  const cl_command_queue q = queue();
  cl_int result = -1;
  EXPECT_EQ(g_world, layer_->clEnqueueMapBuffer(q, nullptr, CL_TRUE, 0, 0, 0, 0,
                                                nullptr, nullptr, &result));
  EXPECT_EQ(CL_SUCCESS, result);
  EXPECT_EQ(g_world, layer_->clEnqueueMapBuffer(q, nullptr, CL_TRUE, 0, 0, 0, 0,
                                                nullptr, nullptr, nullptr));
  execute(0, 500);
  execute(1, 500);
  EXPECT_EQ(1000, end().timeline().run().copies_ns);
}

TEST_F(OpenClLayer, RefusedAndFailedCommandsHaveNoTime) {
  const cl_command_queue q = queue();
  world_.refuses = true;
  EXPECT_EQ(CL_INVALID_VALUE, kernel(q));
  world_.refuses = false;
  EXPECT_EQ(CL_SUCCESS, kernel(q));
  EXPECT_EQ(CL_SUCCESS, kernel(q));
  execute(0, 1000, CL_OUT_OF_RESOURCES);
  const DeviceUse& device = end();  // the last one still runs
  EXPECT_EQ((LaunchedWork{0, 2, 2}), device.launched().all());
  EXPECT_EQ(0, device.timeline().run().kernels_ns);
}

// As without the layer: it has asked for no times.
TEST_F(OpenClLayer, TheProgramDoesNotSeeThatTimesAreNoted) {
  for (const cl_command_queue q :
       {queue(), layer_->clCreateCommandQueueWithProperties(
                     nullptr, nullptr, nullptr, nullptr)}) {
    EXPECT_NE(0u, reinterpret_cast<FakeQueue*>(q)->properties &
                      CL_QUEUE_PROFILING_ENABLE);
    cl_command_queue_properties properties = ~cl_command_queue_properties{0};
    EXPECT_EQ(CL_SUCCESS, layer_->clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES,
                                                        sizeof properties,
                                                        &properties, nullptr));
    EXPECT_EQ(0u, properties);
    cl_event event = nullptr;
    kernel(q, &event);
    cl_ulong ns = 0;
    EXPECT_EQ(CL_PROFILING_INFO_NOT_AVAILABLE,
              layer_->clGetEventProfilingInfo(
                  event, CL_PROFILING_COMMAND_QUEUED, sizeof ns, &ns, nullptr));
  }
  const cl_queue_properties asked[] = {CL_QUEUE_PROPERTIES,
                                       CL_QUEUE_PROFILING_ENABLE, 0};
  for (const cl_command_queue q : {queue(CL_QUEUE_PROFILING_ENABLE),
                                   layer_->clCreateCommandQueueWithProperties(
                                       nullptr, nullptr, asked, nullptr)}) {
    cl_command_queue_properties properties = 0;
    layer_->clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof properties,
                                  &properties, nullptr);
    EXPECT_EQ(cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE},
              properties);
    cl_event event = nullptr;
    kernel(q, &event);
    cl_ulong ns = 0;
    EXPECT_EQ(CL_SUCCESS,
              layer_->clGetEventProfilingInfo(
                  event, CL_PROFILING_COMMAND_QUEUED, sizeof ns, &ns, nullptr));
    EXPECT_NE(0u, ns);
  }
}

TEST_F(OpenClLayer, ADeviceThatNotesNoTimesIsUsedWithoutThem) {
  world_.has_profiling = false;
  const cl_command_queue q = queue();
  ASSERT_NE(nullptr, q);
  EXPECT_EQ(CL_SUCCESS, kernel(q));
  execute(0, 1000);
  EXPECT_EQ((LaunchedWork{0, 1, 1}), end().launched().all());
}

TEST_F(OpenClLayer, OtherPropertiesOfAQueueRemain) {
  const cl_command_queue q = queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  EXPECT_EQ(cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                        CL_QUEUE_PROFILING_ENABLE},
            reinterpret_cast<FakeQueue*>(q)->properties);
}

}  // namespace
}  // namespace poprt

extern "C" [[gnu::visibility("default")]] const poprt::DeviceSink*
poprt_device_sink() {
  static constinit poprt::DeviceSink its = {};
  its = poprt::sink();
  return &its;
}
