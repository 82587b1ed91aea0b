// Clocks of many regions, of which few are open, between the threads of one
// process: random events, compared with clocks that are all copied and compared
// each time.
#include "clocks/region_split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "measure/process.h"
#include "measure/thread.h"

namespace poprt {
namespace {

TEST(RegionList, HasAFewRegionsInTheirOrder) {
  RegionList list;
  EXPECT_EQ(0, list.count());
  EXPECT_EQ(-1, list.find(0));
  const int slots[] = {0, 7, kMaxRegions - 1, 3};
  for (const int slot : slots) EXPECT_TRUE(list.add(slot));
  EXPECT_FALSE(list.add(9));
  ASSERT_EQ(4, list.count());
  for (int place = 0; place < 4; ++place) {
    EXPECT_EQ(slots[place], list.slot(place));
    EXPECT_EQ(place, list.find(slots[place]));
  }
  EXPECT_EQ(-1, list.find(9));
  EXPECT_EQ(list, RegionList::of_word(list.word()));
  EXPECT_NE(RegionList::first(2), RegionList::first(3));
}

constexpr int kRegions = 9;  // at most
constexpr int kThreads = 3;
constexpr int kObjects = 3;

using Model = std::array<ClockSet, kRegions>;

void raise(Model& into, const Model& from, int first_clock = 0) {
  for (int r = 0; r < kRegions; ++r) {
    for (int i = first_clock; i < kUsualClocks; ++i) {
      into[static_cast<size_t>(r)].ns[i] =
          std::max(into[static_cast<size_t>(r)].ns[i],
                   from[static_cast<size_t>(r)].ns[i]);
    }
  }
}

std::string name_of(int region) { return "r" + std::to_string(region); }

class Simulation {
 public:
  Simulation(unsigned seed, int regions, int most_open)
      : random_(seed), regions_(regions), most_open_(most_open) {
    for (int t = 0; t < kThreads; ++t) {
      threads_.push_back(&process_.add_thread(
          t == 0 ? ThreadKind::kProgram : ThreadKind::kWorker, 0));
      threads_.back()->switch_to(State::kUseful, 0);
    }
    // In the order of their slots, each with a little time.
    for (int r = 0; r < regions_; ++r) {
      change_region(0, r);
      advance(1);
      if (r > 0) change_region(0, r);
    }
  }

  void step() {
    advance(pick(3) == 0 ? 0 : pick(20));
    const auto t = static_cast<size_t>(pick(kThreads));
    Thread& thread = *threads_[t];
    const auto o = static_cast<size_t>(pick(kObjects));
    switch (pick(8)) {
      case 0:
      case 1:
        event(t, static_cast<State>(pick(kStates)));
        return;
      case 2:
        // Without an event, regions may have changed since the last one.
        if (pick(3) > 0) event(t, thread.state());
        thread.store_to(objects_[o]);
        models_[o] = at_event_[t];
        return;
      case 3:
        event(t, thread.state());
        thread.raise_to(objects_[o]);
        raise(models_[o], clocks_[t]);
        return;
      case 4:
      case 5:
        event(t, thread.state());
        thread.merge(objects_[o]);
        raise(clocks_[t], models_[o]);
        at_event_[t] = clocks_[t];
        return;
      case 6:
        send(static_cast<size_t>(pick(kThreads)), t);
        return;
      default:
        if (pick(3) == 0) {
          change_region(t, 1 + pick(regions_ - 1));
        } else {
          other_use(o);
        }
    }
  }

  // What is wrong, or "".
  std::string differences() const {
    std::string wrong;
    for (size_t t = 0; t < kThreads; ++t) {
      for (int r = 0; r < regions_; ++r) {
        const ThreadRegion is = threads_[t]->region_at(r, now_);
        for (int i = 0; i < kUsualClocks; ++i) {
          const int64_t should = clocks_[t][static_cast<size_t>(r)].ns[i];
          if (is.clocks.ns[i] == should) continue;
          wrong += "thread " + std::to_string(t) + " region " +
                   std::to_string(r) + " clock " + std::to_string(i) + ": " +
                   std::to_string(is.clocks.ns[i]) + ", not " +
                   std::to_string(should) + "\n";
        }
      }
    }
    return wrong;
  }

