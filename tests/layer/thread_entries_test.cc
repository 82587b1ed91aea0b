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

// But its clocks are left there now and then, because another thread may take
// it later without a wait.
TEST_F(ThreadEntriesTest, AMutexThatNobodyElseWantsIsNoEvent) {
  EXPECT_EQ(kOwnLock + 1, events_of([&] { use(kOwnLock + 1); }));
  EXPECT_EQ(4, events_of([&] { use(4 * kSeldom); }));
}

TEST_F(ThreadEntriesTest, AReadWriteLockThatNobodyElseWantsIsNoEvent) {
  read(kOwnLock + 1);
  EXPECT_EQ(4, events_of([&] { read(4 * kSeldom); }));
}

TEST_F(ThreadEntriesTest, AMutexThatChangesHandsIsAnEvent) {
  use(kOwnLock + 1);
  t_thread = &two;
  EXPECT_EQ(2, events_of([&] { use(1); }));
  t_thread = &one;
  EXPECT_EQ(2, events_of([&] { use(1); }));
}

// Both have it at once.
TEST_F(ThreadEntriesTest, WhoReadsAgainDependsOnThoseThatReadMeanwhile) {
  read(kOwnLock + 1);
  t_thread = &two;
  EXPECT_EQ(0, call("pthread_rwlock_rdlock", &rwlock));
  t_thread = &one;
  EXPECT_EQ(0, call("pthread_rwlock_rdlock", &rwlock));
  t_thread = &two;
  EXPECT_EQ(1, events_of([&] {
              EXPECT_EQ(0, call("pthread_rwlock_unlock", &rwlock));
            }));
  t_thread = &one;
  EXPECT_EQ(0, call("pthread_rwlock_unlock", &rwlock));
  EXPECT_EQ(1, events_of([&] {
              EXPECT_EQ(0, call("pthread_rwlock_rdlock", &rwlock));
            }));
  EXPECT_EQ(0, call("pthread_rwlock_unlock", &rwlock));
}

TEST_F(ThreadEntriesTest, ASignalThatNobodyWaitsForIsNoEvent) {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  EXPECT_EQ(0,
            call("pthread_cond_signal", &condition));  // is known from now on
  EXPECT_EQ(0, events_of([&] {
              EXPECT_EQ(0, call("pthread_cond_signal", &condition));
              EXPECT_EQ(0, call("pthread_cond_broadcast", &condition));
            }));
  Lock* const known = lock_of(&condition);
  known->waiting.store(1);
  EXPECT_EQ(1, events_of([&] {
              EXPECT_EQ(0, call("pthread_cond_signal", &condition));
            }));
  known->waiting.store(0);
}

}  // namespace
}  // namespace poprt::modules::threads
