// Each note, and each word of the light, is said where it is true, and not
// where it is not.
#include "report/notes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "model/device_amounts.h"
#include "model/judge.h"
#include "model/noted.h"
#include "model/plausible.h"
#include "model/quantities.h"
#include "report/core_use.h"
#include "report/light.h"
#include "unit/core_reports.h"
#include "unit/has.h"
#include "unit/sample_reports.h"
#include "unit/sentence_pairs.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

using test::bound_report;
using test::bound_to_two_of_four;
using test::changed;
using test::cpus;
using test::of_job;
using test::on_four_cores;
using test::Pair;
using test::report_with;
using test::two_threads_on_eight;

// Nothing is said of it.
JobReport good() {
  return changed(test::hybrid_report(), [](JobReport* report) {
    Quality& quality = report->totals.quality;
    quality = {};
    quality.clock_messages = 1000;
    auto& resources = report->totals.resources;
    test::know_all(&resources);
    set_amount(kProgramThreads.name, 0, &resources);
  });
}

JobReport with(const Resource& which, double share_of_core_time) {
  return changed(good(), [&](JobReport* report) {
    set_amount(which.name,
               std::llround(share_of_core_time *
                            static_cast<double>(job_core_ns(*report))),
               &report->totals.resources);
  });
}

JobReport with_cpu_time(double share_of_core_time) {
  return changed(with(kUserTime, share_of_core_time), [](JobReport* report) {
    set_amount(kSystemTime.name, 0, &report->totals.resources);
  });
}

JobReport without(const Resource& which) {
  return changed(good(), [&](JobReport* report) {
    test::forget(which.name, &report->totals.resources);
  });
}

JobReport with_quality(int64_t Quality::*which, int64_t value = 3) {
  return changed(good(), [&](JobReport* report) {
    report->totals.quality.*which = value;
  });
}

JobReport ended(const std::vector<EndedRanks>& endings) {
  return changed(good(),
                 [&](JobReport* report) { report->context.endings = endings; });
}

JobReport with_misplaced(int64_t megabytes) {
  return changed(good(), [&](JobReport* report) {
    set_amount(kPlacedMemory.name, 1000 << 20, &report->totals.resources);
    set_amount(kMisplacedMemory.name, megabytes << 20,
               &report->totals.resources);
  });
}

JobReport with_io(double share) {
  return changed(good(), [&](JobReport* report) {
    RegionTotals& global = report->regions[0].totals;
    const auto core = static_cast<double>(global.elapsed_weighted_ns);
    set_amount(kMpiIo.name, std::llround(share * core), &global.amounts);
  });
}

JobReport with_places(const std::string& of_loop, const std::string& of_call) {
  return changed(good(), [&](JobReport* report) {
    ConstructReport loop;
    loop.totals.module = "/opt/lib/libsolve.so";
    loop.location = of_loop;
    report->constructs = {loop};
    CallReport call;
    call.totals.module = "/opt/lib/libtalk.so";
    call.location = of_call;
    report->calls = {call};
  });
}

JobReport asked_for(const std::string& threads) {
  return changed(good(), [&](JobReport* report) {
    report->context.environment = {{"OMP_NUM_THREADS", threads}};
  });
}

JobReport unmeasured(int64_t processes) {
  return changed(good(), [&](JobReport* report) {
    report->totals.unmeasured_processes = processes;
  });
}

JobReport of_unseen(bool has_ended = false) {
  return changed(good(), [&](JobReport* report) {
    report->totals.has_unseen_openmp = true;
    report->totals.has_openmp = false;
    report->context.openmp_runtime = has_ended ? "LLVM" : "";
  });
}

JobReport of_gcc() {
  return changed(of_unseen(), [](JobReport* report) {
    report->totals.quality.notes = {noted<"openmp_of_gcc">("libomp.so")};
  });
}

JobReport calling(const std::vector<UnwrappedCall>& calls) {
  return changed(good(), [&](JobReport* report) {
    report->totals.unwrapped_calls = calls;
  });
}

JobReport imported() {
  return changed(good(), [](JobReport* report) {
    report->context.imported_from = "TALP 3.5";
  });
}

