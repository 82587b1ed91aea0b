// Boards of processes with many regions, of which rounds have what has changed:
// random events, compared with threads that get all clocks of all others.
#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "measure/process.h"
#include "wrapped_program.h"
#include "wrappers/edges/board_clocks.h"
#include "wrappers/edges/exchange_tools.h"
#include "wrappers/node/node_board.h"
#include "wrappers/state.h"

namespace {

using poprt::ClockEntry;
using poprt::ClockMessage;
using poprt::Process;
using poprt::State;
using poprt::Thread;
using poprt::ThreadKind;
using poprt::mpi::Board;
using poprt::mpi::BoardsOfComm;
using poprt::mpi::CommInfo;
using poprt::mpi::MpiThread;

constexpr int kRanks = 3;
constexpr int kThreads = 2;

std::string name_of(int region) { return "r" + std::to_string(region); }

// A process twice: one whose threads read boards, and one whose threads get all
// clocks.
class Rank {
 public:
  Rank(int rank, int regions) {
    for (Process* process : {&measured_, &expected_}) {
      for (int t = 0; t < kThreads; ++t) {
        Thread& thread = process->add_thread(
            t == 0 ? ThreadKind::kProgram : ThreadKind::kWorker, 0);
        thread.switch_to(State::kUseful, 0);
        threads_[process == &expected_][t] = &thread;
      }
      process->region_start(thread(0, process == &expected_), "Global");
      // The others come later.
      for (int r = 0; r < regions / 2; ++r) {
        const std::string name = name_of((r + rank) % regions);
        process->region_start(thread(0, process == &expected_), name);
        process->region_stop(thread(0, process == &expected_), name);
      }
    }
    for (int t = 0; t < kThreads; ++t) {
      mpi_[t] = std::make_unique<MpiThread>(thread(t, false));
    }
    comm_.rank = rank;
    comm_.size = kRanks;
    comm_.node.boards = std::make_unique<BoardsOfComm>();
    comm_.node.boards->capacity = poprt::mpi::regions_at_boards(kRanks);
  }

  Thread& thread(int number, bool expected) {
    return *threads_[expected][number];
  }
  void book(int64_t now) {
    for (auto& both : threads_) {
      for (Thread* thread : both) thread->book(now);
    }
  }
  void change(int number, int region, bool start, int64_t now) {
    for (Process* process : {&measured_, &expected_}) {
      Thread& its = thread(number, process == &expected_);
      its.book(now);
      if (start) {
        process->region_start(its, name_of(region));
      } else {
        process->region_stop(its, name_of(region));
      }
    }
  }
  // By another process's message, with these clocks.
  void hear(int number, const ClockMessage& message, int64_t now) {
    for (const bool expected : {false, true}) {
      thread(number, expected).book(now);
      thread(number, expected).merge(message);
    }
  }
  ClockMessage all(int number) {
    ClockMessage message;
    thread(number, true).store_to(message);
    return message;
  }

  void write(int number) { write_board(*mpi_[number], comm_); }
  void read(int number) {
    MpiThread& its = *mpi_[number];
    read_boards(its, comm_);
    its.thread.merge(its.edges.arrived);
    its.edges.arrived.count = 0;
  }
  int64_t lost() { return measured_.lost_clocks.get(); }
  BoardsOfComm& boards() { return *comm_.node.boards; }

  bool differs(int64_t now) {
    book(now);
    bool result = false;
    for (int t = 0; t < kThreads; ++t) {
      ClockMessage is;
      thread(t, false).store_to(is);
      ClockMessage should = all(t);
      // Both may have them in another order.
      for (ClockMessage* clocks : {&is, &should}) {
        std::ranges::sort(clocks->entries, clocks->entries + clocks->count, {},
                          &ClockEntry::region);
      }
      result |= is.count != should.count ||
                !std::equal(is.entries, is.entries + is.count, should.entries);
    }
    return result;
  }

