// May this run be judged?  What speaks against it are the rows of one table:
// each has a number and the limits from which the light is amber or red.  A
// number that is not known makes it amber at least; it is never read as zero.
#ifndef POPRT_MODEL_JUDGE_H_
#define POPRT_MODEL_JUDGE_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// Green: the numbers stand as they are.  Amber: with care.  Red: no loss is
// named, and no value has a grade.
enum class Light { kGreen, kAmber, kRed };

// "green", "amber", "red": in run files and CSV.
const char* key_of(Light light);

struct Cause {
  static constexpr double kNever = 1e300;

  const char* key = "";  // in run files and CSV; never changes once released
  MetricUnit unit = MetricUnit::kShare;
  // The most that is good, and the most that is not red.  Where less is worse:
  // the least.
  double amber = 0;
  double red = kNever;
  // NaN: not known.
  double (*value)(const JobReport&) = nullptr;
  bool less_is_worse = false;
};

// All of them, in the order in which they are told.
std::span<const Cause> all_causes();

// A cause that makes the light amber or red.
struct FoundCause {
  Cause cause;
  double value = 0;  // NaN: not known
  double limit = 0;  // that it is beyond; of an unknown value that of amber
  Light light = Light::kAmber;
};

struct Judgement {
  Light light = Light::kGreen;
  std::vector<FoundCause> causes = {};  // the red ones first
};

Judgement judge(const JobReport& report);

// Some of the ranks of a run.
struct RankCount {
  int64_t some = 0;
  int64_t all = 0;
};

// Of which nothing is known, and which did not come to their end.
RankCount missing_rank_count(const JobReport& report);
RankCount not_ended_count(const JobReport& report);

// Whether the cause with this key, with a number that is known, is one of the
// light's.
bool is_found(const JobReport& report, std::string_view key);

inline bool is_red(const JobReport& report) {
  return judge(report).light == Light::kRed;
}

// poprt's own time, an estimate, as a share of the job's core time.
double overhead_share(const JobReport& report);
// That, or if it is more its time on the thread where it took most, as a share
// of the run time: others wait for that one.
double overhead(const JobReport& report);

// The share of the job's core time in which threads could have run but had no
// core.  NaN: not known.
double waited_for_core(const JobReport& report);

// The share of threads and child processes that are not measured in all time
// that is known of: of their time on a core (the threads' in MPI if that is
// longer), and of the core time of the report.  NaN: not known.
double unmeasured_threads_share(const JobReport& report);

// The time that may have been that of accelerators and is not measured in their
// state, as a share of the job's core time: of `target nowait` that helper
// threads have executed.  NaN: not known, because the program has a runtime of
// accelerators that is not measured; 0 without.
double device_share(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_MODEL_JUDGE_H_
