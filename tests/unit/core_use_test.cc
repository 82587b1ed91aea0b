// Whether threads had cores: sets of cores, and what the report says.
#include "report/core_use.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "model/cpu_set.h"
#include "model/largest_loss.h"
#include "model/quantities.h"
#include "report/allotment.h"
#include "report/findings.h"
#include "report/notes.h"
#include "report/sentence.h"
#include "unit/core_reports.h"
#include "unit/has.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

using test::bound_report;
using test::bound_to_two_of_four;
using test::changed;
using test::cpus;
using test::of_job;
using test::on_four_cores;
using test::report_with;
using test::two_threads_on_eight;

// Those on cores and memory.
std::vector<std::string> core_notes(const JobReport& report) {
  const std::set<std::string> keys = {
      "crowded_processes", "shared_cores",  "crowded_hosts", "bound_siblings",
      "full_cores",        "cores_by_word", "unused_cores",  "idle_cores",
      "misplaced_memory",  "slept"};
  std::vector<std::string> texts;
  for (const Sentence<JobReport>& each : notes()) {
    if (keys.contains(each.key) && each.is_true(report)) {
      texts.push_back(each.words(report));
    }
  }
  return texts;
}

std::string why_no_core(const JobReport& report) {
  return first_said(kWhyNoCore, report);
}

std::string how_to_get_cores(const JobReport& report) {
  return first_said(kHowToGetCores, report);
}

TEST(CpuSet, IsWrittenAsTheKernelDoes) {
  CpuSet set;
  EXPECT_EQ("", cpu_list(set));
  for (const int cpu : {8, 0, 1, 2, 130, 63, 64}) set.add(cpu);
  EXPECT_EQ("0-2,8,63-64,130", cpu_list(set));
  EXPECT_EQ(7, set.size());
  for (const char* const text : {"", "0", "0-2,8,63-64,130", "5,7,9-11"}) {
    EXPECT_EQ(text, cpu_list(cpus(text)));
  }
}

TEST(CpuSet, RefusesOtherTexts) {
  CpuSet set;
  for (const char* const text : {"a", "1-", "-1", "3-1", "1,,2", "1,", "1 2",
                                 "99999999", "0-99999999"}) {
    EXPECT_FALSE(parse_cpu_set(text, &set)) << text;
  }
}

TEST(CpuSet, AreCompared) {
  EXPECT_EQ(3, cpus("3,70").first());
  EXPECT_EQ(70, cpus("70").first());
  EXPECT_EQ(-1, CpuSet{}.first());
  EXPECT_TRUE(cpus("3,70").meets(cpus("70-71")));
  EXPECT_FALSE(cpus("3,70").meets(cpus("2,71")));
  EXPECT_EQ("3", cpu_list(cpus("3,70").without(cpus("70-71"))));
  EXPECT_EQ(cpus("3"), cpus("3,70").without(cpus("70")));
  EXPECT_TRUE(cpus("3,70").has(70));
  EXPECT_FALSE(cpus("3").has(70));
}

TEST(CpuSets, AreReadAsTheyAreWritten) {
  std::vector<CpuSet> sets;
  for (const char* const text : {"", "0", "0,4 1,5 2-3"}) {
    ASSERT_TRUE(parse_cpu_sets(text, &sets)) << text;
    EXPECT_EQ(text, cpu_lists(sets));
  }
  for (const char* const text : {" ", "0 ", " 0", "0  1", "a"}) {
    EXPECT_FALSE(parse_cpu_sets(text, &sets)) << text;
  }
}

TEST(CpuSet, OfProcessesAreJoined) {
  JobTotals a, b;
  a.processes = b.processes = 1;
  a.hosts = {{"node", 1, 2, cpus("0-1")}};
  b.hosts = {{"node", 1, 3, cpus("1-2,70")}};
  a.resources = {{kPeakMemoryMax.name, 5}, {kUserTime.name, 7}};
  b.resources = {{kPeakMemoryMax.name, 4}, {kUserTime.name, 8}};
  std::swap(a.resources[0], a.resources[1]);
  std::swap(b.resources[0], b.resources[1]);
  const JobTotals job = combine(a, b);
  EXPECT_EQ(5, job.hosts[0].threads);
  EXPECT_EQ("0-2,70", cpu_list(job.hosts[0].cpus));
  EXPECT_EQ(15, amount(job.resources, kUserTime.name));
  EXPECT_EQ(5, amount(job.resources, kPeakMemoryMax.name));
}

