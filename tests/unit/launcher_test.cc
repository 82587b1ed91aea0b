#include "launch/launcher/launcher.h"

#include <gtest/gtest.h>

#include <sstream>

#include "launch/loader/script.h"

namespace poprt {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// The line with "@" before each program; the complaint where there is one.
std::string marked(const std::string& text, Launcher launcher) {
  const auto words = words_of(text);
  const LauncherLine line = programs_in(words, launcher);
  if (!line.complaint.empty()) return line.complaint;
  std::string result;
  for (const std::string& word : with_inserted(words, line.programs, {"@"})) {
    result += (result.empty() ? "" : " ") + word;
  }
  return result;
}

TEST(OpenMpi, ProgramsAreBehindTheOptions) {
  const auto at = [](const std::string& text) {
    return marked(text, Launcher::kOpenMpi);
  };
  EXPECT_EQ("mpirun -n 8 @ ./app -n 3", at("mpirun -n 8 ./app -n 3"));
  EXPECT_EQ("mpirun @ app", at("mpirun app"));
  EXPECT_EQ("mpirun --mca btl self,vader -x A=1 --map-by node @ node x.js",
            at("mpirun --mca btl self,vader -x A=1 --map-by node node x.js"));
  EXPECT_EQ("mpirun --np=2 --oversubscribe @ a",
            at("mpirun --np=2 --oversubscribe a"));
  EXPECT_EQ("mpirun -n 1 @ a x : -n 2 -host h @ b : @ c",
            at("mpirun -n 1 a x : -n 2 -host h b : c"));
  EXPECT_EQ("mpirun -n 1 -- @ a", at("mpirun -n 1 -- a"));
}

TEST(OpenMpi, NothingIsInsertedWhereNothingIsStarted) {
  for (const char* line : {"mpirun --version", "mpirun -h all", "mpirun",
                           "mpirun -n 4", "mpirun -n", "mpirun --mca a"}) {
    EXPECT_EQ(line, marked(line, Launcher::kOpenMpi));
  }
}

TEST(OpenMpi, WhatIsNotClearIsNotGuessed) {
  EXPECT_NE(std::string::npos,
            marked("mpirun --frobnicate 3 ./a", Launcher::kOpenMpi)
                .find("(--frobnicate)"));
  EXPECT_NE(std::string::npos, marked("mpirun --app list", Launcher::kOpenMpi)
                                   .find("mpirun ... poprt run -- PROGRAM"));
}

TEST(Hydra, ProgramsAreBehindTheOptions) {
  const auto at = [](const std::string& text) {
    return marked(text, Launcher::kHydra);
  };
  EXPECT_EQ("mpiexec -n 8 -ppn 4 -f hosts @ ./app -x",
            at("mpiexec -n 8 -ppn 4 -f hosts ./app -x"));
  EXPECT_EQ("mpiexec -genv A 1 -env B=2 @ ./app",
            at("mpiexec -genv A 1 -env B=2 ./app"));
  EXPECT_EQ("mpiexec -l -n 1 @ a : -n 2 @ b", at("mpiexec -l -n 1 a : -n 2 b"));
  EXPECT_NE(std::string::npos,
            at("mpiexec -configfile f").find("(-configfile)"));
}

TEST(Srun, ProgramsAreBehindTheOptions) {
  const auto at = [](const std::string& text) {
    return marked(text, Launcher::kSrun);
  };
  EXPECT_EQ("srun -n 8 -c4 @ ./app -n", at("srun -n 8 -c4 ./app -n"));
  EXPECT_EQ("srun -ul --ntasks=8 --mpi pmix @ a",
            at("srun -ul --ntasks=8 --mpi pmix a"));
  EXPECT_EQ("srun -K --exclusive -N2 @ a", at("srun -K --exclusive -N2 a"));
  EXPECT_EQ("srun -ln 2 @ a", at("srun -ln 2 a"));
  EXPECT_NE(std::string::npos, at("srun -y a").find("(-y)"));
  EXPECT_NE(std::string::npos,
            at("srun -n 2 --multi-prog f").find("in a file"));
}

TEST(LauncherOf, LooksBehindLinksAndAtWhatIsNeeded) {
  Program program;
  const auto of = [&](const std::string& path, const std::string& binary) {
    program.path = path;
    program.binary = binary;
    return launcher_of(program);
  };
  EXPECT_EQ(Launcher::kOpenMpi, of("/usr/bin/mpirun", "/usr/bin/orterun"));
  EXPECT_EQ(Launcher::kHydra, of("/usr/bin/mpiexec", "/usr/bin/mpiexec.hydra"));
  EXPECT_EQ(Launcher::kSrun, of("/usr/bin/srun", "/usr/bin/srun"));
  EXPECT_EQ(Launcher::kNone, of("./app", "/x/app"));
  EXPECT_EQ(Launcher::kHydra, of("/impi/mpirun", "/usr/bin/bash"));
  program.needs_open_mpi_runtime = true;
  EXPECT_EQ(Launcher::kOpenMpi, of("/o/mpirun", "/o/mpirun"));
  EXPECT_EQ(Launcher::kNone, of("./app", "/x/app"));
}

TEST(Script, FirstLinesNameInterpreters) {
  EXPECT_EQ("/bin/sh", interpreter_of("#!/bin/sh -e\necho"));
  EXPECT_EQ("/bin/sh", interpreter_of("#! /bin/sh"));
  EXPECT_EQ("python3", interpreter_of("#!/usr/bin/env python3\n"));
  EXPECT_EQ("python3", interpreter_of("#!/usr/bin/env -S A=1 python3 -u\n"));
  EXPECT_EQ("/usr/bin/env", interpreter_of("#!/usr/bin/env\npython"));
  EXPECT_EQ("", interpreter_of("#!\n/bin/sh"));
  EXPECT_EQ("", interpreter_of("echo"));
  EXPECT_EQ("", interpreter_of(""));
}

TEST(Launcher, CommandsThatSubmitJobsAreKnown) {
  EXPECT_TRUE(submits_jobs("sbatch"));
  EXPECT_FALSE(submits_jobs("srun"));
}

}  // namespace
}  // namespace poprt
