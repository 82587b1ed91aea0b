#include "modules/cores/thread_times.h"

#include <dirent.h>

#include <cstdlib>

#include "base/kernel_text.h"
#include "measure/cpu_clock.h"

namespace poprt::modules::cores {
namespace {

constexpr char kTasks[] = "/proc/self/task";

}  // namespace

int parse_last_cpu(const std::string& stat) {
  constexpr int kProcessor = 39;
  const char* const field = stat_field(stat, kProcessor);
  if (field == nullptr) return -1;
  char* end = nullptr;
  const long cpu = std::strtol(field, &end, 10);
  return end == field || cpu < 0 || cpu > 1 << 16 ? -1 : static_cast<int>(cpu);
}

std::map<int, ThreadTimes> thread_times() {
  std::map<int, ThreadTimes> threads;
  DIR* const tasks = opendir(kTasks);
  if (tasks == nullptr) return threads;
  while (const dirent* const entry = readdir(tasks)) {
    const int id = std::atoi(entry->d_name);
    if (id <= 0) continue;
    threads[id] = {CpuClock::read(id), waited_until_now_ns(id)};
  }
  closedir(tasks);
  return threads;
}

int64_t waited_until_now_ns(int64_t thread) {
  return parse_waited(
      kernel_text(kTasks + ("/" + std::to_string(thread)) + "/schedstat")
          .c_str());
}

int last_cpu(int64_t thread) {
  return parse_last_cpu(
      kernel_text(kTasks + ("/" + std::to_string(thread)) + "/stat"));
}

}  // namespace poprt::modules::cores