// A loss that waits for a core may be alone is not explained by what it usually
// means.
TEST(CoreUse, MayBeTheLargestLoss) {
  JobReport report = test::hybrid_report();
  const auto finding_with = [&](double share_of_loss) {
    const auto loss = largest_loss(report, *global_region(report));
    const double lost = loss->metric.value(global_region(report)->losses);
    set_amount(kWaitedForCore.name,
               static_cast<int64_t>(share_of_loss * lost *
                                    static_cast<double>(job_core_ns(report))),
               &report.totals.resources);
    for (const Finding& each : main_finding(report)) {
      if (each.sentence.starts_with("The largest loss")) return each.sentence;
    }
    return std::string();
  };
  constexpr char kMayBe[] =
      "): it may be waits for a core, so see to them first.";
  EXPECT_TRUE(finding_with(0.51).ends_with(kMayBe)) << finding_with(0.51);
  EXPECT_FALSE(finding_with(0.49).ends_with(kMayBe)) << finding_with(0.49);
}

// That the threads of the job are too many is said only where they wanted more
// cores than there are; that others used them only where each could have one.
TEST(CoreUse, NamesTheReasonOnlyWhereTheNumbersProveIt) {
  const auto with = [](double waited, double on_core, std::string_view cores) {
    JobReport report = report_with(waited, 0, cores);
    const double ns = on_core * static_cast<double>(job_core_ns(report));
    set_amount(kUserTime.name, static_cast<int64_t>(ns),
               &report.totals.resources);
    set_amount(kSystemTime.name, 0, &report.totals.resources);
    return report;
  };
  // 16 threads on 2 hosts.
  const JobReport few = with(0.5, 0.2, "0-1");
  EXPECT_EQ(", because its threads wanted 11.2 cores at a time and may use 4",
            why_no_core(few));
  EXPECT_EQ("Use at most 4 threads in all, or ask for more cores.",
            how_to_get_cores(few));
  // Half of the threads slept: the others have a core each.
  const JobReport slept = with(0.1, 0.1, "0-1");
  EXPECT_EQ("", why_no_core(slept));
  EXPECT_EQ("Run where nothing else runs, or use at most 4 threads in all.",
            how_to_get_cores(slept));
  const JobReport others = with(0.18, 0.7, "0-63");
  EXPECT_EQ(", because others used it", why_no_core(others));
  EXPECT_EQ("Run where nothing else runs.", how_to_get_cores(others));
  // On cores of which the job had more.
  JobReport bound = few;
  for (HostShare& host : bound.totals.hosts) host.allotted = cpus("0-7");
  EXPECT_EQ(0u, how_to_get_cores(bound).find("Bind each thread to a core of "
                                             "its own of the 16 that"));
  // Not more than the batch system gave.
  bound.context.job.nodes = "2";
  bound.context.job.cpus_on_nodes = "4(x2)";
  EXPECT_EQ("Use at most 8 threads in all, or ask for more cores.",
            how_to_get_cores(bound));
  bound.context.job.cpus_on_nodes = "8(x2)";
  // All threads of a host on the same cores, be it by taskset, unless it is
  // known that each rank has others.
  for (HostShare& host : bound.totals.hosts) {
    host.cpus = cpus("3");
    host.allotted = cpus("0-15");
  }
  EXPECT_EQ(
      "Use at most 2 threads in all, or lift what keeps all threads to 2 of 16 "
      "cores (taskset, the batch system, or the launcher's binding).",
      how_to_get_cores(bound));
  for (HostShare& host : bound.totals.hosts) host.cpus = cpus("3-4");
  const auto with_places = [&](std::string_view first, std::string_view last) {
    bound.totals.places.clear();
    int64_t rank = 0;
    for (const HostShare& host : bound.totals.hosts) {
      for (const std::string_view each : {first, last}) {
        bound.totals.places.push_back(
            {rank++, text_hash(host.name.data(), host.name.size()), 4,
             cpus(each)});
      }
    }
    return how_to_get_cores(bound);
  };
  EXPECT_TRUE(with_places("3-4", "3-4").starts_with("Use at most 4 threads"));
  EXPECT_TRUE(with_places("3", "4").starts_with("Bind each thread"));
  JobReport unknown = few;
  unknown.totals.hosts[1].cpus = CpuSet{};
  EXPECT_EQ("", why_no_core(unknown));
  // As many as there are: how many wait at a time says nothing then.
  for (const double waited : {0.82, 0.83, 0.9}) {
    EXPECT_EQ(", because others used it",
              why_no_core(with(0.18, waited, "0-7")));
  }
  // Cores that they may use for a part of the time only.
  JobReport limited = others;
  for (HostShare& host : limited.totals.hosts) host.quota = {1500, 7};
  EXPECT_EQ(
      ", because its threads wanted 14.1 cores at a time and may use 3 (a "
      "quota "
      "of their cgroup)",
      why_no_core(limited));
  EXPECT_EQ("Use at most 3 threads in all, or ask for more cores.",
            how_to_get_cores(limited));
  limited.totals.hosts[1].quota = {CpuQuota::kUnlike, 0};
  EXPECT_EQ("", why_no_core(limited));
}

