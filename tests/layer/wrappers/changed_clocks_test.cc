// Clocks of many regions from one process to another, of which records have
// only what has changed: random events, compared with threads that get all
// clocks with each message.
#include "clocks/changed_clocks.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "clock_samples.h"
#include "measure/process.h"
#include "measure/sent_clocks.h"
#include "wrappers/node/node_channel.h"

namespace poprt::mpi {
namespace {

constexpr int kThreads = 2;

std::string name_of(int region) { return "r" + std::to_string(region); }

// A process with two threads and some of its regions; the others come later.
struct Side {
  explicit Side(int regions, int first) {
    for (int t = 0; t < kThreads; ++t) {
      threads.push_back(&process.add_thread(
          t == 0 ? ThreadKind::kProgram : ThreadKind::kWorker, 0));
      threads.back()->switch_to(State::kUseful, 0);
    }
    process.region_start(*threads[0], "Global");
    for (int i = 0; i < regions / 2; ++i) {
      const std::string name = name_of((first + i) % regions);
      process.region_start(*threads[0], name);
      process.region_stop(*threads[0], name);
    }
  }

  Process process;
  std::vector<Thread*> threads;
};

struct UnderWay {
  StreamKey key;
  ClockMessage all;
};
struct Later {
  size_t thread;
  ClockMessage sent;
  ClockMessage all;
};

class Simulation {
 public:
  Simulation(unsigned seed, int regions, size_t ring_bytes)
      : random_(seed),
        regions_(regions),
        file_(new_shared_file(kMostRingBytes + kAreaBytes)),
        blocks_(BlockArea(file_, kMostRingBytes, kAreaBytes)),
        sender_(regions, 0),
        // A process may meet regions in another order.
        receiver_(regions, static_cast<int>(seed) % 2),
        expected_(regions, static_cast<int>(seed) % 2) {
    ClockRing* const ring = test::map_ring(file_, kMostRingBytes);
    to_ = OutgoingChannel(ring, ring_bytes, &blocks_);
    from_ = IncomingChannel(ring, ring_bytes,
                            BlockArea(file_, kMostRingBytes, kAreaBytes));
  }
  ~Simulation() { close(file_); }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  void step() {
    now_ += pick(3) == 0 ? 0 : pick(30);
    switch (pick(12)) {
      case 0:
        return change_region(&sender_, nullptr);
      case 1:
        return change_region(&receiver_, &expected_);
      case 2:
        return hear();
      case 3:
      case 4:
      case 5:
      case 6:
        return send();
      case 7:
        return merge_later();
      default:
        return receive();
    }
  }

  std::string differences() {
    std::string wrong;
    for (size_t t = 0; t < kThreads; ++t) {
      ClockMessage is;
      ClockMessage should;
      book(&receiver_, t);
      book(&expected_, t);
      receiver_.threads[t]->store_to(is);
      expected_.threads[t]->store_to(should);
      test::sort_regions(is);
      test::sort_regions(should);
      if (is.count != should.count) wrong += "other regions\n";
      for (int i = 0; i < std::min(is.count, should.count); ++i) {
        if (is.entries[i] == should.entries[i]) continue;
        const auto text = [](const ClockEntry& entry) {
          return std::to_string(entry.cue_ns) + " " +
                 std::to_string(entry.com_ns) + " " +
                 std::to_string(entry.coo_ns) + " " +
                 std::to_string(entry.all_ns);
        };
        wrong += "thread " + std::to_string(t) + " region " +
                 std::to_string(i) + ": " + text(is.entries[i]) + ", not " +
                 text(should.entries[i]) + "\n";
      }
    }
    return wrong;
  }
  int changed() const { return changed_; }

 private:
  static constexpr size_t kAreaBytes = 64 * Block::kLongBytes;

  int pick(int below) {
    return static_cast<int>(random_() % static_cast<unsigned>(below));
  }
  void book(Side* side, size_t thread) { side->threads[thread]->book(now_); }

