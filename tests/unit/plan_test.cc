#include "launch/plan.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/library_list.h"
#include "base/mpi_libraries.h"
#include "unit/elf_builder.h"
#include "unit/has.h"
#include "unit/temporary_folder.h"

namespace poprt {
namespace {

const Installation kAll = {
    {{Mpi::kOpenMpi, "/p/openmpi.so"}, {Mpi::kMpich, "/p/mpich.so"}},
    {},
    "/p/omp.so",
    "",
    ""};

Program program_with(Mpi mpi) {
  Program program;
  program.kind = Kind::kDynamic;
  program.mpi = mpi;
  return program;
}

Program gcc_program(Mpi mpi = Mpi::kNone) {
  Program program = program_with(mpi);
  program.libgomp = "/lib/libgomp.so.1";
  return program;
}

Plan plan(const Program& program, const Environment& environment = {},
          const OpenMpChoice& openmp = {},
          const Installation& installation = kAll) {
  return plan_program("app", program, environment, installation, openmp);
}

std::string preload(const Plan& made) {
  return value_of(made.changes, "LD_PRELOAD");
}

TEST(Plan, TakesTheLibraryOfTheProgramsMpi) {
  const Plan open_mpi = plan(program_with(Mpi::kOpenMpi));
  EXPECT_EQ((Environment{{"LD_PRELOAD", "/p/openmpi.so"},
                         {"OMP_TOOL_LIBRARIES", "/p/openmpi.so"},
                         {kMpiLibrariesVariable,
                          "openmpi=/p/openmpi.so\nmpich=/p/mpich.so\n"}}),
            open_mpi.changes);
  EXPECT_EQ("measuring MPI (Open MPI) of app", open_mpi.message);
  EXPECT_EQ("/p/mpich.so", preload(plan(program_with(Mpi::kMpich))));
  Program openmp = program_with(Mpi::kMpich);
  openmp.has_openmp_for_tools = true;
  EXPECT_EQ("measuring MPI (MPICH) and OpenMP of app", plan(openmp).message);
  openmp.mpi = Mpi::kNone;
  EXPECT_EQ("/p/omp.so", preload(plan(openmp)));
  EXPECT_EQ("measuring OpenMP of app", plan(openmp).message);
}

TEST(Plan, SaysThatCudaIsNotMeasured) {
  Program program = program_with(Mpi::kMpich);
  program.has_cuda = true;
  EXPECT_EQ(
      "measuring MPI (MPICH) of app; its CUDA is not measured "
      "(POPRT_DEVICES=cuda does)",
      plan(program).message);
  EXPECT_EQ("measuring MPI (MPICH) of app",
            plan(program, {{"POPRT_DEVICES", "openmp,cuda"}}).message);
}

TEST(Plan, AProgramOfTheStandardAbiHasALibraryOfItsOwn) {
  Installation installation = kAll;
  installation.mpi_libraries[Mpi::kStandardAbi] = "/p/abi.so";
  const Plan made = plan(program_with(Mpi::kStandardAbi), {}, {}, installation);
  EXPECT_EQ("/p/abi.so", preload(made));
  EXPECT_EQ("measuring MPI (MPI's standard ABI) of app", made.message);
  EXPECT_EQ(
      "/p/abi.so",
      mpi_library_in(value_of(made.changes, kMpiLibrariesVariable), "abi"));
  EXPECT_EQ(Mpi::kStandardAbi, mpi_choice_of("abi")->mpi);
}

TEST(Plan, IsInFrontOfWhatIsThere) {
  const Plan made = plan(program_with(Mpi::kMpich),
                         {{"LD_PRELOAD", "/a.so /b.so:/p/mpich.so"},
                          {"OMP_TOOL_LIBRARIES", "/t.so"}});
  EXPECT_EQ("/p/mpich.so:/a.so:/b.so", preload(made));
  EXPECT_EQ("/p/mpich.so:/t.so", value_of(made.changes, "OMP_TOOL_LIBRARIES"));
}

// Its runtime ends the program if another library is before it.
TEST(Plan, TheAddressSanitizerIsFirst) {
  Program program = gcc_program(Mpi::kMpich);
  program.address_sanitizer = "/lib/libasan.so.8";
  EXPECT_EQ("/lib/libasan.so.8:/p/mpich.so:/a.so",
            preload(plan(program, {{"LD_PRELOAD", "/a.so"}})));
}

// Each calls PMPI, where poprt is, and all else is behind poprt.
TEST(Plan, MpiToolsAreInFrontInTheirOrder) {
  Program program = gcc_program(Mpi::kOpenMpi);
  program.mpi_tools = {"/a.so", "b.so", "/linked.so"};
  const Environment environment = {
      {"LD_PRELOAD", "/libmpi.so /a.so /libomp.so:/jemalloc.so:b.so"}};
  const std::string others = ":/libmpi.so:/libomp.so:/jemalloc.so";
  EXPECT_EQ("/a.so:b.so:/linked.so:/p/openmpi.so" + others,
            preload(plan(program, environment)));
  const Environment again = plan(program, environment).changes;
  EXPECT_EQ(value_of(again, "LD_PRELOAD"), preload(plan(program, again)));
  const OpenMpChoice named = {"/new/libomp.so", ""};
  program.address_sanitizer = "/asan.so";
  EXPECT_EQ(
      "/asan.so:/a.so:b.so:/linked.so:/p/openmpi.so:/new/libomp.so" + others,
      preload(plan(program, environment, named)));
}

TEST(Plan, WithoutMpiTheJobTells) {
  const Program program = program_with(Mpi::kNone);
  EXPECT_EQ("/p/omp.so", preload(plan(program)));
  EXPECT_EQ("/p/openmpi.so",
            preload(plan(program, {{"OMPI_COMM_WORLD_RANK", "1"}})));
  EXPECT_EQ("/p/mpich.so", preload(plan(program, {{"PMI_RANK", "1"}})));
  EXPECT_EQ(
      "/p/omp.so",
      preload(plan(program, {{"PMI_RANK", "1"}, {"SLURM_STEP_ID", "0"}})));
  // The MPI that the program needs takes precedence.
  EXPECT_EQ("/p/mpich.so", preload(plan(program_with(Mpi::kMpich),
                                        {{"OMPI_COMM_WORLD_RANK", "1"}})));
}

TEST(Plan, TakesTheMpiThatIsNamed) {
  const auto named = [](const Program& program, const MpiChoice& choice) {
    return plan_program("app", program, {{"OMPI_COMM_WORLD_RANK", "1"}}, kAll,
                        {}, choice);
  };
  const Plan later =
      named(program_with(Mpi::kNone), {"mpich", Mpi::kMpich, ""});
  EXPECT_EQ("/p/mpich.so", preload(later));
  EXPECT_EQ("measuring MPI (MPICH) of app", later.message);
  EXPECT_EQ("", later.other_mpis);
  EXPECT_EQ("/p/mpich.so", preload(named(program_with(Mpi::kOpenMpi),
                                         {"mpich", Mpi::kMpich, ""})));
  const Plan own = named(program_with(Mpi::kNone),
                         {"/my/poprt.so", Mpi::kNone, "/my/poprt.so"});
  EXPECT_EQ("/my/poprt.so", preload(own));
  EXPECT_EQ("measuring MPI (by /my/poprt.so) of app", own.message);
}

TEST(Plan, NamesTheOptionWhereNoMpiIsKnown) {
  const Plan made = plan(program_with(Mpi::kNone));
  EXPECT_EQ("--mpi=openmpi or --mpi=mpich", made.other_mpis);
  EXPECT_HAS(made.message,
             "and programs that it starts (MPI that it loads: --mpi=openmpi "
             "or --mpi=mpich)");
  // Programs that it starts find the library of their MPI.
  const std::string libraries = value_of(made.changes, kMpiLibrariesVariable);
  EXPECT_EQ("/p/openmpi.so", mpi_library_in(libraries, "openmpi"));
  EXPECT_EQ("/p/mpich.so", mpi_library_in(libraries, "mpich"));
  EXPECT_EQ("", plan(program_with(Mpi::kNone), {{"PMI_RANK", "1"}}).other_mpis);
  EXPECT_EQ("", plan(program_with(Mpi::kMpich)).other_mpis);
}

TEST(MpiLibraries, AreFoundByTheirMpi) {
  std::string value;
  add_mpi_library("openmpi", "/a b/openmpi.so", &value);
  add_mpi_library("mpich", "/a\nb.so", &value);
  EXPECT_EQ("/a b/openmpi.so", mpi_library_in(value, "openmpi"));
  EXPECT_EQ("", mpi_library_in(value, "mpich"));
  EXPECT_EQ("", mpi_library_in(value, "open"));
  EXPECT_EQ("", mpi_library_in("", "mpich"));
  EXPECT_EQ("/x", mpi_library_in("mpich=/x", "mpich"));
}

TEST(LibraryList, HasALibraryInFrontAndOnce) {
  EXPECT_EQ("/new", list_with("", "/new"));
  EXPECT_EQ("/new:/a:/b", list_with("/a:/new::/b", "/new"));
  EXPECT_EQ("/a:/new:/b", list_with_instead("/a:/old:/new:/b", "/old", "/new"));
  EXPECT_EQ("/new:/a", list_with_instead("/a:/new", "/old", "/new"));
}

TEST(LibraryList, BlanksAreOnlyInPreloadsBetweenEntries) {
  EXPECT_EQ("/a:/b:/c", preload_list("/a /b:/c"));
  EXPECT_EQ("/new:/my tools/a.so", list_with("/my tools/a.so", "/new"));
}

TEST(MpiChoice, IsAnMpiOrALibrary) {
  EXPECT_EQ(Mpi::kOpenMpi, mpi_choice_of("openmpi")->mpi);
  EXPECT_EQ(Mpi::kMpich, mpi_choice_of("mpich")->mpi);
  EXPECT_EQ(Mpi::kNone, mpi_choice_of("auto")->mpi);
  EXPECT_FALSE(mpi_choice_of("lam"));
  EXPECT_FALSE(mpi_choice_of("/bin/sh"));
}

TEST(Plan, AnOpenMpThatTellsNothingIsNamed) {
  Program program = program_with(Mpi::kNone);
  program.other_openmp = "/opt/libvendor.so.1";
  const Plan made = plan(program);
  EXPECT_EQ("/p/omp.so", preload(made));
  EXPECT_HAS(made.message, "its OpenMP (libvendor.so.1) tells tools nothing");
  EXPECT_LACKS(made.message, "needs neither");
}

TEST(Plan, ABuildWithoutOmptSpeaksOfNoOpenMpThatItMeasures) {
  Installation deaf = kAll;
  deaf.sees_openmp = false;
  Program program = program_with(Mpi::kMpich);
  program.has_openmp_for_tools = true;
  EXPECT_EQ(
      "measuring MPI (MPICH) of app; its OpenMP is not seen: poprt was built "
      "without omp-tools.h",
      plan(program, {{"OMP_TOOL", "disabled"}}, {}, deaf).message);
  // LLVM's runtime in place of GCC's would serve nothing.
  const Plan gccs = plan(gcc_program(), {}, {"auto", "/l/libomp.so"}, deaf);
  EXPECT_EQ("/p/omp.so", preload(gccs));
  EXPECT_HAS(gccs.message, "is not seen");
  EXPECT_EQ("/p/omp.so:/own.so",
            preload(plan(gcc_program(), {}, {"/own.so", ""}, deaf)));
  EXPECT_LACKS(plan(program_with(Mpi::kNone), {}, {}, deaf).message,
               "OpenMP that it loads");
}

TEST(Plan, TheLibraryTellsWhetherItIsATool) {
  const test::TemporaryFolder folder;
  const std::string library = folder.path() + "/libpoprt-omp.so";
  const auto sees_openmp = [&](const std::vector<std::string>& defined) {
    std::ofstream(library) << built_elf({"", {}, "", "", defined, {}});
    return installation_of(folder.path() + "/poprt", ".").sees_openmp;
  };
  EXPECT_TRUE(sees_openmp({"pop_region_start", "ompt_start_tool"}));
  EXPECT_FALSE(sees_openmp({"pop_region_start"}));
  // One that is named for itself.
  Program program = program_with(Mpi::kMpich);
  program.has_openmp_for_tools = true;
  const Plan named = plan_program("app", program, {}, kAll, {},
                                  {library, Mpi::kNone, library});
  EXPECT_HAS(named.message, "poprt was built without omp-tools.h");
}

TEST(Plan, GccsOpenMpRunsUnderLlvmsRuntime) {
  const OpenMpChoice found = {"auto", "/l/libomp.so"};
  const Plan made =
      plan(gcc_program(Mpi::kMpich), {{"LD_PRELOAD", "/a.so"}}, found);
  EXPECT_EQ("/p/mpich.so:/l/libomp.so:/a.so", preload(made));
  EXPECT_HAS(made.message, "/l/libomp.so in place");
}

TEST(Plan, GccsOpenMpStaysWhereThatIsWishedOrSafer) {
  const auto stays = [](const Program& program, const OpenMpChoice& choice,
                        const std::string& why) {
    const Plan made = plan(program, {}, choice);
    EXPECT_EQ("/p/omp.so", preload(made));
    EXPECT_HAS(made.message, why);
  };
  stays(gcc_program(), {"keep", "/l/libomp.so"}, "--omp=auto");
  stays(gcc_program(), {"auto", ""}, "install libomp");
  Program detaching = gcc_program();
  detaching.unserved_symbol = "omp_fulfill_event";
  stays(detaching, {"auto", "/l/libomp.so"}, "omp_fulfill_event");
  EXPECT_EQ("/p/omp.so:/own.so", preload(plan(detaching, {}, {"/own.so", ""})));
}

// Its loader would end the program.
TEST(Plan, ARuntimeForANewerCLibraryIsNotPreloaded) {
  const std::string why = "it needs a newer C library (GLIBC_2.34)";
  for (const OpenMpChoice& choice :
       {OpenMpChoice{"/own/libomp.so", "", "GLIBC_2.34"},
        OpenMpChoice{"auto", "/l/libomp.so", "GLIBC_2.34"}}) {
    const Plan made = plan(gcc_program(Mpi::kMpich), {}, choice);
    EXPECT_EQ("/p/mpich.so", preload(made));
    EXPECT_HAS(made.message, why);
    EXPECT_LACKS(made.message, "install");
  }
  Installation deaf = kAll;
  deaf.sees_openmp = false;
  EXPECT_EQ("/p/omp.so", preload(plan(gcc_program(), {},
                                      {"/own.so", "", "GLIBC_2.34"}, deaf)));
}

TEST(Plan, SaysWhyNothingIsMeasured) {
  const auto unmeasured = [](const Plan& made, const std::string& why) {
    EXPECT_TRUE(made.changes.empty());
    EXPECT_HAS(made.message, "unmeasured");
    EXPECT_HAS(made.message, why);
  };
  Program program = program_with(Mpi::kOpenMpi);
  program.kind = Kind::kStatic;
  unmeasured(plan(program), "statically linked");
  program.kind = Kind::kPrivileged;
  unmeasured(plan(program), "setuid");
  program.kind = Kind::kForeign;
  unmeasured(plan(program), "another machine");
  program.kind = Kind::kMusl;
  unmeasured(plan(program), "musl's C library");
  program.kind = Kind::kDynamic;
  unmeasured(plan(program_with(Mpi::kStandardAbi)), "standard ABI");
  Program other = program_with(Mpi::kOther);
  other.mpi_library = "/opt/mpt/libmpi_mpt.so";
  unmeasured(plan(other), "that this poprt does not know (libmpi_mpt.so)");
  EXPECT_EQ("/p/mpich.so", preload(plan_program("app", other, {}, kAll, {},
                                                {"mpich", Mpi::kMpich, ""})));
  unmeasured(plan(program, {}, {}, {{}, {}, "/p/omp.so", "", ""}), "Open MPI");
  unmeasured(plan(program_with(Mpi::kNone), {}, {}, {}), "libpoprt-omp.so");
}

TEST(Plan, WhatTheLoaderCannotPreloadIsFound) {
  EXPECT_EQ("", unloadable_library({}));
  EXPECT_EQ("", unloadable_library(kAll));
  EXPECT_EQ("/a b/x.so", unloadable_library({{{Mpi::kMpich, "/a/x.so"},
                                              {Mpi::kOpenMpi, "/a b/x.so"}},
                                             {},
                                             "/a/y.so",
                                             "",
                                             ""}));
  EXPECT_EQ("/a:b/y.so", unloadable_library({{}, {}, "/a:b/y.so", "", ""}));
  EXPECT_TRUE(can_be_preloaded("/usr/lib/libomp.so"));
  EXPECT_FALSE(can_be_preloaded("/my libs/libomp.so"));
  EXPECT_FALSE(can_be_preloaded("/libs:1/libomp.so"));
}

TEST(Plan, HiddenOpenMpIsSaid) {
  EXPECT_HAS(
      plan(program_with(Mpi::kMpich), {{"OMP_TOOL", "disabled"}}).message,
      "OMP_TOOL");
}

TEST(Plan, ThreadsAreSaidWhereTheyAreMeasured) {
  const Program program = program_with(Mpi::kNone);
  EXPECT_HAS(plan(program, {{"POPRT_THREADS", "all"}}).message,
             "measuring its threads, OpenMP that it");
  EXPECT_LACKS(plan(program).message, "threads");
}

TEST(Plan, NamesArePrintable) {
  const Plan made =
      plan_program("a\x1b[2J", program_with(Mpi::kMpich), {}, kAll, {});
  EXPECT_EQ(std::string::npos, made.message.find('\x1b'));
}

TEST(Job, KnowsItsFirstProcess) {
  EXPECT_FALSE(is_in_job({}));
  EXPECT_TRUE(is_first_of_job({}));
  for (const char* name :
       {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    EXPECT_TRUE(is_in_job({{name, "3"}}));
    EXPECT_FALSE(is_first_of_job({{name, "3"}}));
    EXPECT_TRUE(is_first_of_job({{name, "0"}}));
  }
}

}  // namespace
}  // namespace poprt