// Nor where the job's own unmeasured threads or processes may have had them.
TEST(CoreUse, BlamesOthersOnlyWhereAllOfTheJobIsMeasured) {
  const JobReport measured = report_with(0.18, 0, "0-63");
  EXPECT_EQ(", because others used it", why_no_core(measured));
  const auto with = [&](const Resource& which, double share) {
    JobReport report = measured;
    const double ns = share * static_cast<double>(job_core_ns(report));
    set_amount(which.name, static_cast<int64_t>(ns), &report.totals.resources);
    return report;
  };
  JobReport unseen = measured;
  unseen.totals.has_unseen_openmp = true;
  JobReport not_known = measured;
  test::forget(kChildrenCpu.name, &not_known.totals.resources);
  for (const JobReport& each : {with(kUnknownThreadsCpu, 0.02),
                                with(kChildrenCpu, 0.02), unseen, not_known}) {
    EXPECT_EQ("", why_no_core(each));
    EXPECT_EQ(
        "Use fewer threads and processes, also of those that are not measured, "
        "or ask for more cores.",
        how_to_get_cores(each));
  }
  for (const Resource* const each : {&kUnknownThreadsCpu, &kChildrenCpu}) {
    EXPECT_EQ(", because others used it", why_no_core(with(*each, 0.009)));
    EXPECT_EQ("Run where nothing else runs.",
              how_to_get_cores(with(*each, 0.009)));
  }
}

const BatchJob kOfABatchSystem = {"", "17", "", "", "", "", "", ""};

JobReport of_word(const std::string& cpus_on_nodes) {
  return of_job(on_four_cores({0, 1}, "0-7"),
                {"Slurm", "17", "", "", "", "1", cpus_on_nodes, ""});
}

JobReport with_memory(int64_t bytes, int64_t misplaced) {
  return changed(test::small_report(), [&](JobReport* report) {
    set_amount(kPlacedMemory.name, bytes, &report->totals.resources);
    set_amount(kMisplacedMemory.name, misplaced, &report->totals.resources);
    report->totals.hosts[0].numa_memory = {{0, bytes - bytes / 10},
                                           {1, bytes / 10}};
  });
}

// Threads had a core for this share of the useful time, and waited for one for
// another; below 0 that is not known.
JobReport with_cpu_time(double share, double waited) {
  return changed(test::hybrid_report(), [&](JobReport* report) {
    const auto useful =
        static_cast<double>(global_region(*report)->totals.useful_sum_ns);
    const auto set = [&](const Resource& which, double part) {
      set_amount(which.name, static_cast<int64_t>(part * useful),
                 &report->totals.resources);
    };
    set(kUserTime, share);
    set(kSystemTime, 0);
    if (waited >= 0) set(kWaitedForCore, waited);
  });
}

