#include "report/processes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "document/format.h"
#include "document/render.h"
#include "model/quantities.h"
#include "report/placement.h"
#include "report/table_options.h"
#include "run_file/json_document.h"
#include "run_file/writer.h"
#include "unit/golden.h"
#include "unit/has.h"
#include "unit/sample_reports.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// Rank i of `ranks` has i + 1 s of useful time in the 100 s of Global.
JobReport job_of_ranks(int64_t ranks) {
  constexpr int64_t kSecond = 1000000000;
  JobTotals job;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    const test::ProcessTimes times =
        test::mpi_process((rank + 1) * kSecond, 100 * kSecond);
    JobTotals own = test::job_of(times, {test::region_of("Global", times, {})});
    add_rows(rank, &own);
    job = combine(std::move(job), own);
  }
  return make_report({}, std::move(job));
}

// All blocks, as the report shows them.
std::string text_of(const JobReport& report, const TableOptions& options = {}) {
  std::string text;
  for (const Block& block : process_blocks(report, options)) {
    text += block_text(block);
  }
  return text;
}

// Of a rank of which it is not known it is not nothing.
TEST(Processes, WhatIsTakenIsNotKnownInAllUnlessOfEachRank) {
  JobReport report = job_of_ranks(2);
  for (ProcessPlace& place : report.totals.places) {
    place.cpus.add(0);
    set_amount(kMemorySum.name, 1000 + place.rank, &place.resources);
  }
  const auto line = [&] {
    std::string text;
    for (const Block& block : placement_blocks(report)) {
      text += block_text(block);
    }
    const size_t at = text.find("memory, bytes");
    return text.substr(at, text.find('\n', at) - at);
  };
  const std::string whole = line();
  std::erase_if(report.totals.places[0].resources, [](const Amount& each) {
    return each.name == kMemorySum.name;
  });
  EXPECT_EQ(
      "memory, bytes                      2001    1000    1000       0    1001 "
      "      1",
      whole);
  EXPECT_EQ(
      "memory, bytes                         -       -    1001       1    1001 "
      "      1",
      line());
}

// What `poprt report` is tested with, and the way to make it anew
// (tests/command/make_runs.py shortens it).
TEST(Processes, TheirGoldenFileIsWhatIsWritten) {
  const std::string name = "run_file/rows.json";
  Json written = Json::parse(to_json(test::hybrid_report(true)));
  written["tool"]["version"] = "0.1.0";
  if (written == Json::parse(test::golden_text(name))) return;
  test::expect_golden(name, written.dump(1) + "\n");
}

TEST(Processes, OfGlobalAreShownUnlessRegionsAreNamed) {
  const JobReport report = test::hybrid_report(true);
  EXPECT_TRUE(has_rows(report));
  const std::vector<Block> blocks = process_blocks(report, {});
  ASSERT_EQ(2u, blocks.size());
  EXPECT_EQ("Global", std::get<Table>(blocks[0]).region);
  EXPECT_FALSE(goes_on(blocks[0]));
  EXPECT_TRUE(goes_on(blocks[1]));
  TableOptions options;
  options.regions = {"setup", "CommSBN"};
  EXPECT_EQ(4u, process_blocks(report, options).size());
}

TEST(Processes, AreShownWithTheirCores) {
  JobReport report = job_of_ranks(2);
  JobTotals& job = report.totals;
  Topology topology;
  for (int cpu = 0; cpu < 4; ++cpu) {
    topology.cpus.add(cpu);
    topology.cores.emplace_back().add(cpu);
    if (cpu % 2 == 0) topology.sockets.emplace_back();
    topology.sockets.back().add(cpu);
  }
  topology.numa_nodes = topology.sockets;
  // Sub-NUMA clusters that are off leave gaps in the system's numbers.
  topology.memory = {{0, "DRAM", 0, topology.sockets[0]},
                     {4, "DRAM", 0, topology.sockets[1]},
                     {6, "HBM", 0, topology.sockets[1]},
                     {7, "CXL-DRAM", 0, topology.cpus}};
  topology.id = job.hosts.at(0).topology = topology_id(topology);
  job.topologies = {topology};
  job.places[0].cpus.add(1);
  job.places[1].cpus = topology.sockets[1];
  job.places[1].ran_on.add(3);
  set_amount(kUserTime.name, 2000000000, &job.places[1].resources);
  const std::string text = text_of(report);
  EXPECT_HAS(text, "socket 0 NUMA 0    DRAM  [0] [1 r0]\n");
  EXPECT_HAS(text, "socket 1 NUMA 4,6  DRAM, HBM  [2-3 r1]\n");
  EXPECT_EQ(1u, count_of(text, " CPU, program ")) << text;
  ProcessesCsv processes;
  processes.add(report, "f", {});
  const std::string csv = processes.text();
  EXPECT_EQ(1u, count_of(csv, ",2-3,3,2000000000,,")) << csv;
}

TEST(Processes, AreNotThereWithoutRows) {
  EXPECT_FALSE(has_rows(test::hybrid_report()));
  EXPECT_TRUE(process_blocks(test::hybrid_report(), {}).empty());
}

