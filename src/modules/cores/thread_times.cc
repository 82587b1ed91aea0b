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
  // The second field, a name in brackets, may contain anything.
  size_t at = stat.rfind(')');
  for (int field = 3; field <= 39 && at != std::string::npos; ++field) {
    at = stat.find(' ', at + 1);
  }
  if (at == std::string::npos) return -1;
  char* end = nullptr;
  const long cpu = std::strtol(stat.c_str() + at, &end, 10);
  return end == stat.c_str() + at || cpu < 0 || cpu > 1 << 16
             ? -1
             : static_cast<int>(cpu);
}

std::map<int, ThreadTimes> thread_times() {
  std::map<int, ThreadTimes> threads;
  DIR* const tasks = opendir(kTasks);
  if (tasks == nullptr) return threads;
  while (const dirent* const entry = readdir(tasks)) {
    const int id = std::atoi(entry->d_name);
    if (id <= 0) continue;
    const std::string folder = kTasks + ("/" + std::to_string(id));
    threads[id] = {CpuClock::read(id),
                   parse_waited(kernel_text(folder + "/schedstat").c_str())};
  }
  closedir(tasks);
  return threads;
}

int last_cpu(int64_t thread) {
  return parse_last_cpu(
      kernel_text(kTasks + ("/" + std::to_string(thread)) + "/stat"));
}

}  // namespace poprt::modules::cores
