// The trace, and the position in the script.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

#include "openmp_interpreter.h"

namespace chaos {
namespace {

std::mutex g_threads_mutex;
std::vector<std::unique_ptr<ThreadTrace>> g_threads;

ThreadTrace* new_thread() {
  const std::lock_guard<std::mutex> guard(g_threads_mutex);
  g_threads.push_back(std::make_unique<ThreadTrace>());
  g_threads.back()->records.reserve(1 << 14);
  return g_threads.back().get();
}

}  // namespace

ThreadTrace& this_thread() {
  thread_local ThreadTrace* const trace = new_thread();
  return *trace;
}

State turn(State next, char what, int a, int b, int c, int d, int e, int line) {
  ThreadTrace& thread = this_thread();
  const State ended = thread.state;
  thread.records.push_back({now(), ended, what, {a, b, c, d, e}, line});
  thread.state = next;
  return ended;
}

void write_trace(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) std::abort();
  for (size_t t = 0; t < g_threads.size(); ++t) {
    for (const Record& r : g_threads[t]->records) {
      std::fprintf(file, "%zu %lld %c %c %d %d %d %d %d %d\n", t,
                   static_cast<long long>(r.time), r.ended, r.what,
                   r.numbers[0], r.numbers[1], r.numbers[2], r.numbers[3],
                   r.numbers[4], r.line);
    }
  }
#ifndef WITH_MPI
  // The library measures until now, so the writing of the trace belongs to it.
  turn(kUseful, '$');
  std::fprintf(file, "0 %lld U $ 0 0 0 0 0 0\n",
               static_cast<long long>(g_threads[0]->records.back().time));
#endif
  std::fclose(file);
}

void map_position(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || ftruncate(file, sizeof(int32_t)) != 0) return;
  void* const memory = mmap(nullptr, sizeof(int32_t), PROT_READ | PROT_WRITE,
                            MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) g_at = static_cast<int32_t*>(memory);
}

}  // namespace chaos