 private:
  int pick(int below) {
    return static_cast<int>(random_() % static_cast<unsigned>(below));
  }

  // All threads are in their states for so long.
  void advance(int64_t ns) {
    now_ += ns;
    for (size_t t = 0; t < kThreads; ++t) {
      for (size_t r = 0; r < kRegions; ++r) {
        if (!open_[r]) continue;
        for (int i = 0; i < kUsualClocks; ++i) {
          if (counts_in(kKindOf[i], threads_[t]->state(), false)) {
            clocks_[t][r].ns[i] += ns;
          }
        }
      }
    }
  }

  void event(size_t t, State next) {
    threads_[t]->switch_to(next, now_);
    at_event_[t] = clocks_[t];
  }

  void change_region(size_t t, int region) {
    const auto r = static_cast<size_t>(region);
    if (!open_[r] && std::count(open_.begin(), open_.end(), true) >= most_open_)
      return;
    event(t, threads_[t]->state());
    if (open_[r]) {
      process_.region_stop(*threads_[t], name_of(region));
    } else {
      process_.region_start(*threads_[t], name_of(region));
    }
    open_[r] = !open_[r];
  }

  void send(size_t from, size_t to) {
    event(from, threads_[from]->state());
    event(to, threads_[to]->state());
    ClockMessage message;
    threads_[from]->store_to(message);
    threads_[to]->merge(message);
    raise(clocks_[to], clocks_[from], kGlobalCue);
    at_event_[to] = clocks_[to];
  }

  // The object is emptied, or raised by another one.
  void other_use(size_t o) {
    if (pick(2) == 0) {
      objects_[o].reset();
      models_[o] = {};
      return;
    }
    const auto other = (o + 1) % kObjects;
    objects_[o].raise(objects_[other]);
    raise(models_[o], models_[other]);
  }

  std::mt19937 random_;
  const int regions_;
  const int most_open_;
  Process process_;
  std::vector<Thread*> threads_;
  SyncClock objects_[kObjects];
  Model models_[kObjects] = {};
  Model clocks_[kThreads] = {};
  Model at_event_[kThreads] = {};  // as of the thread's last event
  std::array<bool, kRegions> open_ = {};
  int64_t now_ = 0;
};

TEST(RegionSplit, ClocksAreAsIfAllWereComparedEachTime) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Simulation simulation(seed, 3 + static_cast<int>(seed % 7),
                          2 + static_cast<int>(seed / 7 % 6));
    for (int i = 0; i < 400; ++i) {
      simulation.step();
      ASSERT_EQ("", simulation.differences())
          << "seed " << seed << ", step " << i;
    }
  }
}

// Two threads know the same of a region that rests, and one of them hears later
// than the other that it has been opened.
TEST(RegionSplit, WhatRunsWithOneThreadMayRestWithAnother) {
  Process process;
  Thread* threads[3];
  int64_t now = 0;
  for (Thread*& thread : threads) {
    thread = &process.add_thread(
        thread == threads[0] ? ThreadKind::kProgram : ThreadKind::kWorker, 0);
    thread->switch_to(thread == threads[2] ? State::kOmp : State::kUseful, 0);
  }
  auto& [first, second, third] = threads;
  for (int r = 0; r < 3; ++r) {
    first->book(++now);
    process.region_start(*first, name_of(r));
    first->book(now += 100);
    if (r > 0) process.region_stop(*first, name_of(r));
  }
  for (Thread* thread : threads) thread->book(now);
  SyncClock between;
  for (int i = 0; i < 2; ++i) {
    first->store_to(between);
    second->merge(between);
    second->store_to(between);
    first->merge(between);
  }
  process.region_start(*first, name_of(1));
  SyncClock object;
  first->store_to(object);
  second->store_to(object);
  third->merge(object);
  EXPECT_EQ(100, third->region_at(1, now).clocks.ns[kGlobalCue]);
  EXPECT_EQ(100, third->region_at(1, now).clocks.ns[kGlobalAll]);
}

}  // namespace
}  // namespace poprt
