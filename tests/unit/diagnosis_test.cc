#include "launch/diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "document/render.h"
#include "unit/golden.h"
#include "unit/has.h"

namespace poprt {
namespace {

const Launcher* launcher_with(std::string_view command) {
  return std::ranges::find_if(kLaunchers, [&](const Launcher& each) {
    return has_word(each.commands, command);
  });
}

// A machine and an installation on which all is well.
MachineFacts good_facts() {
  MachineFacts facts;
  facts.launchers = {{"/bin/mpirun", launcher_with("orterun")},
                     {"/bin/mpiexec", launcher_with("mpiexec.hydra")}};
  facts.libomp = "/l/libomp.so";
  facts.shm_free_bytes = int64_t{1} << 30;
  facts.can_write_here = true;
  facts.papi = "libpapi.so.7";
  facts.energy = MachineFacts::Energy::kReadable;
  facts.processor = "Intel Skylake";
  facts.counter_sets = "default, fp";
  return facts;
}

Installation good_installation() {
  return {{{Mpi::kOpenMpi, "/p/o.so"},
           {Mpi::kMpich, "/p/m.so"},
           {Mpi::kStandardAbi, "/p/a.so"}},
          {},
          "/p/omp.so",
          "/p/poprt-locations",
          "/p/poprt-topology"};
}

Diagnosis finding(const std::string& what, const MachineFacts& facts,
                  const Installation& installation = good_installation()) {
  for (const Diagnosis& each : diagnoses(facts, installation)) {
    if (each.what == what) return each;
  }
  ADD_FAILURE() << "nothing about " << what;
  return {};
}

TEST(Diagnosis, NamesTheSetsOfCountersOfTheProcessor) {
  MachineFacts facts = good_facts();
  EXPECT_EQ("of Intel Skylake: default, fp",
            finding("counter sets", facts).state);
  facts.counter_sets = "";
  EXPECT_EQ(Health::kLess, finding("counter sets", facts).health);
  EXPECT_EQ("Intel Skylake is in no table: default only",
            finding("counter sets", facts).state);
}

TEST(Diagnosis, SaysWhetherPosixIoCanBeMeasured) {
  MachineFacts facts = good_facts();
  EXPECT_EQ("poprt run --io posix measures it",
            finding("POSIX I/O", facts).state);
  facts.table_error = EACCES;
  EXPECT_EQ(Health::kLess, finding("POSIX I/O", facts).health);
  EXPECT_HAS(finding("POSIX I/O", facts).state, "Permission denied");
}

TEST(Diagnosis, AllIsWell) {
  for (const Diagnosis& each : diagnoses(good_facts(), good_installation())) {
    EXPECT_EQ(Health::kGood, each.health) << each.what;
    EXPECT_FALSE(each.state.empty()) << each.what;
    EXPECT_EQ("", each.advice) << each.what;
  }
}

std::string text_of(const MachineFacts& facts,
                    const Installation& installation) {
  return block_text(fact_list(diagnoses(facts, installation)));
}

// The output of `poprt doctor`, also on a machine on which much is missing.
TEST(Diagnosis, IsTheGoldenOne) {
  MachineFacts facts = good_facts();
  facts.libgomp = "libgomp.so.1";
  std::string text =
      "--- a good machine\n" + text_of(facts, good_installation());
  facts.launchers = {{"/bin/mpirun", launcher_with("orterun")},
                     {"/bin/srun", launcher_with("srun")}};
  facts.libomp.clear();
  facts.counter_error = EACCES;
  facts.perf_event_paranoid = 4;
  facts.energy = MachineFacts::Energy::kForbidden;
  facts.sharing_error = EPERM;
  facts.shm_free_bytes = 64 << 20;
  facts.can_write_here = false;
  Installation part;
  part.mpi_libraries = {{Mpi::kMpich, "/opt/my tools/lib/mpich/libpoprt.so"}};
  text += "--- much is missing\n" + text_of(facts, part);
  facts = MachineFacts();
  facts.omp_tool_disabled = true;
  facts.counter_error = ENOENT;
  facts.shm_free_bytes = -1;
  text += "--- nothing is there\n" + text_of(facts, Installation());
  test::expect_golden("doctor.txt", text);
}

TEST(Diagnosis, AnMpiNeedsItsLauncherAndItsLibrary) {
  MachineFacts facts = good_facts();
  EXPECT_EQ("/bin/mpirun, /p/o.so", finding("Open MPI", facts).state);
  Installation installation = good_installation();
  installation.mpi_libraries.erase(Mpi::kOpenMpi);
  EXPECT_HAS(finding("Open MPI", facts, installation).advice, "mpicc");
  EXPECT_EQ(Health::kGood, finding("MPICH", facts, installation).health);
  facts.launchers.clear();
  EXPECT_HAS(finding("MPICH", facts).advice, "mpirun");
  EXPECT_EQ("not found", finding("Open MPI", facts, installation).state);
  facts.launchers = {{"/bin/srun", launcher_with("srun")}};
  EXPECT_EQ("/bin/srun", finding("Slurm", facts).state);
}

TEST(Diagnosis, OpenMpNeedsLlvmsRuntimeAndALeaveToLook) {
  MachineFacts facts = good_facts();
  facts.libgomp = "libgomp.so.1";
  EXPECT_EQ(Health::kGood, finding("OpenMP", facts).health);
  facts.libomp.clear();
  EXPECT_HAS(finding("OpenMP", facts).state, "libgomp");
  facts.omp_tool_disabled = true;
  EXPECT_EQ("unset OMP_TOOL", finding("OpenMP", facts).advice);
  Installation deaf = good_installation();
  deaf.sees_openmp = false;
  EXPECT_EQ("not seen: poprt was built without omp-tools.h",
            finding("OpenMP", good_facts(), deaf).state);
}

TEST(Diagnosis, CountersAreForbiddenOrNotThere) {
  MachineFacts facts = good_facts();
  facts.counter_error = EACCES;
  facts.perf_event_paranoid = 4;
  EXPECT_EQ("kernel.perf_event_paranoid is 4; PAPI: libpapi.so.7",
            finding("counters", facts).state);
  facts.perf_event_paranoid = kNoParanoidFile;
  EXPECT_HAS(finding("counters", facts).state, "does not allow");
  facts.counter_error = ENOENT;
  EXPECT_HAS(finding("counters", facts).state, "no hardware counters");
  facts.counter_error = ENOSYS;
  EXPECT_EQ(Health::kLess, finding("counters", facts).health);
  facts.counter_error = 0;
  EXPECT_EQ(Health::kGood, finding("counters", facts).health);
  EXPECT_HAS(finding("counters", facts).state, "--counters=default");
  facts.papi.clear();
  EXPECT_EQ(Health::kLess, finding("counters", facts).health);
  EXPECT_HAS(finding("counters", facts).advice, "install PAPI");
}

TEST(Diagnosis, MemoryAndFiles) {
  MachineFacts facts = good_facts();
  facts.sharing_error = EPERM;
  facts.shm_free_bytes = 64 << 20;
  facts.can_write_here = false;
  EXPECT_EQ(Health::kLess, finding("shared memory", facts).health);
  EXPECT_EQ("64 MiB free", finding("/dev/shm", facts).state);
  EXPECT_HAS(finding("/dev/shm", facts).advice, "--shm-size");
  EXPECT_EQ(Health::kLess, finding("run file", facts).health);
  facts.shm_free_bytes = -1;
  EXPECT_HAS(finding("/dev/shm", facts).state, "cannot");
}

TEST(Diagnosis, WhatOfPoprtIsMissing) {
  Installation nothing;
  EXPECT_EQ(Health::kBroken, finding("no MPI", good_facts(), nothing).health);
  EXPECT_HAS(finding("lines of source", good_facts(), nothing).advice, "libdw");
}

TEST(Diagnosis, APlaceFromWhichNothingCanBePreloaded) {
  Installation blank;
  blank.omp_library = "/my tools/libpoprt-omp.so";
  const Diagnosis found = finding("preloading", good_facts(), blank);
  EXPECT_EQ(Health::kBroken, found.health);
  EXPECT_HAS(found.state, blank.omp_library);
}

TEST(Diagnosis, OfCudaSaysWhoHasCupti) {
  MachineFacts facts = good_facts();
  facts.cuda.why_not = "there is no driver (libcuda.so.1)";
  EXPECT_EQ(Health::kGood, finding("CUDA", facts).health);
  EXPECT_EQ("there is no driver (libcuda.so.1)", finding("CUDA", facts).state);
  facts.cuda = {true, "/usr/lib/libcuda.so.1, for CUDA 13.0 or older",
                "13.0.1 (/opt/libcupti.so.13)", "", ""};
  EXPECT_EQ(Health::kGood, finding("CUDA", facts).health);
  EXPECT_EQ(
      "CUPTI 13.0.1 (/opt/libcupti.so.13); POPRT_DEVICES=cuda measures it; not "
      "verified on a GPU; driver: /usr/lib/libcuda.so.1, for CUDA 13.0 or "
      "older",
      finding("CUDA", facts).state);
  facts.cuda.other_tool = "Nsight";
  EXPECT_EQ(Health::kLess, finding("CUDA", facts).health);
  EXPECT_NE(std::string::npos, finding("CUDA", facts).state.find("Nsight"));
  facts.cuda.other_tool = "";
  facts.cuda.why_not = "CUPTI says CUPTI_ERROR_NOT_INITIALIZED";
  EXPECT_EQ(Health::kLess, finding("CUDA", facts).health);
  EXPECT_NE("", finding("CUDA", facts).advice);
}

}  // namespace
}  // namespace poprt
