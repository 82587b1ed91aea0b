#include "model/plausible.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "model/device_members.h"
#include "model/members.h"
#include "model/metric_table.h"
#include "model/noted.h"
#include "model/quantities.h"

namespace poprt {
namespace {

// Of each kind, so that a job in which everything is wrong has notes of one
// page.
constexpr size_t kMostNotes = 10;
constexpr size_t kMostValues = 5;  // in one note
// What a sum may be.  In ns of core time it is 140 years.  Some numbers of a
// file are sums and differences of several, so it is a little less than a file
// may contain.
constexpr int64_t kMost = kLargestInteger - kLargestInteger / 32;
constexpr double kLargest = static_cast<double>(kMost);
// A thread may count a region until it sees that another one has closed it
// (docs/edges.md).
constexpr int64_t kClosingNs = 1'000'000;

// It sees that later if it has no core then.  In ns, as far as it is known how
// long threads had none.
double closing_ns(const JobReport& report) {
  return static_cast<double>(
      kClosingNs + amount(report.totals.resources, kWaitedForCore.name));
}

// A note with everything that is wrong with one thing.
class Complaint {
 public:
  explicit Complaint(std::string subject) : subject_(std::move(subject)) {}

  void add(const std::string& what) {
    ++count_;
    if (count_ <= kMostValues) text_ += (count_ > 1 ? ", " : "") + what;
  }
  bool is_empty() const { return count_ == 0; }
  // Of a value that a large job may have.
  void add_too_large(const std::string& what) {
    ++too_large_;
    add(what);
  }
  // `words`: of the subject and of what is wrong.
  void add_to(std::vector<std::string>* notes, std::string_view words) {
    if (count_ == 0) return;
    if (too_large_ == count_) words = kNoteWords<"uncountable">;
    if (count_ > kMostValues) {
      text_ += " and " + std::to_string(count_ - kMostValues) + " more";
    }
    const std::string note =
        filled(words, {NoteValue(subject_), NoteValue(text_)});
    // A run file has the notes of its run already.
    if (std::find(notes->begin(), notes->end(), note) == notes->end()) {
      notes->push_back(note);
    }
  }

