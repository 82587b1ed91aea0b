#include "compare/scaling_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "compare/reference.h"
#include "document/format.h"
#include "report/heading.h"

namespace poprt {
namespace {

// How far an amount may be from what it is in step with.
constexpr double kTolerance = 0.1;
// Of numbers that are the same but for rounding.
constexpr double kSame = 1e-9;
// The metadata with which a program says how much work it has.
constexpr char kSize[] = "size";
constexpr char kAsk[] = "; --scaling strong or weak decides";

Load load_by(Load::By by) {
  return {by, by == Load::By::kMetadata ? kSize : ""};
}

// What of a configuration may tell.  NaN if it is not known.
struct Sizes {
  double one = 1;
  double cores = kUndefined;
  double ranks = kUndefined;
  double size = kUndefined;
  double instructions = kUndefined;
};
using SizeOf = double Sizes::*;

Sizes sizes_of(const Configuration& configuration) {
  const JobReport& run = configuration.runs.front().report;
  std::vector<Work> works;
  for (const RunFile& each : configuration.runs) {
    works.push_back(work_of(each.report));
  }
  const Work median = median_of(works);
  return {1, median.cores, static_cast<double>(run.totals.processes),
          metadata_number(run, kSize), median.instructions};
}

// What work may grow with.
struct Growth {
  Scaling scaling;
  Load::By by;
  SizeOf with;
  const char* of_one;  // "per core"
};
constexpr Growth kGrowths[] = {
    {Scaling::kStrong, Load::By::kCores, &Sizes::one, ""},
    {Scaling::kWeak, Load::By::kCores, &Sizes::cores, " per core"},
    {Scaling::kWeak, Load::By::kRanks, &Sizes::ranks, " per rank"},
};

// Whether two runs have the same program, arguments and metadata.  Its folder
// may differ: of another version, for example.
bool are_alike(const JobReport& a, const JobReport& b) {
  const auto same = [](const Metadata& x, const Metadata& y) {
    return x.key == y.key && x.value == y.value;
  };
  return !a.context.command.empty() && !b.context.command.empty() &&
         command_line(a.context) == command_line(b.context) &&
         std::ranges::equal(a.totals.metadata, b.totals.metadata, same);
}

// Two runs: how an amount changed from one to the other is the evidence.
struct Evidence {
  const Sizes* from;
  const Sizes* to;

  double ratio(SizeOf amount) const { return to->*amount / from->*amount; }
  double change(SizeOf amount) const { return std::log(ratio(amount)); }
  bool is_in_step(SizeOf a, SizeOf b) const {
    return std::abs(ratio(a) / ratio(b) - 1) <= kTolerance;
  }
};

// All runs, by what they have.
class Runs {
 public:
  explicit Runs(const std::vector<Configuration>& configurations) {
    for (const Configuration& each : configurations) {
      runs_.push_back(&each.runs.front().report);
      sizes_.push_back(sizes_of(each));
    }
  }

  bool know(SizeOf amount) const {
    return std::ranges::none_of(
        sizes_, [&](const Sizes& each) { return std::isnan(each.*amount); });
  }

  // Whether the runs differ in one amount as in the other.
  bool are_in_step(SizeOf a, SizeOf b, double tolerance) const {
    return std::ranges::all_of(sizes_, [&](const Sizes& each) {
      const double first = sizes_.front().*a / sizes_.front().*b;
      return std::abs(each.*a / each.*b / first - 1) <= tolerance;
    });
  }

  // The only growth that an amount of work is in step with; nullptr if there is
  // none, or if the runs are too alike to tell several apart.
  const Growth* growth_of(SizeOf work) const {
    const Growth* found = nullptr;
    for (const Growth& each : kGrowths) {
      if (!are_in_step(work, each.with, kTolerance)) continue;
      if (found == nullptr) {
        found = &each;
      } else if (!are_in_step(found->with, each.with, kSame)) {
        return nullptr;
      }
    }
    return found;
  }

  bool are_all_alike() const {
    return std::ranges::all_of(runs_, [&](const JobReport* each) {
      return are_alike(*runs_.front(), *each);
    });
  }

  bool have_commands() const {
    return std::ranges::none_of(runs_, [](const JobReport* each) {
      return each->context.command.empty();
    });
  }

  // Whether there are runs that do the same on more threads of as many ranks.
  bool add_threads() const {
    return std::ranges::any_of(runs_, [&](const JobReport* a) {
      return std::ranges::any_of(runs_, [&](const JobReport* b) {
        return a->totals.processes == b->totals.processes &&
               a->totals.threads < b->totals.threads && are_alike(*a, *b);
      });
    });
  }

  bool has_one() const { return runs_.size() == 1; }

  // Two runs of which the instructions grew or shrank more like the cores than
  // not at all: those where they did most.
  std::optional<Evidence> against_same_work() const {
    return largest([](const Evidence& each) {
      return std::abs(each.change(&Sizes::instructions)) >
             std::max(std::log1p(kTolerance), each.change(&Sizes::cores) / 2);
    });
  }

  // Two runs that had neither the same work nor the same on each core.
  std::optional<Evidence> against_any_growth() const {
    return largest([](const Evidence& each) {
      return !each.is_in_step(&Sizes::instructions, &Sizes::one) &&
             !each.is_in_step(&Sizes::instructions, &Sizes::cores);
    });
  }

  Evidence first_and_last() const { return {&sizes_.front(), &sizes_.back()}; }

