// The entries of thread functions, called as by the program: which calls are
// events. Two threads of the library take turns in the one thread of the test.
#include <gtest/gtest.h>
#include <pthread.h>

#include <cstring>

#include "measure/events.h"
#include "measure/process.h"
#include "modules/threads/entries.h"
#include "modules/threads/thread_call.h"

namespace poprt::modules::threads {
namespace {

const std::vector<Entry>& all_entries() {
  // Never destroyed, as in a program.
  static const auto* const all = [] {
    auto* const entries = new std::vector<Entry>(mutex_entries());
    for (const Entry& each : signal_entries()) entries->push_back(each);
    return entries;
  }();
  // Finds the functions of the C library.
  static const auto* const slots = new EntrySlots(*all);
  static_cast<void>(slots);
  return *all;
}

template <class Object>
int call(const char* name, Object* object) {
  for (const Entry& each : all_entries()) {
    if (std::strcmp(each.name, name) == 0) {
      return reinterpret_cast<int (*)(Object*)>(each.measured)(object);
    }
  }
  ADD_FAILURE() << "no entry for " << name;
  return -1;
}

struct ThreadEntriesTest : testing::Test {
  ThreadEntriesTest() {
    process.region_start(one, "Global");
    two.switch_to(State::kUseful, now_ns());
    g_phase.store(Phase::kMeasuring);
    t_thread = &one;
  }
  ~ThreadEntriesTest() override {
    call("pthread_mutex_destroy", &mutex);
    call("pthread_rwlock_destroy", &rwlock);
    t_thread = nullptr;
    g_phase.store(Phase::kFinished);
  }
  // How many events of the present thread the calls make.
  template <class Calls>
  int64_t events_of(Calls calls) {
    const int64_t before = t_thread->events();
    calls();
    return t_thread->events() - before;
  }
  void use(int times) {
    for (int i = 0; i < times; ++i) {
      EXPECT_EQ(0, call("pthread_mutex_lock", &mutex));
      EXPECT_EQ(0, call("pthread_mutex_unlock", &mutex));
    }
  }
  void read(int times) {
    for (int i = 0; i < times; ++i) {
      EXPECT_EQ(0, call("pthread_rwlock_rdlock", &rwlock));
      EXPECT_EQ(0, call("pthread_rwlock_unlock", &rwlock));
    }
  }

  Process& process = make_process({});
  Thread& one = process.add_thread(ThreadKind::kProgram, now_ns());
  Thread& two = process.add_thread(ThreadKind::kWorker, now_ns());
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
};

TEST_F(ThreadEntriesTest, AMutexThatNobodyWaitsForIsNoEvent) {
  EXPECT_EQ(0, events_of([&] { use(1000); }));
  t_thread = &two;
  EXPECT_EQ(0, events_of([&] { use(1000); }));
  EXPECT_EQ(0, events_of([&] { read(1000); }));
  EXPECT_EQ(nullptr, known_lock(&mutex));
}

TEST_F(ThreadEntriesTest, AMutexThatAnotherThreadWaitsForIsAnEvent) {
  const LockWait wait = announce_wait(*lock_of(&mutex));
  EXPECT_EQ(1, events_of([&] { use(1); }));
  EXPECT_TRUE(is_answered(wait));
  end_wait(wait);
  EXPECT_EQ(0, events_of([&] { use(1); }));
}

// Both have it at once, and who waits depends on both.
TEST_F(ThreadEntriesTest, AReadWriteLockHasTheClocksOfAllThatHadIt) {
  EXPECT_EQ(0, call("pthread_rwlock_rdlock", &rwlock));
  t_thread = &two;
  EXPECT_EQ(0, call("pthread_rwlock_rdlock", &rwlock));
  const LockWait wait = announce_wait(*lock_of(&rwlock));
  for (Thread* const thread : {&one, &two}) {
    t_thread = thread;
    EXPECT_EQ(1, events_of([&] {
                EXPECT_EQ(0, call("pthread_rwlock_unlock", &rwlock));
              }));
  }
  const ClockSet left = wait.lock->released.get(0);
  for (const Thread* const thread : {&one, &two}) {
    EXPECT_GE(left.ns[kProcessCue], thread->useful_ns());
  }
}

TEST_F(ThreadEntriesTest, AnAttemptThatSucceedsAfterItHadFailedIsAnEvent) {
  EXPECT_EQ(0, call("pthread_mutex_lock", &mutex));
  t_thread = &two;
  EXPECT_EQ(0, events_of([&] {
              EXPECT_EQ(EBUSY, call("pthread_mutex_trylock", &mutex));
            }));
  t_thread = &one;
  EXPECT_EQ(1, events_of([&] {
              EXPECT_EQ(0, call("pthread_mutex_unlock", &mutex));
            }));
  t_thread = &two;
  EXPECT_EQ(1, events_of([&] {
              EXPECT_EQ(0, call("pthread_mutex_trylock", &mutex));
            }));
  EXPECT_EQ(0, call("pthread_mutex_unlock", &mutex));
  EXPECT_EQ(0, events_of([&] {
              EXPECT_EQ(0, call("pthread_mutex_trylock", &mutex));
            }));
  EXPECT_EQ(0, call("pthread_mutex_unlock", &mutex));
}

// It has had the mutex since, without an attempt.
TEST_F(ThreadEntriesTest, AFailedAttemptIsForgottenWhenTheMutexIsLetGo) {
  EXPECT_EQ(0, call("pthread_mutex_lock", &mutex));
  t_thread = &two;
  EXPECT_EQ(EBUSY, call("pthread_mutex_trylock", &mutex));
  t_thread = &one;
  EXPECT_EQ(0, call("pthread_mutex_unlock", &mutex));
  t_thread = &two;
  use(1);
  EXPECT_EQ(0, events_of([&] {
              EXPECT_EQ(0, call("pthread_mutex_trylock", &mutex));
            }));
  EXPECT_EQ(0, call("pthread_mutex_unlock", &mutex));
}

TEST_F(ThreadEntriesTest, ASignalThatNobodyWaitsForIsNoEvent) {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  EXPECT_EQ(0, events_of([&] {
              EXPECT_EQ(0, call("pthread_cond_signal", &condition));
              EXPECT_EQ(0, call("pthread_cond_broadcast", &condition));
            }));
  const LockWait wait = announce_wait(*lock_of(&condition));
  EXPECT_EQ(1, events_of([&] {
              EXPECT_EQ(0, call("pthread_cond_signal", &condition));
            }));
  end_wait(wait);
}

}  // namespace
}  // namespace poprt::modules::threads
