// A program on a real OpenCL, with the layer that the loader opens
// (OPENCL_LAYERS): what the library is told is what the program's own events
// say.
//
// usage: opencl_program.  Exits with 77 where there is no device.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/monotonic.h"
#include "devices/device_monitor.h"
#include "devices/device_sink.h"
#include "devices/opencl/opencl.h"

namespace {

using poprt::DeviceMonitor;
using poprt::DeviceSink;
using poprt::HostEvent;

constexpr int kNothingToDo = 77;

#define REQUIRE(what)                                        \
  do {                                                       \
    if (!(what)) {                                           \
      std::printf("line %d: not so: %s\n", __LINE__, #what); \
      std::exit(1);                                          \
    }                                                        \
  } while (false)

DeviceMonitor* g_monitor = nullptr;

// The program's one thread: in calls to OpenCL, or its own code.
int g_calls = 0;
int64_t g_since_ns = 0;
poprt::HostTime g_host;

HostEvent now() {
  HostEvent event;
  event.time_ns = poprt::monotonic_ns();
  const auto part =
      g_calls > 0 ? poprt::HostPart::kAccelerator : poprt::HostPart::kUseful;
  g_host.ns[static_cast<size_t>(part)] += event.time_ns - g_since_ns;
  g_since_ns = event.time_ns;
  event.host = g_host;
  return event;
}

constinit DeviceSink g_sink = {
    poprt::monotonic_ns,
    [](const char* name, const char*) {
      std::printf("device %s\n", name);
      return g_monitor->add_device();
    },
    [](int device, const poprt::Launch& launch) {
      g_monitor->launch(device, launch, now().host);
    },
    [](int device, uint64_t launch) { g_monitor->cancel(device, launch); },
    [](int device, const poprt::Operation& operation) {
      g_monitor->record(device, operation, poprt::monotonic_ns());
    },
    [](poprt::HostActivity) {
      g_monitor->add_event(now());
      ++g_calls;
    },
    [] {
      g_monitor->add_event(now());
      --g_calls;
    }};

// The program's own view of a command, in the device's clock.
struct Times {
  cl_ulong begin_ns = 0;
  cl_ulong end_ns = 0;
};
Times times_of(cl_event event) {
  Times times;
  REQUIRE(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
                                  sizeof times.begin_ns, &times.begin_ns,
                                  nullptr) == CL_SUCCESS);
  REQUIRE(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END,
                                  sizeof times.end_ns, &times.end_ns,
                                  nullptr) == CL_SUCCESS);
  clReleaseEvent(event);
  return times;
}

constexpr char kSource[] =
    "kernel void work(global float* a, int rounds) {"
    "  float x = a[get_global_id(0)];"
    "  for (int i = 0; i < rounds; ++i) x = x * 1.000001f + 0.5f;"
    "  a[get_global_id(0)] = x;"
    "}";