 private:
  // Of the runs on different cores with known instructions, two that meet a
  // condition: those where the instructions changed most.
  template <class Condition>
  std::optional<Evidence> largest(const Condition& is_met) const {
    const auto change = [](const Evidence& each) {
      return std::abs(each.change(&Sizes::instructions));
    };
    std::optional<Evidence> found;
    for (const Sizes& from : sizes_) {
      for (const Sizes& to : sizes_) {
        const Evidence each = {&from, &to};
        if (!(from.cores < to.cores) || std::isnan(change(each)) ||
            !is_met(each)) {
          continue;
        }
        if (!found || change(each) > change(*found)) found = each;
      }
    }
    return found;
  }

  std::vector<const JobReport*> runs_;
  std::vector<Sizes> sizes_;
};

// Those that came to their ends, if any did: what others counted is less than
// their work.
Runs ended_runs(std::vector<Configuration> configurations) {
  if (std::ranges::any_of(configurations, has_ended)) {
    std::erase_if(configurations,
                  [](const Configuration& each) { return !has_ended(each); });
  }
  return Runs(configurations);
}

// "useful instructions per core x 1.02 from 4 to 36 cores".
std::string instructions(const Evidence& evidence, const char* of_one,
                         SizeOf amount) {
  return fmt::format(
      "useful instructions{} x {:.2f} from {:.0f} to {:.0f} cores", of_one,
      evidence.ratio(&Sizes::instructions) / evidence.ratio(amount),
      evidence.from->cores, evidence.to->cores);
}

ScalingChoice not_known(const std::string& why) {
  return {Scaling::kUnknown, {}, "not known: " + why + kAsk};
}

// What the instructions tell of runs that are not all alike.
ScalingChoice choice_of_instructions(const Runs& all, const Runs& runs) {
  const std::string differ = all.have_commands()
                                 ? "the command lines or metadata differ"
                                 : "not all command lines are known";
  if (runs.has_one()) {
    return not_known(differ + ", and only one run came to its end");
  }
  if (!runs.know(&Sizes::instructions)) {
    return not_known(differ +
                     ", and useful instructions were not counted in all runs");
  }
  const Growth* const growth = runs.growth_of(&Sizes::instructions);
  if (growth == nullptr) {
    const Evidence shown =
        runs.against_any_growth().value_or(runs.first_and_last());
    return not_known(differ + ", and " + instructions(shown, "", &Sizes::one) +
                     " are neither the same nor the same of each core");
  }
  return {
      growth->scaling, load_by(growth->by),
      std::string(name_of(growth->scaling)) + ": " +
          instructions(runs.first_and_last(), growth->of_one, growth->with)};
}

}  // namespace

ScalingChoice scaling_choice(const std::vector<Configuration>& configurations) {
  if (!first_reference(configurations)) {
    return {Scaling::kUnknown, {}, "not known: no run may be the reference"};
  }
  return choice_of_work(configurations);
}

ScalingChoice choice_of_work(const std::vector<Configuration>& configurations) {
  const Runs runs(configurations);
  if (runs.has_one()) {
    return {Scaling::kStrong, {}, "there is nothing to compare"};
  }
  if (runs.are_in_step(&Sizes::size, &Sizes::one, kSame)) {
    return {Scaling::kStrong, {}, "strong: metadata size is the same"};
  }
  const Growth* const size = runs.growth_of(&Sizes::size);
  if (size != nullptr && size->scaling == Scaling::kWeak) {
    return {Scaling::kWeak, load_by(Load::By::kMetadata),
            "weak: metadata size grows as the " + name_of(load_by(size->by))};
  }
  const Runs ended = ended_runs(configurations);
  if (!runs.are_all_alike()) return choice_of_instructions(runs, ended);
  if (const auto against = ended.against_same_work()) {
    return not_known("the command line is the same, but " +
                     instructions(*against, "", &Sizes::one) +
                     ": an input file may have changed");
  }
  return {Scaling::kStrong,
          {},
          "strong: the same command line and metadata (if each core had the "
          "same work: --scaling weak)"};
}

ScalingChoice weak_scaling(const std::vector<Configuration>& configurations) {
  const Runs runs(configurations);
  const Runs ended = ended_runs(configurations);
  const auto by = [](const Load& load, const std::string& why) {
    return ScalingChoice{Scaling::kWeak, load, "weak, as given" + why};
  };
  const auto grows = [](const Runs& some, SizeOf amount) {
    const Growth* const growth = some.growth_of(amount);
    return growth != nullptr && growth->scaling == Scaling::kWeak ? growth
                                                                  : nullptr;
  };
  if (grows(runs, &Sizes::size) != nullptr) {
    return by(load_by(Load::By::kMetadata), "; load by metadata size");
  }
  if (runs.add_threads()) {
    return by(load_by(Load::By::kRanks),
              "; runs of the same ranks and command line differ in their "
              "threads: load by ranks");
  }
  const Growth* const growth = grows(ended, &Sizes::instructions);
  if (growth == nullptr || growth->by == Load::By::kCores) return by({}, "");
  return by(
      load_by(Load::By::kRanks),
      "; " +
          instructions(ended.first_and_last(), growth->of_one, growth->with) +
          ": load by ranks");
}

std::string name_of(const Load& load) {
  switch (load.by) {
    case Load::By::kCores:
      return "cores";
    case Load::By::kRanks:
      return "ranks";
    case Load::By::kMetadata:
      return "metadata " + printable(load.key);
  }
  return "";
}

const char* name_of(Scaling scaling) {
  switch (scaling) {
    case Scaling::kStrong:
      return "strong";
    case Scaling::kWeak:
      return "weak";
    case Scaling::kUnknown:
      return "unknown";
  }
  return "";
}

}  // namespace poprt
