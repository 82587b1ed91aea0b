#include "clocks/sync_clock.h"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <new>

#include "base/memory.h"
#include "clocks/path_note.h"

namespace poprt {

// A thread may read a note while another one writes it, so a note has a lock.
// A signal handler may have interrupted the holder of the lock, so a thread
// that does not get it in kTries goes on without the note.
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

constinit SyncClock::Block SyncClock::nowhere = {};

SyncClock::ConstPlace SyncClock::find_more(int slot) const {
  const Block* block = more_.load(std::memory_order_acquire);
  for (; block != nullptr && slot >= kBlock; slot -= kBlock) {
    block = block->next.load(std::memory_order_acquire);
  }
  return block == nullptr ? ConstPlace() : block->at(slot);
}

SyncClock::Place SyncClock::obtain_more(int slot) {
  std::atomic<Block*>* link = &more_;
  for (;;) {
    Block* block = link->load(std::memory_order_acquire);
    if (block == nullptr) {
      Block* const added = new (std::nothrow) Block;
      if (added == nullptr) {
        if (slot == 0) attempt_with_memory([] { run_out_of_memory(); });
        return nowhere.at(0);
      }
      if (link->compare_exchange_strong(block, added)) {
        block = added;
      } else {
        delete added;  // `block` is the block that another thread has added
      }
    }
    if (slot < kBlock) return block->at(slot);
    slot -= kBlock;
    link = &block->next;
  }
}

ClockSet SyncClock::get(int slot) const {
  const RegionList list = running();
  const ConstPlace found = find(slot, list);
  if (found.usual == nullptr) return {};
  ClockSet clocks = values_in<kClocks>(found);
  if (!has_com()) clocks.ns[kGlobalCom] = clocks.ns[kGlobalComp] = 0;
  return is_still(list) ? clocks : ClockSet();
}

void SyncClock::store(int slot, const ClockSet& clocks) {
  put<kClocks>(obtain(slot), clocks);
}

void SyncClock::publish(int size) {
  mix();
  set_size(Size(size));
}

// A thread may read while this one stores.  So the list and the number are
// removed before the clocks that they describe change.
SyncClock::Storing::Storing(SyncClock& sync, const RegionSplit& split)
    : sync_(sync),
      split_(split),
      before_(sync.running()),
      has_resting_(split.resting != RegionSplit::kUnknown &&
                   sync.resting() == split.resting) {
  if (!has_resting_ || before_ != split.running) sync.mix();
  if (before_ != split.running) {
    sync.list_.store(0, std::memory_order_relaxed);
  }
  std::atomic_thread_fence(std::memory_order_release);
}

void SyncClock::Storing::store(int slot, const ClockSet& clocks) {
  const int place = split_.running.find(slot);
  if (place >= 0) return put<kClocks>(sync_.at(place), clocks);
  // The blocks do not have a region yet that ran with the last writer.
  if (!has_resting_ || before_.find(slot) >= 0) {
    const Place its = sync_.obtain_more(slot);
    is_complete_ &= its.usual != nowhere.at(0).usual;
    put<kClocks>(its, clocks);
  }
}

void SyncClock::Storing::publish(int size) {
  sync_.list_.store(split_.running.word(), std::memory_order_release);
  sync_.resting_.store(is_complete_ ? split_.resting : RegionSplit::kUnknown,
                       std::memory_order_release);
  sync_.publish_running(size);
}

// The other thread needs only a few stores, unless it has lost its core.  Then
// sleeping gives it a core, whatever the priorities of the threads are.  If a
// signal handler has left the stores by siglongjmp(), the object would never be
// free: after half a second and more this thread takes it.
void SyncClock::wait() {
  constexpr int kSpins = 200;
  constexpr int kYields = 1000;
  constexpr int kMost = kYields + 10'000;
  for (int i = 0; raising_.load(std::memory_order_relaxed) ||
                  raising_.exchange(true, std::memory_order_acquire);
       ++i) {
    if (i < kSpins) continue;
    if (i == kMost) return;
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
  const Size size = other.size();
  const RegionSplit split{other.running(), other.resting()};
  if (size.regions() > 0 && !size.has_note() &&
      RegionSplit::is_number(split.resting) && sync_.is_split(split)) {
    const bool was_empty = is_empty();
    for (int place = 0; place < split.running.count(); ++place) {
      const ClockSet clocks = other.get_running<kClocks>(place);
      if (was_empty) {
        sync_.store_running<kClocks>(place, clocks);
      } else {
        raise_running<kClocks>(place, clocks);
      }
    }
    if (was_empty) sync_.set_size(size);
    return;
  }
  for (int slot = 0; slot < size.regions(); ++slot) {
    raise(slot, other.get(slot));
  }
  PathNote note;
  if (size.has_note()) {
    other.read_note(&note);
    publish(size.regions(), note);
  } else {
    publish(size.regions());
  }
  if (other.has_com()) publish_com(other.came_ns());
}

void SyncClock::Raising::raise(int slot, const ClockSet& clocks) {
  if (slot == 0) had_com_ = sync_.has_com() && !is_empty();
  // First, so that no reader finds later clocks beside the old number.
  sync_.mix();
  std::atomic_thread_fence(std::memory_order_release);
  const Place its = sync_.obtain(slot);
  if (slot >= sync_.own_size().regions()) {
    put<kClocks>(its, clocks);
  } else {
    lift<kClocks>(its, clocks);
    if (had_com_) return;
    for (const int i : {kGlobalCom, kGlobalComp}) {
      its.clock(i).store(clocks.ns[i], std::memory_order_relaxed);
    }
  }
}

void SyncClock::Raising::publish(int size) {
  if (had_com_) publish_com(kNever);
  const Size before = sync_.own_size();
  if (before.has_note() || before.regions() < size) {
    sync_.set_size(Size(std::max(size, before.regions())));
  }
}

void SyncClock::Raising::publish_com(int64_t came_ns) {
  sync_.publish_com(
      had_com_ ? std::max(came_ns, sync_.came_.load(std::memory_order_relaxed))
               : came_ns);
}

void SyncClock::Raising::publish(int size, const PathNote& note) {
  const Size before = sync_.own_size();
  Note* const place = sync_.obtain_note();
  if (place != nullptr) {
    const Note::Use use(*place);
    // Without has_note() the note is from an earlier use.
    if (use.held() && !before.has_note()) {
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
  sync_.mix();
  if (had_com_) publish_com(kNever);
  sync_.set_size(Size::with_note(std::max(size, before.regions())));
}

void SyncClock::publish(int size, const PathNote& note) {
  if (Note* const place = obtain_note()) {
    const Note::Use use(*place);
    if (use.held()) place->note = note;
  }
  mix();
  set_size(Size::with_note(size));
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

// Null: there is no memory.
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
