// Calls to thread functions where the program's threads are measured
// (POPRT_THREADS=all): through the entries, with what the C library does
// inside. Nobody waits, and no other thread has had the object.
#include <pthread.h>
#include <semaphore.h>

#include <cstring>
#include <vector>

#include "instructions/counting.h"
#include "measure/events.h"
#include "measure/process.h"
#include "modules/threads/entries.h"

namespace poprt::modules::threads {
namespace {

std::vector<Entry> all_entries() {
  std::vector<Entry> entries = mutex_entries();
  for (const Entry& each : signal_entries()) entries.push_back(each);
  return entries;
}

template <class Object>
using Call = int(Object*);

template <class Object>
Call<Object>* entry_of(const std::vector<Entry>& entries, const char* name) {
  for (const Entry& each : entries) {
    if (std::strcmp(each.name, name) == 0) {
      return reinterpret_cast<Call<Object>*>(each.measured);
    }
  }
  std::abort();
}

void run() {
  const std::vector<Entry> entries = all_entries();
  const EntrySlots slots(entries);  // finds the functions of the C library
  Process& process = make_process({});
  Thread& thread = process.add_thread(ThreadKind::kProgram, 0);
  for (const char* region : {"Global", "bench"}) {
    process.region_start(thread, region);
  }
  t_thread = &thread;
  g_phase.store(Phase::kMeasuring);

  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  static sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  const auto pair = [&](const char* event, auto* object, const char* take,
                        const char* let_go) {
    using Object = std::remove_pointer_t<decltype(object)>;
    auto* const first = entry_of<Object>(entries, take);
    auto* const second = entry_of<Object>(entries, let_go);
    counting::count(event,
                    [&] { static_cast<void>(first(object) + second(object)); });
  };
  counting::toggle();
  pair("lock, unlock", &mutex, "pthread_mutex_lock", "pthread_mutex_unlock");
  pair("trylock, unlock", &mutex, "pthread_mutex_trylock",
       "pthread_mutex_unlock");
  pair("rdlock, unlock", &rwlock, "pthread_rwlock_rdlock",
       "pthread_rwlock_unlock");
  pair("wrlock, unlock", &rwlock, "pthread_rwlock_wrlock",
       "pthread_rwlock_unlock");
  pair("sem_wait, sem_post", &semaphore, "sem_wait", "sem_post");
  auto* const signal = entry_of<pthread_cond_t>(entries, "pthread_cond_signal");
  counting::count("signal without a waiter", [&] { signal(&condition); });
}

}  // namespace
}  // namespace poprt::modules::threads

int main() {
  poprt::counting::say_build();
  poprt::modules::threads::run();
}
