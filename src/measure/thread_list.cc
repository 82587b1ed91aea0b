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

Thread* ThreadList::take_foreign(bool counts) {
  Thread* const ended = take(&free_foreign_);
  if (ended != nullptr && counts) ++foreign_again_;
  return ended;
}

Thread* ThreadList::take(Thread** first) {
  const MutexLock lock(free_mutex_);
  Thread* const taken = lock.held() ? *first : nullptr;
  if (taken != nullptr) *first = taken->next_free;
  return taken;
}

void ThreadList::give(Thread& thread, Thread** first) {
  const MutexLock lock(free_mutex_);
  if (!lock.held()) return;
  thread.next_free = *first;
  *first = &thread;
}

}  // namespace poprt
