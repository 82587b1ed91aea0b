// A program of CUDA, as far as a pretended libcupti goes, under the preloaded
// library: with a child that exits, one that becomes another program, and a
// reset of the device.  Ends with 1 if the driver's library was loaded and
// should not be ("off"), or the other way round.
#include <dlfcn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "layer/cupti/fake_cupti.h"
#include "poprt.h"

extern "C" int cuptiGetTimestamp(uint64_t*);

namespace {

int64_t system_clock() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

void call(const char* name) {
  fake_cupti::Call it;
  it.name = name;
  fake_cupti::enter(&it);
  fake_cupti::leave(&it);
}

// A kernel that is over when the call returns.
void launch(uint32_t context) {
  fake_cupti::Call it;
  it.context = context;
  fake_cupti::enter(&it);
  fake_cupti::Operation kernel;
  cuptiGetTimestamp(&kernel.begin);
  do {
    cuptiGetTimestamp(&kernel.end);
  } while (kernel.end < kernel.begin + 100'000);
  kernel.context = context;
  kernel.device = context - 1;
  kernel.correlation = it.correlation;
  fake_cupti::run(kernel);
  fake_cupti::leave(&it);
}

bool ends_well(pid_t child) {
  int status = -1;
  return waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

int main(int, char** arguments) {
  const bool is_off =
      arguments[1] != nullptr && std::strcmp(arguments[1], "off") == 0;
  fake_cupti::settings().clock = system_clock;
  pop_region_start("solve");
  for (int i = 0; i < 5; ++i) launch(1);
  call("cudaStreamSynchronize_v3020");
  launch(2);
  if (const pid_t child = fork(); child == 0) {
    launch(1);
    call("cudaDeviceSynchronize_v3020");
    std::exit(0);
  } else if (!ends_well(child)) {
    return 2;
  }
  if (const pid_t child = fork(); child == 0) {
    execl("/bin/sh", "sh", "-c", "exit 0", nullptr);
    _exit(3);
  } else if (!ends_well(child)) {
    return 3;
  }
  fake_cupti::destroy_context(1);
  pop_region_stop("solve");
  const bool is_loaded =
      dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD) != nullptr;
  return is_loaded == is_off ? 1 : 0;
}