 private:
  const std::string subject_;
  std::string text_;
  size_t count_ = 0;
  size_t too_large_ = 0;
};

void bring_to(int64_t possible, const std::string& name, int64_t* value,
              Complaint* complaint) {
  if (*value == possible) return;
  const std::string what = name + " = " + std::to_string(*value) +
                           " (taken as " + std::to_string(possible) + ")";
  if (*value > kMost) {
    complaint->add_too_large(what);
  } else {
    complaint->add(what);
  }
  *value = possible;
}

void bring_between(int64_t least, int64_t most, const std::string& name,
                   int64_t* value, Complaint* complaint) {
  bring_to(std::clamp(*value, least, most), name, value, complaint);
}

template <class Totals, size_t kCount>
void check_members(const Member<Totals> (&members)[kCount], int64_t least,
                   Totals* totals, Complaint* complaint) {
  for (const Member<Totals>& member : members) {
    bring_between(least, kMost, member.name, &(totals->*member.value),
                  complaint);
  }
}

double sum_of(const std::vector<int64_t*>& values) {
  double sum = 0;
  for (const int64_t* value : values) sum += static_cast<double>(*value);
  return sum;
}

// Scales values down, in proportion, if their sum is out of range.
void limit_sum(const std::vector<int64_t*>& values, const std::string& name,
               Complaint* complaint) {
  const double sum = sum_of(values);
  if (sum < kLargest) return;
  complaint->add_too_large(name + " out of range");
  for (int64_t* value : values) {
    *value = static_cast<int64_t>(static_cast<double>(*value) / sum *
                                  (kLargest / 2));
  }
}

// Leaves out rows that are not in order or of none of `ranks`.
template <class Row, class Before>
void keep_known_rows(const std::set<int64_t>& ranks, Before before,
                     std::vector<Row>* rows, Complaint* complaint) {
  Row last;
  last.rank = -1;
  const size_t lost = std::erase_if(*rows, [&](const Row& row) {
    if (!before(last, row) || ranks.count(row.rank) == 0) return true;
    last = row;
    return false;
  });
  if (lost > 0) {
    complaint->add(std::to_string(lost) + " rows of unknown processes");
  }
}

// `of`: "processes".  The sums of columns are in range, too.
template <class Row, size_t kCount>
void check_columns(const Member<Row> (&members)[kCount], const std::string& of,
                   std::vector<Row>* rows, Complaint* complaint,
                   int64_t least = 0) {
  for (Row& row : *rows) check_members(members, least, &row, complaint);
  for (const Member<Row>& member : members) {
    if (member.value == &Row::rank) continue;
    std::vector<int64_t*> column;
    for (Row& row : *rows) column.push_back(&(row.*member.value));
    limit_sum(column, std::string("sum of ") + member.name + " of " + of,
              complaint);
  }
}

void check_rows(const std::set<int64_t>& ranks, RegionTotals* region,
                Complaint* complaint) {
  keep_known_rows(
      ranks,
      [](const ProcessRow& a, const ProcessRow& b) { return a.rank < b.rank; },
      &region->rows, complaint);
  std::map<std::string, std::vector<int64_t*>> amounts;
  for (ProcessRow& row : region->rows) {
    for (Amount& amount : row.amounts) {
      bring_between(0, kMost, row_name(amount.name), &amount.value, complaint);
      amounts[row_name(amount.name)].push_back(&amount.value);
    }
  }
  for (const auto& [name, column] : amounts) {
    limit_sum(column, "sum of " + name + " of processes", complaint);
  }
  check_columns(kRowMembers, "processes", &region->rows, complaint);
  keep_known_rows(
      ranks,
      [](const ThreadRow& a, const ThreadRow& b) {
        return std::tie(a.rank, a.thread) < std::tie(b.rank, b.thread);
      },
      &region->thread_rows, complaint);
  check_columns(kThreadRowMembers, "threads", &region->thread_rows, complaint);
  check_columns(kThreadSourceMembers, "threads", &region->thread_rows,
                complaint, ThreadRow::kNotKnown);
}

void check_amounts(const RegionTotals& region, std::vector<Amount>* amounts,
                   Complaint* complaint) {
  for (Amount& amount : *amounts) {
    int64_t most = kMost;
    for (const Quantity* quantity : kQuantities) {
      if (amount.name == quantity->name && quantity->part_of) {
        most = region.*sum_of(*quantity->part_of);
      }
    }
    bring_between(0, most, amount.name, &amount.value, complaint);
  }
}

// Each ns of a thread is in one state.  Values that were taken as others need
// not add up.
void check_states(const JobTotals& job, const RegionTotals& region,
                  Complaint* complaint) {
  if (!complaint->is_empty()) return;
  double sum = 0;
  for (const State state : kAllStates) {
    if (!is_known(job, state)) return;
    sum += static_cast<double>(region.*sum_of(state));
  }
  const double error = static_cast<double>(job.quality.closure_error_ns) *
                       static_cast<double>(region.threads);
  const auto elapsed = static_cast<double>(region.elapsed_weighted_ns);
  if (std::abs(sum - elapsed) > error) {
    complaint->add(
        "elapsed_weighted_ns = " + std::to_string(region.elapsed_weighted_ns) +
        " is not the sum of all states");
  }
}

void check(const JobTotals& job, RegionTotals* region, Complaint* complaint) {
  RegionTotals& r = *region;
  check_members(kRegionMembers, 0, region, complaint);
  check_states(job, r, complaint);
  bring_between(0, job.full_tables, "in_full_tables", &r.in_full_tables,
                complaint);
  bring_between(r.processes, kMost, "threads", &r.threads, complaint);
  if (static_cast<double>(r.threads) * static_cast<double>(r.all_ns) >=
      kLargest) {
    complaint->add_too_large("all_ns = " + std::to_string(r.all_ns) +
                             " times threads");
    r.all_ns = kMost / r.threads / 2;
  }
  std::vector<int64_t*> in_states;
  for (const State state : kAllStates) in_states.push_back(&(r.*sum_of(state)));
  limit_sum(in_states, "the times in all states", complaint);
  check_amounts(r, &r.amounts, complaint);
  for (NodeShare& node : r.nodes) {
    for (const Member<NodeShare>& member : kNodeMembers) {
      bring_between(0, kMost, std::string(member.name) + " of a node",
                    &(node.*member.value), complaint);
    }
  }
}

// Leaves out constructs whose sums may be out of range.
void check(std::vector<ConstructTotals>* constructs, Complaint* complaint) {
  std::array<double, std::size(kConstructMembers)> sums{};
  for (ConstructTotals& construct : *constructs) {
    // The row for all others is a difference and may be below 0.
    const int64_t least = construct.module.empty() ? -kMost : 0;
    check_members(kConstructMembers, least, &construct, complaint);
    for (size_t i = 0; i < sums.size(); ++i) {
      sums[i] +=
          std::abs(static_cast<double>(construct.*kConstructMembers[i].value));
    }
  }
  if (std::ranges::max(sums) < kLargest) return;
  complaint->add_too_large("times out of range (they are left out)");
  constructs->clear();
}

std::set<int64_t> check_places(JobTotals* job, Complaint* complaint) {
  std::set<uint64_t> hosts;
  for (const HostShare& host : job->hosts) {
    hosts.insert(text_hash(host.name.data(), host.name.size()));
  }
  const size_t lost = std::erase_if(job->places, [&](const ProcessPlace& p) {
    return p.rank < 0 || p.rank >= job->processes || hosts.count(p.host) == 0;
  });
  if (lost > 0) {
    complaint->add(std::to_string(lost) + " places of unknown processes");
  }
  std::set<int64_t> ranks;
  std::vector<int64_t*> threads;
  for (ProcessPlace& place : job->places) {
    bring_between(0, kMost, "threads of a process", &place.threads, complaint);
    threads.push_back(&place.threads);
    ranks.insert(place.rank);
  }
  limit_sum(threads, "threads of processes", complaint);
  return ranks;
}

// Sums that the model makes of what devices did are in range, too.
void check(std::vector<DeviceTotals>* devices, Complaint* complaint) {
  std::vector<int64_t*> all;
  const auto look = [&](const char* key, int64_t& value) {
    bring_between(0, kMost, key, &value, complaint);
    all.push_back(&value);
  };
  for (DeviceTotals& device : *devices) {
    bring_between(DeviceKey::kAnyProcess, kMost, "process", &device.key.process,
                  complaint);
    visit_sums(look, device);
    for (DeviceRegion& region : device.regions) {
      visit_numbers(look, look, region);
    }
  }
  limit_sum(all, "what devices did", complaint);
}

struct OrderedClocks {
  const char* lesser_name;
  int64_t RegionTotals::*lesser;
  const char* greater_name;
  int64_t RegionTotals::*greater;
};
constexpr OrderedClocks kOrderOfClocks[] = {
    {"useful_max_ns", &RegionTotals::useful_max_ns, "pl_cue_ns",
     &RegionTotals::pl_cue_ns},
    {"pl_cue_ns", &RegionTotals::pl_cue_ns, "cue_ns", &RegionTotals::cue_ns},
    {"cue_ns", &RegionTotals::cue_ns, "com_ns", &RegionTotals::com_ns},
    {"com_ns", &RegionTotals::com_ns, "comp_ns", &RegionTotals::comp_ns},
    {"comp_ns", &RegionTotals::comp_ns, "all_ns", &RegionTotals::all_ns},
    {"cue_ns", &RegionTotals::cue_ns, "coo_ns", &RegionTotals::coo_ns},
    {"coo_ns", &RegionTotals::coo_ns, "all_ns", &RegionTotals::all_ns},
    {"coow_ns", &RegionTotals::coow_ns, "all_ns", &RegionTotals::all_ns},
};
void check_order(const char* subject, const RegionReport& region,
                 double closing, std::vector<std::string>* notes) {
  const RegionTotals& r = region.totals;
  if (!region.clocks_complete) return;
  Complaint complaint(subject + r.name);
  for (const OrderedClocks& c : kOrderOfClocks) {
    if (static_cast<double>(r.*c.lesser - r.*c.greater) <= closing) continue;
    complaint.add(std::string(c.lesser_name) + " = " +
                  std::to_string(r.*c.lesser) + " above " + c.greater_name +
                  " = " + std::to_string(r.*c.greater));
  }
  complaint.add_to(notes, kNoteWords<"impossible">);
}

// "109.2 %", independent of the locale.
std::string in_percent(double value) {
  const auto tenths =
      static_cast<int64_t>(std::llround(std::clamp(value, -1e12, 1e12) * 1000));
  const int64_t size = std::abs(tenths);
  return (tenths < 0 ? "-" : "") + std::to_string(size / 10) + "." +
         std::to_string(size % 10) + " %";
}

}  // namespace

void make_plausible(JobTotals* totals) {
  std::vector<std::string>& notes = totals->quality.notes;
  Complaint of_job("the job");
  const int64_t least = totals->regions.empty() ? 0 : 1;
  bring_between(least, kMost, "processes", &totals->processes, &of_job);
  check_members(kJobMembers, 0, totals, &of_job);
  bring_between(0, kMost, "threads_min", &totals->threads_min, &of_job);
  for (HostShare& host : totals->hosts) {
    bring_between(0, kMost, "processes of a host", &host.processes, &of_job);
    bring_between(0, kMost, "memory of a host", &host.peak_memory_sum_bytes,
                  &of_job);
    for (CoreUser& user : host.users) {
      bring_between(0, CpuSet::kMost, "a processor", &user.cpu, &of_job);
      bring_between(0, kMost, "rank on a processor", &user.rank, &of_job);
      bring_between(0, kMost, "threads on a processor", &user.threads, &of_job);
    }
    bring_between(0, kMost, "energy of a host", &host.energy_uj, &of_job);
    for (NumaMemory& part : host.numa_memory) {
      bring_between(0, kMost, "memory of a NUMA node", &part.bytes, &of_job);
    }
  }
  for (ProgramShare& program : totals->programs) {
    bring_between(0, kMost, "processes of a program", &program.processes,
                  &of_job);
  }
  for (UnwrappedCall& call : totals->unwrapped_calls) {
    bring_between(0, kMost, "processes with a call", &call.processes, &of_job);
  }
  for (auto* const list : {&totals->file_systems, &totals->mpi_file_systems}) {
    for (FileSystem& files : *list) {
      check_members(kFileSystemMembers, 0, &files, &of_job);
    }
  }
  const std::set<int64_t> ranks = check_places(totals, &of_job);
  check_members(kQualityMembers, 0, &totals->quality, &of_job);
  of_job.add_to(&notes, kNoteWords<"impossible">);

  const size_t most = notes.size() + kMostNotes;
  for (RegionTotals& region : totals->regions) {
    if (region.name.empty() || region.processes == 0) continue;
    Complaint complaint("region " + region.name);
    check(*totals, &region, &complaint);
    check_rows(ranks, &region, &complaint);
    if (notes.size() < most) complaint.add_to(&notes, kNoteWords<"impossible">);
  }
  for (RegionTotals& window : totals->windows) {
    Complaint complaint(window.name);
    check(*totals, &window, &complaint);
    if (notes.size() < most) complaint.add_to(&notes, kNoteWords<"impossible">);
  }
  Complaint of_constructs("parallel regions and tasks");
  check(&totals->constructs, &of_constructs);
  of_constructs.add_to(&notes, kNoteWords<"impossible">);
  Complaint of_calls("MPI calls");
  for (CallTotals& call : totals->calls) {
    check_members(kCallMembers, 0, &call, &of_calls);
    bring_between(0, call.time_ns, "waiting_ns", &call.waiting_ns, &of_calls);
    bring_between(0, call.time_ns - call.waiting_ns, "unknown_ns",
                  &call.unknown_ns, &of_calls);
  }
  of_calls.add_to(&notes, kNoteWords<"impossible">);
  Complaint of_sites("OpenMP constructs");
  for (ConstructSiteTotals& site : totals->construct_sites) {
    check_members(kConstructSiteMembers, 0, &site, &of_sites);
    bring_between(0, site.time_ns, "waiting_ns", &site.waiting_ns, &of_sites);
  }
  of_sites.add_to(&notes, kNoteWords<"impossible">);
  Complaint of_devices("devices");
  check(&totals->devices, &of_devices);
  of_devices.add_to(&notes, kNoteWords<"impossible">);
}

void note_out_of_range(JobReport* report) {
  std::vector<std::string>& notes = report->totals.quality.notes;
  const size_t most = notes.size() + kMostNotes;
  const double closing = closing_ns(*report);
  for (const RegionReport& region : report->regions) {
    const auto all_ns = static_cast<double>(region.totals.all_ns);
    std::map<Range, Complaint> complaints;
    for (const Metric& metric : all_metrics()) {
      const double value = metric.value(region.metrics);
      const Range range = range_of(metric, value);
      if (range != Range::kOtherThreads && range != Range::kMistake) continue;
      const bool is_closing = range == Range::kMistake && value > 1 &&
                              (value - 1) * all_ns <= closing;
      if (is_closing) continue;
      complaints.try_emplace(range, "region " + region.totals.name)
          .first->second.add(std::string(key_of(metric.model)) + " " +
                             metric.key + " = " + in_percent(value));
    }
    for (auto& [range, complaint] : complaints) {
      if (notes.size() >= most) break;
      complaint.add_to(&notes, range == Range::kMistake
                                   ? kNoteWords<"impossible">
                                   : kNoteWords<"other_threads">);
    }
  }
  Complaint constructs("parallel regions");
  for (const ConstructReport& c : report->constructs) {
    const auto look = [&](const char* name, double value) {
      if (!std::isfinite(value) || in_range(value)) return;
      constructs.add(std::string(name) + " of " +
                     (c.location.empty() ? "the rest" : c.location) + " = " +
                     in_percent(value));
    };
    look("lost", c.contribution);
    look("useful", c.useful);
    look("load balance", c.load_balance);
    look("scheduling", c.scheduling);
  }
  constructs.add_to(&notes, kNoteWords<"other_threads">);
}

bool is_of_wrong_values(const std::string& note) {
  return is_noted<"impossible">(note) || is_noted<"uncountable">(note);
}

void note_order_of_clocks(JobReport* report) {
  std::vector<std::string>& notes = report->totals.quality.notes;
  const size_t most = notes.size() + kMostNotes;
  const double closing = closing_ns(*report);
  const auto check = [&](const char* subject, const RegionReport& region) {
    if (notes.size() < most) check_order(subject, region, closing, &notes);
  };
  for (const RegionReport& each : report->regions) check("region ", each);
  for (const WindowReport& each : report->windows.list) check("", each);
}

}  // namespace poprt