 private:
  Process measured_;
  Process expected_;
  Thread* threads_[2][kThreads];
  std::unique_ptr<MpiThread> mpi_[kThreads];
  CommInfo comm_{};
};

std::vector<std::unique_ptr<Rank>> ranks_at(Board* memory, int regions) {
  std::vector<std::unique_ptr<Rank>> ranks;
  for (int r = 0; r < kRanks; ++r) {
    ranks.push_back(std::make_unique<Rank>(r, regions));
    ranks.back()->boards().own = &memory[r];
    for (int other = 0; other < kRanks; ++other) {
      if (other != r) ranks.back()->boards().others.push_back({&memory[other]});
    }
  }
  return ranks;
}

class WrappedBoards : public WrappedProgram {};

TEST_F(WrappedBoards, WhatHasChangedIsAsGoodAsAll) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](int below) {
      return static_cast<int>(random() % static_cast<unsigned>(below));
    };
    const int regions = 1 + static_cast<int>(seed % 9);
    const auto memory = std::make_unique<Board[]>(kRanks);
    const auto ranks = ranks_at(memory.get(), regions);
    int64_t now = 0;
    for (int step = 0; step < 300; ++step) {
      now += pick(30);
      Rank& one = *ranks[static_cast<size_t>(pick(kRanks))];
      const int what = pick(6);
      if (what == 0) {
        one.change(pick(kThreads), pick(regions), pick(2) == 0, now);
      } else if (what == 1) {
        ClockMessage message = one.all(pick(kThreads));
        if (message.count == 0) continue;
        ClockEntry& entry = message.entries[pick(message.count)];
        entry.all_ns += pick(50);
        entry.com_ns = std::min(entry.com_ns + pick(50), entry.all_ns);
        one.hear(pick(kThreads), message, now);
      } else if (what > 2) {
        int threads[kRanks];
        ClockMessage all[kRanks];
        // Now and then MPI refuses the call everywhere, and it is made again.
        for (int tries = pick(8) == 0 ? 2 : 1; tries > 0; --tries) {
          for (int r = 0; r < kRanks; ++r) {
            Rank& rank = *ranks[static_cast<size_t>(r)];
            threads[r] = pick(8) == 0 ? 1 : 0;
            if (pick(3) == 0) {
              rank.change(0, pick(regions), pick(4) == 0, now);
            }
            rank.book(now);
            all[r] = rank.all(threads[r]);
            rank.write(threads[r]);
          }
        }
        for (int r = 0; r < kRanks; ++r) {
          Rank& rank = *ranks[static_cast<size_t>(r)];
          rank.read(threads[r]);
          for (int other = 0; other < kRanks; ++other) {
            if (other != r) rank.thread(threads[r], true).merge(all[other]);
          }
        }
      }
      for (int r = 0; r < kRanks; ++r) {
        ASSERT_FALSE(ranks[static_cast<size_t>(r)]->differs(now))
            << "seed " << seed << ", step " << step << ", rank " << r;
        ASSERT_EQ(0, ranks[static_cast<size_t>(r)]->lost());
      }
    }
  }
}

// Each rank is a thread, and nothing but the boards orders what they do: a rank
// reads a round as soon as it sees the number of it, and writes the next one.
TEST_F(WrappedBoards, ThreadsThatAreOrderedByThemAlone) {
  constexpr uint32_t kRounds = 3000;
  for (const int regions : {1, 7}) {
    const auto memory = std::make_unique<Board[]>(kRanks);
    const auto ranks = ranks_at(memory.get(), regions);
    // What each has written, in the last two rounds.
    ClockMessage written[kRanks][2];
    std::atomic<bool> has_failed{false};
    const auto live = [&](int r) {
      Rank& rank = *ranks[static_cast<size_t>(r)];
      for (uint32_t round = 1; round <= kRounds && !has_failed; ++round) {
        const int64_t now = int64_t{round} * 10 + r;
        if (round % 5 == 0) {
          rank.change(0, static_cast<int>(round + 1) % regions, round % 2 == 0,
                      now);
        }
        rank.book(now);
        written[r][round % 2] = rank.all(0);
        rank.write(0);
        for (const Board* board = memory.get(); board != memory.get() + kRanks;
             ++board) {
          while (board->rounds[round % 2].number.load(
                     std::memory_order_relaxed) != round &&
                 !has_failed) {
            std::this_thread::yield();
          }
        }
        rank.read(0);
        for (int other = 0; other < kRanks; ++other) {
          if (other != r) rank.thread(0, true).merge(written[other][round % 2]);
        }
        if (rank.differs(now) || rank.lost() != 0) has_failed = true;
      }
    };
    std::vector<std::thread> threads;
    for (int r = 0; r < kRanks; ++r) threads.emplace_back(live, r);
    for (std::thread& thread : threads) thread.join();
    EXPECT_FALSE(has_failed) << regions << " regions";
  }
}

}  // namespace