  // On both sides alike.
  void change_region(Side* side, Side* other) {
    const auto thread = static_cast<size_t>(pick(kThreads));
    const int region = pick(regions_);
    const bool start = pick(2) == 0;
    const bool isolated = pick(4) == 0;
    for (Side* each : {side, other}) {
      if (each == nullptr) continue;
      book(each, thread);
      if (start) {
        each->process.region_start(*each->threads[thread], name_of(region));
      } else {
        each->process.region_stop(*each->threads[thread], name_of(region));
      }
      if (isolated) book(each, 1 - thread);
    }
  }

  // A thread of the sender hears of another process, also in regions that are
  // closed.
  void hear() {
    Thread& thread = *sender_.threads[static_cast<size_t>(pick(kThreads))];
    thread.book(now_);
    ClockMessage message;
    thread.store_to(message);
    if (message.count == 0) return;
    ClockEntry& entry = message.entries[pick(message.count)];
    const int64_t more = pick(50);
    if (pick(3) > 0) entry.all_ns += more;
    if (pick(2) == 0) entry.com_ns += more;
    if (pick(2) == 0) entry.coo_ns += more;
    if (pick(2) == 0) entry.cue_ns += more;
    message.count = 1;
    message.entries[0] = entry;
    thread.merge(message);
  }

  void send() {
    Thread& thread =
        *sender_.threads[static_cast<size_t>(pick(8) == 0 ? 1 : 0)];
    thread.book(now_);
    UnderWay message;
    message.key = {1, pick(4) == 0 ? 2 : 1};
    const SentClocks all = thread.sent_now();
    thread.store_to(message.all);
    message.all.reply_tag = 0;
    if (pick(20) == 0) {
      // As clocks that were stored earlier.
      ASSERT_EQ(Sent::kOnNode, to_.put(message.key, message.all));
    } else if (to_.put_packed(message.key, thread, 0)) {
      ++changed_;
    } else {
      ASSERT_EQ(Sent::kOnNode, to_.put(message.key, message.all, &all));
    }
    under_way_.push_back(message);
  }

  // Messages of one stream come in order.
  void receive() {
    if (under_way_.empty()) return;
    auto place = under_way_.begin();
    if (pick(3) == 0) {
      const StreamKey key{1, 1 + pick(2)};
      place = std::find_if(place, under_way_.end(),
                           [&](const UnderWay& m) { return m.key == key; });
      if (place == under_way_.end()) return;
    }
    const auto t = static_cast<size_t>(pick(6) == 0 ? 1 : 0);
    book(&receiver_, t);
    book(&expected_, t);
    ClockMessage message;
    const bool later = pick(8) == 0;
    if (later ||
        !from_.take_packed(place->key, &message, *receiver_.threads[t])) {
      ASSERT_EQ(Taken::kYes, from_.take(place->key, &message));
    }
    if (later) {
      later_.push_back({t, message, place->all});
    } else if (!later && pick(20) == 0) {
      // The program has left the call.
      ++receiver_.threads[t]->forgotten_arrivals;
    } else {
      receiver_.threads[t]->merge(message);
      expected_.threads[t]->merge(place->all);
    }
    under_way_.erase(place);
  }

  void merge_later() {
    if (later_.empty()) return;
    const Later& late = later_.front();
    book(&receiver_, late.thread);
    book(&expected_, late.thread);
    receiver_.threads[late.thread]->merge(late.sent);
    expected_.threads[late.thread]->merge(late.all);
    later_.pop_front();
  }

  std::mt19937 random_;
  const int regions_;
  const int file_;
  OwnBlocks blocks_;
  Side sender_;
  Side receiver_;
  Side expected_;
  OutgoingChannel to_;
  IncomingChannel from_;
  std::deque<UnderWay> under_way_;
  std::deque<Later> later_;
  int64_t now_ = 0;
  int changed_ = 0;
};

TEST(ChangedClocks, AreAsGoodAsAll) {
  int changed = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    Simulation simulation(seed, 1 + static_cast<int>(seed % 9),
                          seed % 3 == 0 ? 1024 : kMostRingBytes);
    for (int i = 0; i < 600; ++i) {
      simulation.step();
      ASSERT_EQ("", simulation.differences())
          << "seed " << seed << ", step " << i;
    }
    changed += simulation.changed();
  }
  EXPECT_GT(changed, 10000);
}

}  // namespace
}  // namespace poprt::mpi