// Commands of one queue in order, some of which the program watches as well.
void run_commands(cl_context context, cl_device_id device) {
  cl_int result = 0;
  // With times, so that the program can see them too.
  cl_command_queue queue =
      clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &result);
  REQUIRE(result == CL_SUCCESS);
  const char* source = kSource;
  cl_program program =
      clCreateProgramWithSource(context, 1, &source, nullptr, &result);
  REQUIRE(result == CL_SUCCESS);
  REQUIRE(clBuildProgram(program, 1, &device, "", nullptr, nullptr) ==
          CL_SUCCESS);
  cl_kernel kernel = clCreateKernel(program, "work", &result);
  REQUIRE(result == CL_SUCCESS);
  const size_t count = 1024;
  std::vector<float> data(count, 1.0F);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE,
                                 count * sizeof(float), nullptr, &result);
  REQUIRE(result == CL_SUCCESS);
  const cl_int rounds = 200;
  REQUIRE(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS);
  REQUIRE(clSetKernelArg(kernel, 1, sizeof rounds, &rounds) == CL_SUCCESS);

  constexpr int kRounds = 20;
  std::vector<cl_event> kernels;
  std::vector<cl_event> copies;
  for (int i = 0; i < kRounds; ++i) {
    cl_event event = nullptr;
    REQUIRE(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0,
                                 count * sizeof(float), data.data(), 0, nullptr,
                                 &event) == CL_SUCCESS);
    copies.push_back(event);
    REQUIRE(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, nullptr,
                                   0, nullptr, &event) == CL_SUCCESS);
    kernels.push_back(event);
    REQUIRE(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0,
                                count * sizeof(float), data.data(), 0, nullptr,
                                &event) == CL_SUCCESS);
    copies.push_back(event);
  }
  REQUIRE(clFinish(queue) == CL_SUCCESS);
  cl_ulong kernels_ns = 0;
  cl_ulong copies_ns = 0;
  for (cl_event event : kernels) {
    const Times times = times_of(event);
    kernels_ns += times.end_ns - times.begin_ns;
  }
  for (cl_event event : copies) {
    const Times times = times_of(event);
    copies_ns += times.end_ns - times.begin_ns;
  }
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);

  // The library is told on threads of OpenCL's, and a moment later.
  const poprt::PendingLaunches& pending =
      g_monitor->devices().device(0).pending();
  for (int i = 0; i < 3000 && pending.count() != 0; ++i) {
    timespec time = {0, 10'000'000};
    nanosleep(&time, nullptr);
    g_monitor->add_event(now());
  }
  const int64_t begin_ns = g_monitor->devices().device(0).timeline().begin_ns();
  const HostEvent end = now();
  g_monitor->end(end);
  const poprt::DeviceUse& use = g_monitor->devices().device(0);
  const poprt::DeviceTime time = use.timeline().run();
  std::printf("kernels %.3f ms, the program's events: %.3f ms\n",
              static_cast<double>(time.kernels_ns) / 1e6,
              static_cast<double>(kernels_ns) / 1e6);
  std::printf("copies %.3f ms, the program's events: %.3f ms\n",
              static_cast<double>(time.copies_ns) / 1e6,
              static_cast<double>(copies_ns) / 1e6);
  REQUIRE(g_calls == 0);
  REQUIRE(use.launched().all().operations == 3 * kRounds);
  REQUIRE(use.launched().all().unknown == 0);
  REQUIRE(use.unannounced() == 0);
  REQUIRE(g_monitor->missed_operations() == 0);
  REQUIRE(g_monitor->missed_events() == 0);
  REQUIRE(use.launched().all().kernels_ns == static_cast<int64_t>(kernels_ns));
  REQUIRE(use.late_ns() == 0);
  // Where the clocks' offset is known better than before, a command may seem to
  // begin in the one before.
  REQUIRE(time.kernels_ns > 0);
  REQUIRE(time.kernels_ns <= static_cast<int64_t>(kernels_ns));
  // While the device was idle the host was somewhere, and that is known.
  REQUIRE(time.idle_ns[0] + time.idle_ns[3] == time.idle_sum_ns());
  REQUIRE(time.idle_ns[0] > 0);
  REQUIRE(time.idle_ns[0] <= end.host.ns[0]);
  REQUIRE(time.idle_ns[3] > 0);
  REQUIRE(end.host.ns[0] + end.host.ns[3] == time.elapsed_ns());
  REQUIRE(time.elapsed_ns() == end.time_ns - begin_ns);
}

}  // namespace

extern "C" [[gnu::visibility("default")]] const DeviceSink*
poprt_device_sink() {
  return &g_sink;
}

int main() {
  g_since_ns = poprt::monotonic_ns();
  const HostEvent begin = now();
  g_host = {};
  g_monitor = new DeviceMonitor(begin, begin, {}, {});
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) !=
          CL_SUCCESS) {
    std::printf("no device of OpenCL\n");
    return kNothingToDo;
  }
  cl_int result = 0;
  cl_context context =
      clCreateContext(nullptr, 1, &device, nullptr, nullptr, &result);
  REQUIRE(result == CL_SUCCESS);
  run_commands(context, device);
  clReleaseContext(context);
  return 0;
}