std::vector<Pair> note_pairs() {
  const JobReport none = good();
  const BatchJob job = {"Slurm", "17", "", "", "", "", "", ""};
  const BatchJob with_word = {"Slurm", "17", "", "", "", "1", "4", ""};
  return {
      {"incomplete", ended({{"killed", "0-3", 4, 5, 9}}),
       "incomplete run, recovered from checkpoints: ranks 0-3 killed", none},
      {"crowded_processes", report_with(0.5, 3, "0-7"),
       "3 of 4 processes had more threads than cores",
       report_with(0.009, 3, "0-7")},
      {"shared_cores", bound_report({{3, 0, 1}, {4, 1, 1}, {3, 2, 1}}),
       "ranks 0 and 2 of node1 may use only the same core 3: their threads",
       bound_report({{3, 0, 1}, {4, 1, 1}})},
      {"crowded_hosts", report_with(0.5, 0, "0-1"),
       "there were more threads than cores that they might use (",
       report_with(0.5, 3, "0-1")},
      {"bound_siblings", on_four_cores({0, 1, 5}, "0-7"),
       "threads of ranks 1 and 2 of node1 are bound to hardware threads",
       on_four_cores({0, 1, 6}, "0-7")},
      {"full_cores", on_four_cores({0, 1, 2, 3, 4, 5, 6, 7}, "0-7"),
       "several hardware threads of a core are used (node1: 8 threads on 4",
       on_four_cores({0, 1, 2, 3}, "0-7")},
      {"cores_by_word", of_job(two_threads_on_eight(), with_word),
       "Slurm gave the job 4 processors on its hosts, and it has 2 threads",
       of_job(two_threads_on_eight(), job)},
      {"unused_cores", of_job(bound_to_two_of_four(), job),
       "the job had cores 2-3,6-7 of node1, where none",
       bound_to_two_of_four()},
      {"idle_cores", of_job(two_threads_on_eight(), job),
       "the job's 2 threads on node1 could use 4 cores there: 2 cores had",
       two_threads_on_eight()},
      {"misplaced_memory", with_misplaced(200), "20.0 % of the memory (",
       with_misplaced(199)},
      {"slept", with_cpu_time(0.01), "in at least ", with_cpu_time(0.99)},
      {"file_io", with_io(0.06),
       "file I/O takes much of the core time of Global", with_io(0.04)},
      {"lost_clocks", with_quality(&Quality::lost_clocks),
       "3 MPI calls or more without clocks of other processes", none},
      {"foreign_threads", with_quality(&Quality::foreign_threads),
       "3 threads unknown to OpenMP spent 0 ns in MPI", none},
      {"unknown_threads", with(kUnknownThreadsCpu, 0.02),
       "threads unknown to OpenMP (pthreads,", with(kUnknownThreadsCpu, 0.009)},
      {"closure_error", with_quality(&Quality::closure_error_ns),
       "the states of a thread differ from its elapsed time by 3 ns", none},
      {"unmeasured_processes", unmeasured(2),
       "only 4 of 6 processes had poprt's library", none},
      {"regions_without_clocks", none,
       "not all messages had room for the clocks of all regions: those of "
       "setup",
       unmeasured(1)},
      {"one_thread",
       changed(asked_for("4,2"),
               [](JobReport* report) {
                 report->totals.threads = report->totals.processes;
               }),
       "OMP_NUM_THREADS is 4, and OpenMP told of one thread in each process",
       asked_for("4,2")},
      {"no_names", with_places("libsolve.so+0x12", "libtalk.so+0x8"),
       "no names of functions in libsolve.so, libtalk.so: install",
       with_places("solve.c:3 (sweep)", "solve.c:5 (sweep)")},
      {"regions_dropped", with_quality(&Quality::regions_dropped),
       "3 starts of a region refused", none},
      {"stops_without_start", with_quality(&Quality::stops_without_start),
       "3 stops of a region not started: ignored.", none},
      {"starts_without_stop", with_quality(&Quality::starts_without_stop),
       "3 regions still open at the end: closed there.", none},
      {"shared_starts", with_quality(&Quality::shared_starts),
       "3 regions started by several threads at once", none},
      {"metadata_dropped", with_quality(&Quality::metadata_dropped),
       "3 calls of pop_metadata refused", none},
  };
}

template <class Rows>
std::vector<std::string> keys_of(const Rows& rows) {
  std::vector<std::string> keys;
  for (const auto& each : rows) keys.emplace_back(each.key);
  return keys;
}

TEST(Notes, EachIsSaidWhereItIsTrueAndOnlyThere) {
  test::expect_pairs(keys_of(notes()), note_pairs(),
                     [](const JobReport& report, const std::string& key) {
                       return test::said_by(notes(), key, report);
                     });
}

TEST(Notes, OfNoNamesNeedAProgramThatLooksForThem) {
  JobReport report = with_places("libsolve.so+0x12", "libtalk.so+0x8");
  EXPECT_NE("", test::said_by(notes(), "no_names", report));
  report.totals.quality.notes = {noted<"no_locations">("Permission denied")};
  EXPECT_EQ("", test::said_by(notes(), "no_names", report));
}

