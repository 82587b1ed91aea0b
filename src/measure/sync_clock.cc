#include "measure/sync_clock.h"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <new>

#include "base/memory.h"
#include "measure/path_note.h"

namespace poprt {

// A note is read while another one may be written (a lock that is taken without
// a wait), so it has a lock of its own.  A signal handler may have interrupted
// its holder: whoever does not get it does without the note.
struct SyncClock::Note {
  class Use {
   public:
    explicit Use(Note& note) : note_(note) {
      constexpr int kSpins = 200;
      constexpr int kTries = 1000;
      for (int i = 0; i < kTries && !held_; ++i) {
        held_ = !note.used.exchange(true, std::memory_order_acquire);
        if (i > kSpins && !held_) sched_yield();
      }
    }
    ~Use() {
      if (held_) note_.used.store(false, std::memory_order_release);
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    bool held() const { return held_; }

   private:
    Note& note_;
    bool held_ = false;
  };

  std::atomic<bool> used{false};
  PathNote note;
};

SyncClock::~SyncClock() {
  for (Block* block = more_.load(); block != nullptr;) {
    Block* const next = block->next.load();
    delete block->note.load();
    delete block;
    block = next;
  }
}

const std::atomic<int64_t>* SyncClock::find_more(int slot) const {
  const Block* block = more_.load(std::memory_order_acquire);
  for (; block != nullptr && slot >= kBlock; slot -= kBlock) {
    block = block->next.load(std::memory_order_acquire);
  }
  return block == nullptr ? nullptr : block->slots[slot];
}

std::atomic<int64_t>* SyncClock::obtain_more(int slot) {
  std::atomic<Block*>* link = &more_;
  for (;;) {
    Block* block = link->load(std::memory_order_acquire);
    if (block == nullptr) {
      Block* const added = new (std::nothrow) Block;
      if (added == nullptr) {
        // The clocks of these regions are left out here: readers find no place.
        if (slot == 0) attempt_with_memory([] { run_out_of_memory(); });
        static constinit Slot nowhere = {};
        return nowhere;
      }
      if (link->compare_exchange_strong(block, added)) {
        block = added;
      } else {
        delete added;  // another thread was first; `block` is its block
      }
    }
    if (slot < kBlock) return block->slots[slot];
    slot -= kBlock;
    link = &block->next;
  }
}

// Another thread is between a few stores, unless it has lost its core: sleep,
// so that it gets one whatever the priorities are.
void SyncClock::wait() {
  constexpr int kSpins = 200;
  constexpr int kYields = 1000;
  for (int i = 0; raising_.load(std::memory_order_relaxed) ||
                  raising_.exchange(true, std::memory_order_acquire);
       ++i) {
    if (i < kSpins) continue;
    if (i < kYields) {
      sched_yield();
    } else {
      const timespec moment = {0, 20'000};
      nanosleep(&moment, nullptr);
    }
  }
}

void SyncClock::raise(const SyncClock& other) { Raising(*this).raise(other); }

void SyncClock::Raising::raise(const SyncClock& other) {
  const int size = other.size();
  if (!has_note(size)) [[likely]] {
    for (int slot = 0; slot < size; ++slot) raise(slot, other.get(slot));
    return publish(size);
  }
  PathNote note;
  other.read_note(&note);
  for (int slot = 0; slot < regions_in(size); ++slot) {
    raise_beside(slot, other.get(slot));
  }
  publish(regions_in(size), note);
}

void SyncClock::Raising::raise_beside(int slot, const ClockSet& clocks) {
  if (slot >= regions_in(sync_.size_.load(std::memory_order_relaxed))) {
    return sync_.store(slot, clocks);
  }
  std::atomic<int64_t>* const values = sync_.obtain(slot);
  for_each_clock([&](int i, int) {
    if (clocks.ns[i] > values[i].load(std::memory_order_relaxed)) {
      values[i].store(clocks.ns[i], std::memory_order_relaxed);
    }
  });
}

void SyncClock::Raising::publish(int size, const PathNote& note) {
  const int before = sync_.size_.load(std::memory_order_relaxed);
  Note* const place = sync_.obtain_note();
  if (place != nullptr) {
    const Note::Use use(*place);
    // What is there may be from an earlier use.
    if (use.held() && !has_note(before)) {
      place->note = note;
    } else if (use.held()) {
      PathNote& mine = place->note;
      for (int i = 0; i < PathNote::kMostWithout; ++i) {
        mine.without_ns[i] = std::max(mine.without_ns[i], note.without_ns[i]);
      }
      if (note.all_ns > mine.all_ns) {
        mine.all_ns = note.all_ns;
        mine.count = note.count;
        std::copy_n(note.parts, note.count, mine.parts);
      }
    }
  }
  sync_.publish(-1 - std::max(size, regions_in(before)));
}

void SyncClock::publish(int size, const PathNote& note) {
  if (Note* const place = obtain_note()) {
    const Note::Use use(*place);
    if (use.held()) place->note = note;
  }
  publish(-1 - size);
}

bool SyncClock::read_note(PathNote* note) const {
  const Block* const block = more_.load(std::memory_order_acquire);
  Note* const place =
      block == nullptr ? nullptr : block->note.load(std::memory_order_acquire);
  if (place == nullptr) return false;
  const Note::Use use(*place);
  if (use.held()) *note = place->note;
  return use.held();
}

// Null: there is no memory for it.
SyncClock::Note* SyncClock::obtain_note() {
  obtain_more(0);
  Block* const block = more_.load(std::memory_order_acquire);
  if (block == nullptr) return nullptr;
  Note* known = block->note.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  Note* const made = new (std::nothrow) Note;
  if (made == nullptr || block->note.compare_exchange_strong(known, made)) {
    return made;
  }
  delete made;
  return known;
}

}  // namespace poprt
