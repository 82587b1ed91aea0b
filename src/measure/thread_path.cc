#include "measure/thread_path.h"

#include <algorithm>

#include "base/bounded.h"

namespace poprt {

void ThreadPath::pass(int64_t ns, const int64_t* weightless_ns,
                      bool is_openmp) {
  note_.all_ns += ns;
  for (int i = 0, without = without_; i < without; ++i) {
    note_.without_ns[i] += ns - weightless_ns[i];
    weight_ns_[i] += ns - weightless_ns[i];
  }
  if (!is_openmp) begin_wait();
}

void ThreadPath::restart() {
  const uint64_t construct = construct_;
  *this = ThreadPath(has_parts_, without_);
  construct_ = construct;
}

void ThreadPath::add_openmp(int64_t rank, int64_t ns) {
  if (!has_parts_ || ns == 0) return;
  const uint64_t construct = construct_;
  const int count = waited_count_;
  Waited* waited =
      std::find_if(waited_, waited_ + count,
                   [&](const Waited& each) { return each.what == construct; });
  if (waited == waited_ + kMostWaited) --waited;
  if (waited == waited_ + count) {
    waited->what = count + 1 == kMostWaited ? kPathOpenMp : construct;
    waited->ns = 0;
    waited_count_ = count + 1;
  }
  waited->ns += ns;
  note_.add(waited->what, rank, ns);
}

void ThreadPath::given() {
  const Sequence::Change change(sequence_);
  begin_wait();
}

void ThreadPath::begin_wait() {
  wait_ns_ = note_.all_ns;
  waited_count_ = 0;
  std::copy_n(note_.without_ns, int{without_}, wait_without_ns_);
}

PathNote ThreadPath::before_wait(int64_t rank) const {
  PathNote note = note_;
  int64_t rest_ns = note_.all_ns - wait_ns_;
  for (int i = 0; i < waited_count_; ++i) {
    note.add(waited_[i].what, rank, -waited_[i].ns);
    rest_ns -= waited_[i].ns;
  }
  // The path grew without a part when clocks came without a note.
  if (has_parts_) note.add(kPathOthers, PathPart::kAnyRank, -rest_ns);
  note.all_ns = wait_ns_;
  std::copy_n(wait_without_ns_, PathNote::kMostWithout, note.without_ns);
  return note;
}

void ThreadPath::take_over(const PathNote& partner, int64_t all_ns,
                           uint64_t what, int64_t rank) {
  if (!has_parts_) return;
  if (partner.count == 0) {
    note_.add(what, rank, all_ns - note_.all_ns);
    return;
  }
  note_.take_over(partner, all_ns, what, rank);
  changes_ += 1;
}

void ThreadPath::merge(const PathNote& partner, int64_t rank) {
  const Sequence::Change change(sequence_);
  const int64_t all_ns = std::max<int64_t>(note_.all_ns, partner.all_ns);
  if (partner.all_ns > wait_ns_) {
    take_over(partner, all_ns, construct_, rank);
    wait_ns_ = partner.all_ns;
    waited_[0].what = construct_;
    waited_[0].ns = all_ns - partner.all_ns;
    waited_count_ = has_parts_ ? 1 : 0;
  }
  for (int i = 0, without = without_; i < without; ++i) {
    const int64_t at_entry =
        std::max<int64_t>(wait_without_ns_[i], partner.without_ns[i]);
    wait_without_ns_[i] = at_entry;
    note_.without_ns[i] = at_entry + all_ns - wait_ns_;
  }
  note_.all_ns = all_ns;
}

void ThreadPath::merge_call(const PathNote& partner, int64_t time_ns,
                            int64_t rank) {
  const Sequence::Change change(sequence_);
  const int64_t entered_ns = note_.all_ns - time_ns;
  const int64_t all_ns = std::max<int64_t>(note_.all_ns, partner.all_ns);
  const int64_t transfer_ns =
      all_ns - std::max<int64_t>(entered_ns, partner.all_ns);
  for (int i = 0, without = without_; i < without; ++i) {
    const int64_t at_entry = note_.without_ns[i] - time_ns;
    note_.without_ns[i] =
        std::max<int64_t>(at_entry, partner.without_ns[i]) + transfer_ns;
  }
  if (partner.all_ns > entered_ns || polls_waited_) {
    take_over(partner, all_ns, kPathMpi, rank);
  }
  polls_waited_ = false;
  note_.all_ns = all_ns;
  begin_wait();
}

void ThreadPath::add_to_without(int64_t ns) {
  const Sequence::Change change(sequence_);
  for (int i = 0; i < without_; ++i) note_.without_ns[i] += ns;
}

void ThreadPath::polled(int64_t ns, int64_t useful_ns) {
  if (polls_useful_ns_ < 0) polls_useful_ns_ = useful_ns;
  add_to_without(-ns);
}

// If the thread has waited longer than it has worked meanwhile, the next
// merge_call() takes over the partner's path.
void ThreadPath::settle_polls(int64_t waited_ns, int64_t rest_ns,
                              int64_t useful_ns) {
  add_to_without(rest_ns);
  polls_waited_ =
      polls_useful_ns_ >= 0 && waited_ns > useful_ns - polls_useful_ns_;
  polls_useful_ns_ = -1;
}

std::shared_ptr<const PathMoment> ThreadPath::moment() const {
  const auto moment = std::make_shared<PathMoment>();
  moment->note = note_;
  std::copy_n(weight_ns_, int{without_}, moment->weight_ns);
  moment->changes = changes_;
  return moment;
}

void ThreadPath::merge_late(const PathNote& partner, const PathMoment& then,
                            int64_t time_ns, int64_t rank) {
  const Sequence::Change change(sequence_);
  const int64_t entered_ns = then.note.all_ns - time_ns;
  const int64_t then_ns = std::max<int64_t>(then.note.all_ns, partner.all_ns);
  const int64_t transfer_ns =
      then_ns - std::max<int64_t>(entered_ns, partner.all_ns);
  const int64_t waited_ns =
      bounded<int64_t>(partner.all_ns - entered_ns, 0, time_ns);
  for (int i = 0; i < without_; ++i) {
    const int64_t since_ns = weight_ns_[i] - then.weight_ns[i];
    note_.without_ns[i] =
        std::max(note_.without_ns[i] - waited_ns,
                 partner.without_ns[i] + transfer_ns + since_ns);
  }
  const bool is_same = changes_ == then.changes;
  if (partner.all_ns > entered_ns && is_same && has_parts_ &&
      partner.count > 0) {
    // The partner's path, and behind it what the thread has added since `then`.
    const PathNote mine = note_;
    take_over(partner, then_ns, kPathMpi, rank);
    for (int i = 0; i < mine.count; ++i) {
      const PathPart& part = mine.parts[i];
      const PathPart* const before = then.note.find(part.what, part.rank);
      note_.add(part.what, part.rank,
                part.ns - (before == nullptr ? 0 : int64_t{before->ns}));
    }
    note_.all_ns += then_ns - then.note.all_ns;
    note_.add(kPathOthers, PathPart::kAnyRank, note_.all_ns - note_.sum_ns());
  }
  begin_wait();
}

}  // namespace poprt