TEST(Notes, AreAllThatAreTrue) {
  for (const Pair& pair : note_pairs()) {
    const std::vector<std::string> all = quality_notes(pair.with);
    EXPECT_TRUE(std::ranges::any_of(all, [&](const std::string& each) {
      return each.starts_with(pair.words);
    })) << pair.key;
  }
}

// Of a cause: of its number, and "unknown KEY" of one that is not known; all
// else by its own key.
std::string said_of_light(const JobReport& report, const std::string& key) {
  const std::string text = light_list(report).facts[0].text +
                           (is_red(report) ? " " + red_sentence(report) : "");
  const auto if_there = [&](const std::string& words) {
    return text.find(words) != std::string::npos ? words : "";
  };
  const Judgement judgement = judge(report);
  for (const auto& rows : {light_frame(), unknown_causes()}) {
    const std::string each =
        test::said_by(rows, key, Judged{report, judgement, judgement.light});
    if (!each.empty()) return if_there(each);
  }
  for (const FoundCause& found : judgement.causes) {
    const CauseWords& words =
        *std::ranges::find(cause_words(), found.cause.key, &CauseWords::key);
    const bool is_known = !std::isnan(found.value);
    const bool is_all = words.words_of_all != nullptr && found.value == 1;
    if (key == (is_all ? "all " : "") + std::string(words.key) && is_known) {
      return if_there(words_of(report, found));
    }
    if (key == "unknown " + std::string(words.key) && !is_known) {
      return if_there(words.unknown);
    }
    for (const auto& rows : {words.endings, words.remedies}) {
      const std::string each = test::said_by(rows, key, report);
      if (each.empty() || each != first_said(rows, report)) continue;
      return if_there(each);
    }
  }
  return "";
}

std::vector<std::string> keys_of_light() {
  std::vector<std::string> keys;
  const auto add = [&](const std::string& key) {
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  };
  for (const auto& rows : {light_frame(), unknown_causes()}) {
    for (const auto& row : rows) add(row.key);
  }
  for (const CauseWords& each : cause_words()) {
    if (each.words != nullptr) add(std::string(each.key));
    if (each.words_of_all != nullptr) add("all " + std::string(each.key));
    if (each.unknown != nullptr) add("unknown " + std::string(each.key));
    for (const auto& rows : {each.endings, each.remedies}) {
      for (const auto& row : rows) add(row.key);
    }
  }
  return keys;
}

// The first lines of a report have room for the first of many causes.
TEST(Light, NamesTheLastOfManyCausesAndLeavesThemToNotes) {
  const JobReport report = changed(with(kWaitedForCore, 0.3), [](JobReport* r) {
    r->totals.quality.overhead_ns = job_core_ns(*r) / 4;
    set_amount(kChildrenCpu.name, job_core_ns(*r), &r->totals.resources);
    r->totals.quality.closure_error_ns = 3;
  });
  const std::string overhead =
      "poprt itself took about 25.0 % (limit 20 %) of the core time. Measure "
      "with fewer options";
  const std::string in_short = short_red_sentence(report);
  EXPECT_TRUE(in_short.starts_with(
      "This run cannot be judged: for 30.0 % (limit 20 %) of the core time"))
      << in_short;
  EXPECT_TRUE(in_short.ends_with(
      "More in the notes: unmeasured threads 50.0 %, overhead 25.0 %."))
      << in_short;
  EXPECT_HAS(red_sentence(report), "P" + overhead.substr(1));
  const std::vector<std::string> notes = quality_notes(report);
  EXPECT_TRUE(notes[0].starts_with("50.0 % (limit 20 %) of all time that"))
      << notes[0];
  EXPECT_TRUE(notes[1].starts_with(overhead)) << notes[1];
  // What makes it amber besides has room.
  EXPECT_EQ(2u, causes_left_to_notes(report).size());
  EXPECT_TRUE(causes_left_to_notes(with(kWaitedForCore, 0.3)).empty());
}

JobReport wanting(double waited, double on_core, std::string_view cores) {
  return changed(report_with(waited, 0, cores), [&](JobReport* report) {
    const double ns = on_core * static_cast<double>(job_core_ns(*report));
    set_amount(kUserTime.name, std::llround(ns), &report->totals.resources);
    set_amount(kSystemTime.name, 0, &report->totals.resources);
  });
}

