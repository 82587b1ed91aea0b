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
using test::cpus;
using test::four_cores;
using test::on_four_cores;
using test::report_with;

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

TEST(CoreUse, SaysNothingWhereThreadsHadTheirCores) {
  EXPECT_TRUE(core_notes(test::hybrid_report()).empty());
  EXPECT_TRUE(core_notes(report_with(0.049, 0, "0-7")).empty());
}

// What is useful is no praise of the cores where threads waited for them.
TEST(CoreUse, IsTheVerdictWhereNothingElseIsLost) {
  JobReport report = test::report_without_loss();
  set_amount(kWaitedForCore.name, 400'000'000, &report.totals.resources);
  const std::vector<Finding> findings = main_finding(report);
  ASSERT_EQ(2u, findings.size());
  EXPECT_EQ("The largest gain now comes from a core for each thread.",
            findings[1].sentence);
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

TEST(CoreUse, NotesWhatSharesCores) {
  const JobReport few = report_with(0.5, 0, "0-1");
  ASSERT_EQ(1u, core_notes(few).size());
  EXPECT_HAS(core_notes(few)[0], "8 threads on 2 cores");
  const JobReport bound = report_with(0.5, 3, "0-7");
  ASSERT_EQ(1u, core_notes(bound).size());
  EXPECT_EQ(0u, core_notes(bound)[0].find("3 of "));
  // Where no other thread waits for it, a turn is useful time.
  EXPECT_HAS(core_notes(bound)[0], "turns, which makes useful time longer");
}

TEST(CoreUse, SaysNothingOfTurnsWhereHardlyAnyThreadWaited) {
  for (const int64_t crowded : {0, 3}) {
    const JobReport slept = report_with(0.009, crowded, "0-1");
    for (const std::string& note : core_notes(slept)) {
      EXPECT_LACKS(note, "turns");
    }
  }
}

TEST(CoreUse, NamesRanksThatAreBoundToTheSameCore) {
  const auto notes =
      core_notes(bound_report({{3, 0, 1}, {4, 1, 1}, {3, 2, 1}}));
  ASSERT_EQ(1u, notes.size());
  EXPECT_EQ(0u, notes[0].find("ranks 0 and 2 of node1 may use only the same "
                              "core 3: "))
      << notes[0];
  const auto many = core_notes(
      bound_report({{3, 0, 1}, {3, 1, 1}, {3, 2, 1}, {3, 5, 1}, {3, 6, 1}}));
  EXPECT_EQ(0u, many.at(0).find("ranks 0, 1, 2 and 2 more of node1 may"))
      << many[0];
  const auto alone = core_notes(bound_report({{3, 4, 2}}));
  EXPECT_EQ(0u, alone.at(0).find("2 threads of rank 4 of node1 may use only "
                                 "the same core 3"))
      << alone[0];
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

TEST(CoreUse, SaysNothingOfRanksWithCoresOfTheirOwn) {
  const JobReport report = bound_report({{3, 0, 1}, {4, 1, 1}});
  EXPECT_TRUE(core_notes(report).empty());
  EXPECT_TRUE(report.totals.hosts[0].users.empty());
  // The same number on another host is another core.
  const JobReport apart = bound_report({{3, 0, 1}, {3, 1, 1}}, true);
  ASSERT_EQ(2u, apart.totals.hosts.size());
  EXPECT_TRUE(core_notes(apart).empty());
}

TEST(CoreUse, NamesCoresOfTheJobThatNobodyMayUse) {
  JobReport report = bound_report({{0, 0, 1}, {1, 1, 1}});
  HostShare& host = report.totals.hosts[0];
  Topology topology;
  topology.cpus = cpus("0-7");
  for (const char* const core : {"0,4", "1,5", "2,6", "3,7"}) {
    topology.cores.push_back(cpus(core));
  }
  topology.id = host.topology = topology_id(topology);
  report.totals.topologies = {topology};
  host.allotted = cpus("0-7");
  // A machine of the user's own, of which a program need not use all.
  EXPECT_TRUE(core_notes(report).empty());
  report.context.job.id = "17";
  ASSERT_EQ(1u, core_notes(report).size());
  // Cores 4 and 5 are hardware threads of cores that are used.
  EXPECT_EQ(0u,
            core_notes(report)[0].find("the job had cores 2-3,6-7 of node1"))
      << core_notes(report)[0];
  report.context.job.id = "";
  host.allotted = cpus("0-2");
  EXPECT_EQ(0u, core_notes(report).at(0).find("the job had core 2 of node1"));
}

TEST(CoreUse, NamesHardwareThreadsOfOneCoreWhereOthersAreFree) {
  const auto notes = core_notes(on_four_cores({0, 1, 5}, "0-7"));
  ASSERT_EQ(1u, notes.size());
  EXPECT_EQ(0u, notes[0].find(
                    "threads of ranks 1 and 2 of node1 are bound to hardware "
                    "threads of the same cores (1,5), while cores 2-3,6-7 have "
                    "no thread: "))
      << notes[0];
  EXPECT_TRUE(core_notes(on_four_cores({0, 1, 6}, "0-7")).empty());
  // None of its other cores are the job's.
  for (const std::string& note : core_notes(on_four_cores({1, 5}, "1,5"))) {
    EXPECT_LACKS(note, "are bound to");
  }
}

TEST(CoreUse, NamesHostsWithMoreThreadsThanCoresButAHardwareThreadForEach) {
  const JobReport all = on_four_cores({0, 1, 2, 3, 4, 5, 6, 7}, "0-7");
  EXPECT_TRUE(all.totals.hosts[0].users.empty());
  const auto notes = core_notes(all);
  ASSERT_EQ(1u, notes.size());
  EXPECT_EQ(0u, notes[0].find("several hardware threads of a core are used "
                              "(node1: 8 threads on 4 cores): "))
      << notes[0];
  EXPECT_TRUE(core_notes(on_four_cores({0, 1, 2, 3}, "0-7")).empty());
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

TEST(CoreUse, CountsCoresOfTheJobThatNoThreadIsLeftFor) {
  JobReport report = on_four_cores({0, 1}, "0-7");
  HostShare& host = report.totals.hosts[0];
  host.cpus = cpus("0-7");  // not bound
  EXPECT_TRUE(core_notes(report).empty());
  report.context.job.id = "17";
  ASSERT_EQ(1u, core_notes(report).size());
  EXPECT_EQ(0u, core_notes(report)[0].find(
                    "the job's 2 threads on node1 could use 4 cores there: 2 "
                    "cores had nothing to do."))
      << core_notes(report)[0];
  report.context.job.system = "Slurm";
  report.context.job.cpus_per_task = "2";
  EXPECT_HAS(core_notes(report)[0], "there (Slurm gave 2 to each task): ");
}

// Without a cpuset all processors of the host seem to be the job's.
TEST(CoreUse, BelievesTheBatchSystemWhereNoCpusetShowsWhatItGave) {
  JobReport report = on_four_cores({0, 1}, "0-7");
  report.context.job = {"Slurm", "17", "", "", "", "1", "4", ""};
  ASSERT_EQ(1u, core_notes(report).size());
  EXPECT_EQ(0u, core_notes(report)[0].find(
                    "Slurm gave the job 4 processors on its hosts, and it has "
                    "2 threads; nothing keeps it to them"))
      << core_notes(report)[0];
  // All processors of the host: what may not be used is known.
  report.context.job.cpus_on_nodes = "8";
  EXPECT_EQ(0u, core_notes(report).at(0).find("the job had cores 2-3,6-7"));
}

TEST(Allotment, ReadsSlurmsCounts) {
  EXPECT_EQ(64, cpus_in_slurms_text("64"));
  EXPECT_EQ(160, cpus_in_slurms_text("64(x2),32"));
  for (const char* const text :
       {"", "x", "64(", "64(x", "64(x2", "64(x2)3", "64,", "-4", "64(x0)"}) {
    EXPECT_EQ(0, cpus_in_slurms_text(text)) << text;
  }
}

TEST(CoreUse, TellsOfMemoryOnOtherNumaNodes) {
  constexpr int64_t kMb = 1'000'000;
  JobReport report = test::small_report();
  const auto notes_with = [&](int64_t misplaced) {
    set_amount(kPlacedMemory.name, 1000 * kMb, &report.totals.resources);
    set_amount(kMisplacedMemory.name, misplaced, &report.totals.resources);
    report.totals.hosts[0].numa_memory = {{0, 900 * kMb}, {1, 100 * kMb}};
    return core_notes(report);
  };
  EXPECT_TRUE(notes_with(190 * kMb).empty());
  ASSERT_EQ(1u, notes_with(400 * kMb).size());
  const std::string note = notes_with(400 * kMb)[0];
  EXPECT_EQ(0u, note.find("40.0 % of the memory (400.0 MB of 1.000 GB) is not "
                          "on the NUMA nodes where the threads are ("))
      << note;
  EXPECT_HAS(note, "NUMA 0 900.0 MB, NUMA 1 100.0 MB)");
}

// However large its share is.
TEST(CoreUse, SaysNothingOfLittleMemoryOnOtherNumaNodes) {
  JobReport report = test::small_report();
  const auto notes_with = [&](int64_t misplaced) {
    set_amount(kPlacedMemory.name, 80 << 20, &report.totals.resources);
    set_amount(kMisplacedMemory.name, misplaced, &report.totals.resources);
    return core_notes(report);
  };
  EXPECT_TRUE(notes_with((64 << 20) - 1).empty());
  ASSERT_EQ(1u, notes_with(64 << 20).size());
  EXPECT_EQ(0u, notes_with(64 << 20)[0].find("80.0 % of the memory ("));
}

TEST(CoreUse, SaysThatThreadsSlept) {
  JobReport report = test::hybrid_report();
  const auto useful =
      static_cast<double>(global_region(report)->totals.useful_sum_ns);
  set_amount(kSystemTime.name, 0, &report.totals.resources);
  const auto with_cpu = [&](double share) {
    set_amount(kUserTime.name, static_cast<int64_t>(share * useful),
               &report.totals.resources);
    return core_notes(report);
  };
  // Not while it is not known what they waited for a core.
  EXPECT_TRUE(with_cpu(0.82).empty());
  set_amount(kWaitedForCore.name, 0, &report.totals.resources);
  EXPECT_TRUE(with_cpu(0.96).empty());
  ASSERT_EQ(1u, with_cpu(0.82).size());
  EXPECT_EQ(0u,
            with_cpu(0.82)[0].find("in at least 18.0 % of the useful time "));
  // What they waited for a core is another matter.
  set_amount(kWaitedForCore.name, static_cast<int64_t>(0.14 * useful),
             &report.totals.resources);
  EXPECT_TRUE(with_cpu(0.82).empty());
}

}  // namespace
}  // namespace poprt
