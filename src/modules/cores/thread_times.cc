#include "modules/cores/thread_times.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace poprt::modules::cores {
namespace {

constexpr char kTasks[] = "/proc/self/task";

ThreadTimes times_of(const std::string& thread) {
  const std::string path = kTasks + ("/" + thread) + "/schedstat";
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  char text[128] = {};
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  return length > 0 ? parse_schedstat(text) : ThreadTimes{};
}

}  // namespace

ThreadTimes parse_schedstat(const char* text) {
  char* next = nullptr;
  const long long on_core = std::strtoll(text, &next, 10);
  if (next == text || *next != ' ') return {};
  const char* const second = next + 1;
  const long long waiting = std::strtoll(second, &next, 10);
  if (next == second || on_core < 0 || waiting < 0) return {};
  return {on_core, waiting};
}

std::map<int, ThreadTimes> thread_times() {
  std::map<int, ThreadTimes> threads;
  DIR* const tasks = opendir(kTasks);
  if (tasks == nullptr) return threads;
  while (const dirent* const entry = readdir(tasks)) {
    const int id = std::atoi(entry->d_name);
    if (id > 0) threads[id] = times_of(entry->d_name);
  }
  closedir(tasks);
  return threads;
}

}  // namespace poprt::modules::cores
