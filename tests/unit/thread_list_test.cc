#include "measure/thread_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "measure/process.h"

namespace poprt {
namespace {

Thread* make(Process& process, ThreadList& list, ThreadKind kind) {
  Thread* const thread = new Thread(process, list.next_number(), kind, 0);
  list.add(*thread);
  return thread;
}

TEST(ThreadList, KeepsThreadsInTheirOrder) {
  Process process;
  ThreadList list;
  EXPECT_TRUE(list.all().empty());
  const std::vector<Thread*> made = {make(process, list, ThreadKind::kProgram),
                                     make(process, list, ThreadKind::kWorker),
                                     make(process, list, ThreadKind::kWorker)};
  EXPECT_EQ(made, list.all());
  EXPECT_EQ(1u, made[0]->number());
  EXPECT_EQ(3u, made[2]->number());
  std::vector<Thread*> seen;
  list.for_each([&](Thread& thread) { seen.push_back(&thread); });
  EXPECT_EQ((std::vector<Thread*>{made[2], made[1], made[0]}), seen);
}

TEST(ThreadList, ManyAreAddedAtOnce) {
  Process process;
  ThreadList list;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 100; ++k) make(process, list, ThreadKind::kForeign);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<bool> numbers(401);
  for (const Thread* thread : list.all()) numbers[thread->number()] = true;
  EXPECT_EQ(400, std::count(numbers.begin(), numbers.end(), true));
}

TEST(ThreadList, ThePrimaryThreadStays) {
  Process process;
  ThreadList list;
  EXPECT_EQ(nullptr, list.primary());
  EXPECT_EQ(40, list.outside_mpi_at(40).com_ns);
  Thread* const first = make(process, list, ThreadKind::kProgram);
  Thread* const second = make(process, list, ThreadKind::kProgram);
  EXPECT_TRUE(list.make_primary(*first));
  EXPECT_FALSE(list.make_primary(*second));
  EXPECT_EQ(first, list.primary());
  first->switch_to(State::kMpi, 10);
  EXPECT_EQ(10, list.outside_mpi_at(40).com_ns);
}

TEST(ThreadList, ACoreIsTakenOnce) {
  Process process;
  ThreadList list;
  EXPECT_EQ(nullptr, list.take_core());
  Thread* const one = make(process, list, ThreadKind::kWorker);
  Thread* const two = make(process, list, ThreadKind::kWorker);
  list.give_back(*one);
  list.give_back(*two);
  Thread* const first = list.take_core();
  Thread* const second = list.take_core();
  EXPECT_NE(first, second);
  EXPECT_NE(nullptr, first);
  EXPECT_NE(nullptr, second);
  EXPECT_EQ(nullptr, list.take_core());
  list.give_back(*first);
  EXPECT_EQ(first, list.take_core());
}

TEST(ThreadList, EndedForeignThreadsAreNoCores) {
  Process process;
  ThreadList list;
  Thread* const one = make(process, list, ThreadKind::kForeign);
  EXPECT_EQ(nullptr, list.take_foreign(true));
  list.give_back_foreign(*one);
  EXPECT_EQ(nullptr, list.take_core());
  EXPECT_EQ(one, list.take_foreign(true));
  EXPECT_EQ(nullptr, list.take_foreign(true));
  EXPECT_EQ(1, list.foreign_again());
}

}  // namespace
}  // namespace poprt
