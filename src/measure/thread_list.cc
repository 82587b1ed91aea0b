#include "measure/thread_list.h"

#include <algorithm>

namespace poprt {

ThreadList::~ThreadList() {
  for (Thread* thread : all()) delete thread;
}

void ThreadList::add(Thread& thread) {
  Thread* latest = latest_.load(std::memory_order_relaxed);
  do {
    thread.earlier = latest;
  } while (!latest_.compare_exchange_weak(
      latest, &thread, std::memory_order_release, std::memory_order_relaxed));
}

std::vector<Thread*> ThreadList::all() const {
  std::vector<Thread*> list;
  for_each([&](Thread& thread) { list.push_back(&thread); });
  std::reverse(list.begin(), list.end());
  return list;
}

Thread* ThreadList::take_core() {
  const MutexLock lock(cores_mutex_);
  Thread* const core = lock.held() ? free_core_ : nullptr;
  if (core != nullptr) free_core_ = core->next_free;
  return core;
}

void ThreadList::give_back(Thread& core) {
  const MutexLock lock(cores_mutex_);
  if (!lock.held()) return;
  core.next_free = free_core_;
  free_core_ = &core;
}

}  // namespace poprt