std::vector<Pair> light_pairs() {
  const JobReport none = good();
  const JobReport few = wanting(0.5, 0.2, "0-1");
  const JobReport others = wanting(0.18, 0.7, "0-63");
  const JobReport unmeasured_others = changed(others, [](JobReport* report) {
    set_amount(kChildrenCpu.name, job_core_ns(*report) / 50,
               &report->totals.resources);
  });
  const auto with_allotted = [](JobReport* report) {
    for (HostShare& host : report->totals.hosts) host.allotted = cpus("0-7");
  };
  const auto with_quota = [](JobReport* report) {
    for (HostShare& host : report->totals.hosts) host.quota = {200, 7};
  };
  const auto with_run_time = [](double seconds) {
    return changed(good(), [&](JobReport* report) {
      report->regions[0].totals.all_ns = std::llround(seconds * 1e9);
    });
  };
  const JobReport overhead =
      with_quality(&Quality::overhead_ns, job_core_ns(none) / 10);
  const JobReport error = with_quality(&Quality::closure_error_ns);
  const JobReport threads = with(kUnknownThreadsCpu, 0.1);
  const UnwrappedCall extension = {"MPIX_Comm_agree", 1};
  const JobReport newer = calling({extension, {"MPI_Isendrecv", 1}});
  const JobReport past_poprt = calling({extension, {"MPI_Barrier", 1, true}});
  const JobReport killed = ended({{"killed", "0-3", 4, 5, 9}});
  const JobReport red = with(kWaitedForCore, 0.3);
  return {
      {"green", none, "nothing stands against these numbers.", overhead},
      {"amber", overhead, "poprt itself took about 10.0 % (limit 5 %)", none},
      {"red", red, "this run cannot be judged.", overhead},
      {"besides",
       changed(red,
               [](JobReport* report) {
                 report->totals.quality.closure_error_ns = 3;
               }),
       "Besides, the states of a thread differ", red},
      {"of_another_tool", imported(),
       "another tool measured this run, and does not tell what else", none},
      {"not_known", without(kWaitedForCore),
       "not known: how long threads waited for a core.", imported()},
      {"missing_ranks", unmeasured(1), "nothing is known of 1 of 5 ranks",
       none},
      {"preload_all", unmeasured(1),
       "Preload poprt's library into every program of the job.",
       ended({{"killed", "0", 1, 0, 0}})},
      {"let_it_end", ended({{"killed", "0", 1, 0, 0}}),
       "Let the job come to its end,", unmeasured(1)},
      {"waited_for_core", with(kWaitedForCore, 0.051),
       "for 5.1 % (limit 5 %) of the core time threads could have run but had",
       with(kWaitedForCore, 0.049)},
      {"unknown waited_for_core", without(kWaitedForCore),
       "how long threads waited for a core", none},
      {"others_used_it", others, ", because others used it", unmeasured_others},
      {"more_wanted", few,
       ", because its threads wanted 11.2 cores at a time and may use 4",
       others},
      {"more_cores", changed(few, with_quota), "Ask for more cores.", few},
      {"quiet_or_fewer_threads", wanting(0.1, 0.1, "0-1"),
       "Run where nothing else runs, or use at most 4 threads in all.", few},
      {"fewer_threads", few,
       "Use at most 4 threads in all, or ask for more cores.",
       wanting(0.1, 0.1, "0-1")},
      {"bind", changed(few, with_allotted),
       "Bind each thread to a core of its own of the 16 that the job may use "
       "(Open MPI: mpirun --map-by slot:PE=4;",
       few},
      {"wider_mask", changed(wanting(0.5, 0.2, "3"), with_allotted),
       "Use at most 2 threads in all, or lift what keeps all threads to 2 of "
       "16 cores",
       changed(few, with_allotted)},
      {"fewer_of_all", unmeasured_others,
       "Use fewer threads and processes, also of those that are not measured,",
       others},
      {"quiet", others, "Run where nothing else runs.", unmeasured_others},
      {"unmeasured_threads", threads, "9.1 % (limit 5 %) of all time that",
       none},
      {"unknown unmeasured_threads", without(kUnknownThreadsCpu),
       "how long threads worked that are not measured", none},
      {"of_children", with(kChildrenCpu, 0.1),
       ", most of it in child processes",
       changed(with(kChildrenCpu, 0.1),
               [](JobReport* report) {
                 test::forget(kUnknownThreadsCpu.name,
                              &report->totals.resources);
               })},
      {"no_children", with(kChildrenCpu, 0.1),
       "Child processes are not measured: let ranks or threads do", threads},
      {"of_openmp",
       changed(
           threads,
           [](JobReport* report) { report->totals.has_unseen_openmp = true; }),
       " (OpenMP is not seen)", threads},
      {"use_llvm", of_gcc(),
       "To measure GCC's OpenMP, run it under LLVM's runtime: poprt run --omp=",
       of_unseen()},
      {"measure_all_threads",
       changed(threads,
               [](JobReport* report) {
                 test::forget(kProgramThreads.name, &report->totals.resources);
               }),
       "POPRT_THREADS=all measures those that the program makes.", threads},
      {"unknown unmeasured_openmp", of_unseen(),
       "what the threads did of an OpenMP runtime that tells tools nothing",
       none},
      {"ended_openmp", of_unseen(/*has_ended=*/true),
       ", since the program ended the other one", of_unseen()},
      {"devices", with(kTargetOnHost, 0.06),
       "6.0 % (limit 5 %) of the core time may have been waits for helper",
       with(kTargetOnHost, 0.04)},
      {"unknown devices", with(kDeviceProcesses, 1),
       "how long the run waited for accelerators", none},
      {"overhead", overhead, "poprt itself took about 10.0 % (limit 5 %)",
       none},
      {"of_a_thread",
       with_quality(&Quality::overhead_max_ns,
                    none.regions[0].totals.all_ns / 10),
       " of the run time, on the thread where it took most", overhead},
      {"of_core_time", overhead, " of the core time", none},
      {"unknown overhead",
       changed(good(),
               [](JobReport* report) {
                 RegionTotals nothing;
                 nothing.name = kGlobalRegion;
                 report->regions[0].totals = nothing;
               }),
       "what measuring cost", none},
      {"measure_less", overhead, "Measure with fewer options and regions,",
       none},
      {"lost_clocks", with_quality(&Quality::lost_clocks, 11),
       "at least 1.1 % (limit 1 %) of the clocks that processes send each "
       "other did not come, so that serialisation and transfer are less exact",
       with_quality(&Quality::lost_clocks, 10)},
      {"unknown lost_clocks",
       changed(
           killed,
           [](JobReport* report) { report->totals.quality.lost_clocks = 11; }),
       "how many clocks of other processes did not come, of all", killed},
      {"unwrapped_calls", newer,
       "MPI functions to which the program refers and that poprt does not "
       "measure: 2",
       none},
      {"unknown unwrapped_calls",
       changed(good(),
               [](JobReport* report) { report->totals.unread_programs = 1; }),
       "whether the program refers to MPI functions that are not measured",
       none},
      {"call_names", newer, " (MPIX_Comm_agree, MPI_Isendrecv)", none},
      {"build_for_this_mpi", newer,
       "Build this poprt or a newer one with this MPI to measure "
       "MPI_Isendrecv.",
       past_poprt},
      {"open_without_deepbind", past_poprt,
       "Open the library that calls MPI_Barrier without RTLD_DEEPBIND.",
       calling({extension})},
      {"build_and_open",
       calling({extension, {"MPI_Barrier", 1, true}, {"MPI_Isendrecv", 1}}),
       "Build this poprt or a newer one with this MPI to measure "
       "MPI_Isendrecv. Open the library that calls MPI_Barrier without "
       "RTLD_DEEPBIND.",
       newer},
      {"closure_error", error, "the states of a thread differ from its", none},
      {"unknown closure_error",
       changed(with_run_time(0),
               [](JobReport* report) {
                 report->totals.quality.closure_error_ns = 3;
                 report->regions[0].totals.elapsed_max_ns = 0;
               }),
       "whether states add up to elapsed times", error},
      {"please_report", error, "Please report this with the run file.", none},
      {"out_of_range",
       changed(good(),
               [](JobReport* report) {
                 report->regions[0].metrics.pop.load_balance = 1.2;
                 note_out_of_range(report);
               }),
       "numbers outside of their range: 1", none},
      {"not_ended",
       changed(
           killed,
           [](JobReport* report) { report->totals.unmeasured_processes = 1; }),
       "4 of 5 ranks did not come to their end", none},
      {"all not_ended", killed, "no rank came to its end", none},
      {"run_time_s", with_run_time(0.9),
       "the run is short (900.0 ms, limit 1 s)", with_run_time(1.1)},
      {"measure_longer", with_run_time(0.9), "Measure a longer run.",
       with_run_time(1.1)},
  };
}

TEST(Light, EachWordIsSaidWhereItIsTrueAndOnlyThere) {
  test::expect_pairs(keys_of_light(), light_pairs(), said_of_light);
}

}  // namespace
}  // namespace poprt