// The words of each: notes_test.
TEST(CoreUse, HasOneNoteAtMost) {
  constexpr int64_t kMb = 1'000'000;
  const auto few = changed(bound_to_two_of_four(), [](JobReport* report) {
    report->totals.hosts[0].allotted = cpus("0-2");
  });
  const struct {
    JobReport report;
    const char* words;  // of its only note; null: it has none
  } kRuns[] = {
      {test::hybrid_report(), nullptr},
      {report_with(0.049, 0, "0-7"), nullptr},
      {report_with(0.5, 0, "0-1"), "8 threads on 2 cores"},
      // Where no other thread waits for it, a turn is useful time.
      {report_with(0.5, 3, "0-7"), "turns, which makes useful time longer"},
      {bound_report({{3, 0, 1}, {4, 1, 1}}), nullptr},
      // The same number on another host is another core.
      {bound_report({{3, 0, 1}, {3, 1, 1}}, true), nullptr},
      {bound_report({{3, 0, 1}, {3, 1, 1}, {3, 2, 1}, {3, 5, 1}, {3, 6, 1}}),
       "ranks 0, 1, 2 and 2 more of node1 may"},
      {bound_report({{3, 4, 2}}),
       "2 threads of rank 4 of node1 may use only the same core 3"},
      // A machine of the user's own, of which a program need not use all.
      {bound_to_two_of_four(), nullptr},
      // Cores 4 and 5 are hardware threads of cores that are used.
      {of_job(bound_to_two_of_four(), kOfABatchSystem),
       "the job had cores 2-3,6-7 of node1"},
      {few, "the job had core 2 of node1"},
      {on_four_cores({0, 1, 5}, "0-7"),
       "threads of the same cores (1,5), while cores 2-3,6-7 have no thread: "},
      {on_four_cores({0, 1, 6}, "0-7"), nullptr},
      {on_four_cores({0, 1, 2, 3, 4, 5, 6, 7}, "0-7"),
       "several hardware threads of a core are used (node1: 8 threads on 4 "
       "cores): "},
      {on_four_cores({0, 1, 2, 3}, "0-7"), nullptr},
      {two_threads_on_eight(), nullptr},
      {of_job(two_threads_on_eight(), kOfABatchSystem),
       "could use 4 cores there: 2 cores had nothing to do."},
      {of_job(two_threads_on_eight(), {"Slurm", "17", "", "", "", "", "", "2"}),
       "there (Slurm gave 2 to each task): "},
      // Without a cpuset all processors of the host seem to be the job's.
      {of_word("4"), "it has 2 threads; nothing keeps it to them"},
      // All processors of the host: what may not be used is known.
      {of_word("8"), "the job had cores 2-3,6-7"},
      {with_memory(1000 * kMb, 190 * kMb), nullptr},
      {with_memory(1000 * kMb, 400 * kMb),
       "40.0 % of the memory (400.0 MB of 1.000 GB) is not on the NUMA nodes "
       "where the threads are (node1: NUMA 0 900.0 MB, NUMA 1 100.0 MB)"},
      // However large its share is.
      {with_memory(80 << 20, (64 << 20) - 1), nullptr},
      {with_memory(80 << 20, 64 << 20), "80.0 % of the memory ("},
      {with_cpu_time(0.82, -1), nullptr},
      {with_cpu_time(0.96, 0), nullptr},
      {with_cpu_time(0.82, 0), "in at least 18.0 % of the useful time "},
      // What they waited for a core is another matter.
      {with_cpu_time(0.82, 0.14), nullptr},
  };
  for (const auto& run : kRuns) {
    const std::vector<std::string> notes = core_notes(run.report);
    SCOPED_TRACE(run.words == nullptr ? "none" : run.words);
    ASSERT_EQ(run.words == nullptr ? 0u : 1u, notes.size());
    if (run.words == nullptr) continue;
    EXPECT_HAS(notes[0], run.words);
  }
}

// None of its other cores are the job's.
TEST(CoreUse, BlamesNoBindingForCoresOfOthers) {
  for (const std::string& note : core_notes(on_four_cores({1, 5}, "1,5"))) {
    EXPECT_LACKS(note, "are bound to");
  }
}

TEST(CoreUse, SaysNothingOfTurnsWhereHardlyAnyThreadWaited) {
  for (const int64_t crowded : {0, 3}) {
    const JobReport slept = report_with(0.009, crowded, "0-1");
    for (const std::string& note : core_notes(slept)) {
      EXPECT_LACKS(note, "turns");
    }
  }
}

// Ranks that may use all cores of their host are not bound.
TEST(CoreUse, NamesRanksOnAllCoresOnlyWhereTheyWaited) {
  const auto with = [](double waited, std::string_view host_cpus) {
    JobReport report = bound_report({{3, 0, 1}, {3, 1, 1}});
    Topology topology;
    topology.cpus = cpus(host_cpus);
    topology.id = topology_id(topology);
    report.totals.hosts[0].topology = topology.id;
    report.totals.topologies = {topology};
    set_amount(
        kWaitedForCore.name,
        static_cast<int64_t>(waited * static_cast<double>(job_core_ns(report))),
        &report.totals.resources);
    for (const std::string& note : core_notes(report)) {
      if (note.find("may use only the same") != note.npos) return true;
    }
    return false;
  };
  EXPECT_FALSE(with(0.02, "3"));
  EXPECT_TRUE(with(0.06, "3"));
  EXPECT_TRUE(with(0.02, "3-4"));
}

TEST(CoreUse, NamesEachHostByWhatIsTrueOfIt) {
  JobReport report = on_four_cores({0, 1, 5}, "0-7");
  report.totals.hosts.push_back(
      on_four_cores({0, 1, 2, 3, 4, 5, 6, 7}, "0-7").totals.hosts[0]);
  report.totals.hosts[1].name = "node2";
  const auto notes = core_notes(report);
  ASSERT_EQ(2u, notes.size());
  EXPECT_HAS(notes[0], "ranks 1 and 2 of node1");
  EXPECT_HAS(notes[1], "(node2: 8 threads on 4 cores)");
}

TEST(Allotment, ReadsSlurmsCounts) {
  EXPECT_EQ(64, cpus_in_slurms_text("64"));
  EXPECT_EQ(160, cpus_in_slurms_text("64(x2),32"));
  for (const char* const text :
       {"", "x", "64(", "64(x", "64(x2", "64(x2)3", "64,", "-4", "64(x0)"}) {
    EXPECT_EQ(0, cpus_in_slurms_text(text)) << text;
  }
}

}  // namespace
}  // namespace poprt