TEST(Processes, HaveSumMeanAndExtremesOfEachColumn) {
  const std::string block = text_of(job_of_ranks(3));
  EXPECT_EQ(1u, count_of(block,
                         " elapsed                300.0 s    100.0 s    "
                         "100.0 s       0    100.0 s       0\n"))
      << block;
  EXPECT_EQ(1u, count_of(block,
                         " useful                 6.000 s    2.000 s    "
                         "1.000 s       0    3.000 s       2\n"))
      << block;
  EXPECT_EQ(0u, count_of(block, "MPI-IO")) << "a column of zeros";
}

TEST(Processes, AreListedAllOrTheFiveAtEachEnd) {
  const std::string ten = text_of(job_of_ranks(10));
  EXPECT_EQ(10u, count_of(ten, "node1"));
  EXPECT_EQ(0u, count_of(ten, "between"));
  const std::string many = text_of(job_of_ranks(60));
  EXPECT_EQ(10u, count_of(many, "node1"));
  EXPECT_EQ(1u, count_of(many, "     and 50 between\n"));
  EXPECT_LT(many.find("     59        1    100.0 s    60.00 s   60.0"),
            many.find("      0        1    100.0 s    1.000 s    1.0"))
      << many;
}

TEST(Processes, ThatHaveNoRowsAreCounted) {
  JobReport report = job_of_ranks(4);
  report.regions[0].totals.rows.pop_back();
  EXPECT_EQ(1u, count_of(text_of(report), " (rows of 3 of 4 processes: "));
}

TEST(Processes, FitTheReportsWidth) {
  std::stringstream lines(text_of(test::hybrid_report(true)));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), kReportWidth) << line;
  }
}

TEST(Processes, AreAllInCsv) {
  const JobReport report = job_of_ranks(60);
  ProcessesCsv processes;
  processes.add(report, "a,b.json", {});
  const std::string csv = processes.text();
  EXPECT_EQ(
      "file,region,host,threads,rank,visits,elapsed_ns,useful_ns,mpi_ns,"
      "omp_ns,accelerator_ns,useful_max_ns,serial_ns,outside_mpi_ns,"
      "mpi_io_ns,mpi_inside_ns,openmp_mpi_inside_ns,openmp_serialised_ns,"
      "openmp_scheduling_ns,openmp_not_started_ns,"
      "openmp_accelerator_inside_ns,openmp_other_teams_ns,"
      "mpi_io_read_bytes,mpi_io_written_bytes,mpi_io_calls,posix_io_ns,"
      "posix_io_read_bytes,posix_io_written_bytes,posix_io_calls,"
      "mpi_waiting_ns,mpi_transfer_ns,mpi_unknown_ns,"
      "accelerator_waiting_ns,accelerator_copying_ns,"
      "accelerator_launching_ns,accelerator_inside_ns,"
      "accelerator_waiting_lost_ns,accelerator_copying_lost_ns,"
      "accelerator_launching_lost_ns,callers_outside_both_ns,"
      "callers_outside_both_max_ns,talp_accelerator_ns,cpus,ran_on,"
      "cpu_user_ns,cpu_system_ns,waited_for_core_ns,voluntary_switches,"
      "involuntary_switches,memory_bytes,peak_memory_bytes,unknown_threads,"
      "unknown_threads_cpu_ns,child_processes_cpu_ns,placed_memory_bytes,"
      "misplaced_memory_bytes,program_threads\n",
      csv.substr(0, csv.find('\n') + 1));
  EXPECT_EQ(61, std::count(csv.begin(), csv.end(), '\n'));
  EXPECT_EQ(1u, count_of(csv,
                         "\"a,b.json\",Global,node1,1,1,1,100000000000,"
                         "2000000000,98000000000,0,0,2000000000,2000000000,"
                         "2000000000,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
                         "0,0,0,0,0,2000000000,2000000000,0,,,,,,,,,,,,,,,\n"))
      << csv;
}

TEST(Processes, HaveTheCountersOfAllRunsInCsv) {
  ProcessesCsv processes;
  for (const char* counter : {"PAPI_TOT_INS", "a,b"}) {
    JobReport report = job_of_ranks(2);
    set_amount(counter_amount(counter), 7,
               &report.regions[0].totals.rows[1].amounts);
    processes.add(report, counter, {});
  }
  std::stringstream lines(processes.text());
  std::vector<std::string> ends;
  const std::string places(15, ',');  // what is not known here
  for (std::string line; std::getline(lines, line);) {
    ends.push_back(line.substr(line.rfind("000000000,0,") == std::string::npos
                                   ? line.find(",counters.")
                                   : line.rfind("000000000,0,") + 11));
  }
  EXPECT_EQ((std::vector<std::string>{",counters.PAPI_TOT_INS,\"counters.a,b\"",
                                      places + ",,", places + ",7,",
                                      places + ",,", places + ",,7"}),
            ends);
}

}  // namespace
}  // namespace poprt
