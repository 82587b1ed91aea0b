#include "measure/thread_path.h"

#include <algorithm>

namespace poprt {

void ThreadPath::pass(int64_t ns, const int64_t* weightless_ns,
                      bool is_openmp) {
  note_.all_ns += ns;
  for (int i = 0; i < PathNote::kMostWithout; ++i) {
    note_.without_ns[i] += ns - weightless_ns[i];
    weight_ns_[i] += ns - weightless_ns[i];
  }
  if (!is_openmp) given();
}

void ThreadPath::restart() {
  const uint64_t construct = construct_;
  *this = ThreadPath(has_parts_);
  construct_ = construct;
}

void ThreadPath::add_openmp(int64_t rank, int64_t ns) {
  if (!has_parts_ || ns == 0) return;
  Waited* waited =
      std::find_if(waited_, waited_ + waited_count_,
                   [&](const Waited& each) { return each.what == construct_; });
  if (waited == waited_ + kMostWaited) --waited;
  if (waited == waited_ + waited_count_) {
    const bool is_last = ++waited_count_ == kMostWaited;
    *waited = {is_last ? kPathOpenMp : construct_, 0};
  }
  waited->ns += ns;
  note_.add(waited->what, rank, ns);
}

void ThreadPath::given() {
  wait_ns_ = note_.all_ns;
  waited_count_ = 0;
  std::copy_n(note_.without_ns, PathNote::kMostWithout, wait_without_ns_);
}

PathNote ThreadPath::before_wait(int64_t rank) const {
  PathNote note = note_;
  int64_t rest_ns = note_.all_ns - wait_ns_;
  for (int i = 0; i < waited_count_; ++i) {
    note.add(waited_[i].what, rank, -waited_[i].ns);
    rest_ns -= waited_[i].ns;
  }
  // What came in other ways.
  if (has_parts_) note.add(kPathOthers, PathPart::kAnyRank, -rest_ns);
  note.all_ns = wait_ns_;
  std::copy_n(wait_without_ns_, PathNote::kMostWithout, note.without_ns);
  return note;
}

void ThreadPath::take_over(const PathNote& partner, int64_t all_ns,
                           uint64_t what, int64_t rank) {
  if (!has_parts_) return;
  if (partner.count == 0) {
    // Its parts have not come.
    note_.add(what, rank, all_ns - note_.all_ns);
    return;
  }
  note_.take_over(partner, all_ns, what, rank);
  ++changes_;
}

void ThreadPath::merge(const PathNote& partner, int64_t rank) {
  const int64_t all_ns = std::max(note_.all_ns, partner.all_ns);
  if (partner.all_ns > wait_ns_) {
    take_over(partner, all_ns, construct_, rank);
    wait_ns_ = partner.all_ns;
    waited_[0] = {construct_, all_ns - partner.all_ns};
    waited_count_ = has_parts_ ? 1 : 0;
  }
  for (int i = 0; i < PathNote::kMostWithout; ++i) {
    int64_t& at_entry = wait_without_ns_[i];
    at_entry = std::max(at_entry, partner.without_ns[i]);
    note_.without_ns[i] = at_entry + all_ns - wait_ns_;
  }
  note_.all_ns = all_ns;
}

void ThreadPath::merge_call(const PathNote& partner, int64_t time_ns,
                            int64_t rank) {
  const int64_t entered_ns = note_.all_ns - time_ns;
  const int64_t all_ns = std::max(note_.all_ns, partner.all_ns);
  const int64_t transfer_ns = all_ns - std::max(entered_ns, partner.all_ns);
  for (int i = 0; i < PathNote::kMostWithout; ++i) {
    const int64_t at_entry = note_.without_ns[i] - time_ns;
    note_.without_ns[i] =
        std::max(at_entry, partner.without_ns[i]) + transfer_ns;
  }
  if (partner.all_ns > entered_ns || polls_waited_) {
    take_over(partner, all_ns, kPathMpi, rank);
  }
  polls_waited_ = false;
  note_.all_ns = all_ns;
  given();
}

void ThreadPath::add_to_without(int64_t ns) {
  for (int64_t& without : note_.without_ns) without += ns;
}

void ThreadPath::polled(int64_t ns, int64_t useful_ns) {
  if (polls_useful_ns_ < 0) polls_useful_ns_ = useful_ns;
  add_to_without(-ns);
}

// The path is the partner's if the thread has rather waited than worked.
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
  std::copy_n(weight_ns_, PathNote::kMostWithout, moment->weight_ns);
  moment->changes = changes_;
  return moment;
}

void ThreadPath::merge_late(const PathNote& partner, const PathMoment& then,
                            int64_t time_ns, int64_t rank) {
  const int64_t entered_ns = then.note.all_ns - time_ns;
  const int64_t then_ns = std::max(then.note.all_ns, partner.all_ns);
  const int64_t transfer_ns = then_ns - std::max(entered_ns, partner.all_ns);
  const int64_t waited_ns =
      std::clamp<int64_t>(partner.all_ns - entered_ns, 0, time_ns);
  for (int i = 0; i < PathNote::kMostWithout; ++i) {
    const int64_t since_ns = weight_ns_[i] - then.weight_ns[i];
    note_.without_ns[i] =
        std::max(note_.without_ns[i] - waited_ns,
                 partner.without_ns[i] + transfer_ns + since_ns);
  }
  const bool is_same = changes_ == then.changes;
  if (partner.all_ns > entered_ns && is_same && has_parts_ &&
      partner.count > 0) {
    // The partner's path, and what the thread has added to its own since then.
    const PathNote mine = note_;
    take_over(partner, then_ns, kPathMpi, rank);
    for (int i = 0; i < mine.count; ++i) {
      const PathPart& part = mine.parts[i];
      const PathPart* const before = then.note.find(part.what, part.rank);
      note_.add(part.what, part.rank,
                part.ns - (before == nullptr ? 0 : before->ns));
    }
    note_.all_ns += then_ns - then.note.all_ns;
    note_.add(kPathOthers, PathPart::kAnyRank, note_.all_ns - note_.sum_ns());
  }
  given();
}

}  // namespace poprt
