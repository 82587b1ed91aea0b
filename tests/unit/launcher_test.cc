#include "launch/launcher/launcher.h"

#include <gtest/gtest.h>

#include <sstream>

#include "launch/loader/script.h"
#include "unit/has.h"

namespace poprt {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// The launcher of a line whose first word is the file itself.
const Launcher* launcher_in(const std::vector<std::string>& words,
                            const std::string& real,
                            const Launcher* needed = nullptr) {
  Program program;
  program.path = words[0];
  program.binary = real;
  program.launcher_needed = needed;
  return launcher_of(words, program);
}

const Launcher& launcher_with(std::string_view command) {
  for (const Launcher& each : kLaunchers) {
    if (has_word(each.commands, command)) return each;
  }
  ADD_FAILURE() << command;
  return kLaunchers[0];
}

// The line with "@" before each program; the complaint where there is one.
std::string marked(const std::string& text, const Launcher& launcher) {
  const auto words = words_of(text);
  const LauncherLine line = programs_in(words, launcher);
  if (!line.complaint.empty()) return line.complaint;
  std::string result;
  for (const std::string& word :
       with_inserted(words, launcher, line.programs, {"@"})) {
    result += (result.empty() ? "" : " ") + word;
  }
  return result;
}

// The same for a launcher that is known by its command.
std::string marked(const std::string& text) {
  const auto words = words_of(text);
  const Launcher* const launcher = launcher_in(words, words[0]);
  return launcher == nullptr ? "not a launcher" : marked(text, *launcher);
}

TEST(OpenMpi, ProgramsAreBehindTheOptions) {
  const auto at = [](const std::string& text) {
    return marked(text, launcher_with("orterun"));
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
    EXPECT_EQ(line, marked(line, launcher_with("orterun")));
  }
}

TEST(OpenMpi, WhatIsNotClearIsNotGuessed) {
  EXPECT_HAS(marked("mpirun --frobnicate 3 ./a", launcher_with("orterun")),
             "(--frobnicate)");
  EXPECT_HAS(marked("mpirun --app list", launcher_with("orterun")),
             "mpirun ... poprt run -- PROGRAM");
}

TEST(Hydra, ProgramsAreBehindTheOptions) {
  const auto at = [](const std::string& text) {
    return marked(text, launcher_with("mpiexec.hydra"));
  };
  EXPECT_EQ("mpiexec -n 8 -ppn 4 -f hosts @ ./app -x",
            at("mpiexec -n 8 -ppn 4 -f hosts ./app -x"));
  EXPECT_EQ("mpiexec -genv A 1 -env B=2 @ ./app",
            at("mpiexec -genv A 1 -env B=2 ./app"));
  EXPECT_EQ("mpiexec -l -n 1 @ a : -n 2 @ b", at("mpiexec -l -n 1 a : -n 2 b"));
  EXPECT_HAS(at("mpiexec -configfile f"), "(-configfile)");
}

TEST(Srun, ProgramsAreBehindTheOptions) {
  const auto at = [](const std::string& text) {
    return marked(text, launcher_with("srun"));
  };
  EXPECT_EQ("srun -n 8 -c4 @ ./app -n", at("srun -n 8 -c4 ./app -n"));
  EXPECT_EQ("srun -ul --ntasks=8 --mpi pmix @ a",
            at("srun -ul --ntasks=8 --mpi pmix a"));
  EXPECT_EQ("srun -K --exclusive -N2 @ a", at("srun -K --exclusive -N2 a"));
  EXPECT_EQ("srun -ln 2 @ a", at("srun -ln 2 a"));
  EXPECT_HAS(at("srun -y a"), "(-y)");
  EXPECT_HAS(at("srun -n 2 --multi-prog f"), "in a file");
}

TEST(LauncherOf, LooksBehindLinksAndAtWhatIsNeeded) {
  const Launcher* const open_mpi = &launcher_with("orterun");
  const Launcher* const hydra = &launcher_with("mpiexec.hydra");
  EXPECT_EQ(open_mpi, launcher_in({"/usr/bin/mpirun"}, "/usr/bin/orterun"));
  EXPECT_EQ(hydra, launcher_in({"/usr/bin/mpiexec"}, "/usr/bin/mpiexec.hydra"));
  EXPECT_EQ(&launcher_with("srun"), launcher_in({"/usr/bin/srun"}, "/x/srun"));
  EXPECT_EQ(nullptr, launcher_in({"./app"}, "/x/app"));
  EXPECT_EQ(hydra, launcher_in({"/impi/mpirun"}, "/usr/bin/bash"));
  EXPECT_EQ(open_mpi, launcher_in({"/o/mpirun"}, "/o/mpirun", open_mpi));
  EXPECT_EQ(nullptr, launcher_in({"./app"}, "/x/app", open_mpi));
  // Open MPI 5.
  EXPECT_EQ(open_mpi, launcher_in({"/o/mpirun"}, "/o/prterun", open_mpi));
  EXPECT_EQ(&launcher_with("prterun"),
            launcher_in({"/o/prterun"}, "/o/prterun", open_mpi));
}

TEST(LauncherOf, ASubcommandIsPartOfTheLauncher) {
  EXPECT_NE(nullptr, launcher_in({"flux", "run", "a"}, "flux"));
  EXPECT_NE(nullptr, launcher_in({"flux", "mini", "run", "a"}, "flux"));
  EXPECT_EQ(nullptr, launcher_in({"flux", "jobs"}, "flux"));
  EXPECT_EQ(nullptr, launcher_in({"flux", "mini", "alloc"}, "flux"));
  EXPECT_EQ(nullptr, launcher_in({"flux", "mini"}, "flux"));
  EXPECT_EQ(nullptr, launcher_in({"flux"}, "flux"));
}

TEST(Launchers, OfWhichTheCommandLineIsNotKnownAreProgramsThatStartOthers) {
  EXPECT_TRUE(is_launcher("salloc"));
  EXPECT_EQ("not a launcher", marked("salloc -n 2 ./a"));
  EXPECT_TRUE(is_launcher("mpiexec"));
  EXPECT_FALSE(is_launcher("run"));
  EXPECT_FALSE(is_launcher(""));
}

// What manuals of launchers that are not here say of their options: flux-core
// 0.78, flux-run(1), and 0.44, flux-mini(1); PRRTE 4, prterun(1); IBM's Job
// Step Manager, jsrun(1); MVAPICH2 2.3, the usage text of mpirun_rsh; Cray's
// S-2496-4101, "Using the aprun Command", and ALPS 6.6, aprun --help.  Of ibrun
// and of PALS's mpiexec no manual was at hand: their options are those of
// users' job scripts.
struct Synopsis {
  const char* launcher;  // and what is in front of options
  const char* with_value;
  const char* alone;
};
constexpr Synopsis kSynopses[] = {
    {"flux run",
     "-N -n -c -g -t -q -B -o -S --nodes --ntasks --cores-per-task "
     "--gpus-per-task --cores --tasks-per-node --tasks-per-core "
     "--gpus-per-node --time-limit --queue --bank --urgency --job-name "
     "--setopt --setattr --add-file --dependency --requires --begin-time "
     "--env --env-remove --env-file --rlimit --input --output --error --cwd "
     "--flags --signal --taskmap --wait-event",
     "-x -u -l -v -vv --exclusive --unbuffered --label-io --dry-run --quiet "
     "--verbose -n4 -ovn"},
    {"flux mini run",
     "-N -n -c -g -t -o --nodes --ntasks --cores-per-task --gpus-per-task "
     "--time-limit --urgency --job-name --setopt --setattr --env --env-remove "
     "--env-file --input --output --error --flags",
     "-l -v --label-io --verbose --dry-run --debug-emulate -n4"},
    {"prterun",
     "-n -c -N -H -x --np --map-by --rank-by --bind-to --host --hostfile "
     "--display --output --timeout --forward-signals --runtime-options "
     "--personality --prefix --pset --wdir --xterm --set-env --unset-env "
     "--dvm --gpu-support",
     "-s -v --allow-run-as-root --get-stack-traces --stop-in-app=mpi-init "
     "--report-state-on-timeout --set-cwd-to-session-dir --uniform-nodes"},
    {"jsrun",
     "-n -a -c -g -r -l -d -b -p -m -o -k -e -t -h -E -D -F -K -M -P -X --nrs "
     "--tasks_per_rs --cpu_per_rs --gpu_per_rs --rs_per_host --bind --np "
     "--latency_priority --launch_distribution --memory_per_rs --smpiargs "
     "--stdio_stdout --stdio_stderr --stdio_mode --stdio_input --chdir --env "
     "--env_no_propagate --env_eval --exit_on_error --erf_input --progress",
     "-n2 -dpacked -bpacked:7 --bind=rs -i --immediate"},
    {"mpirun_rsh -hostfile hosts", "-np -ppn -launcher -sg -sparehosts",
     "-export -export-all -rsh -ssh -debug -tv -xterm -show -legacy "
     "MV2_ENABLE_AFFINITY=0"},
    {"mpiexec.hydra",
     "-n --np --ppn --depth -d --cpu-bind --mem-bind --gpu-bind",
     "--depth=8 --cpu-bind=depth --env=A=1 -l"},
};

TEST(Launchers, ThatAreNotHereHaveTheirOptions) {
  for (const Synopsis& each : kSynopses) {
    const std::string launcher = each.launcher;
    const auto expect_found = [&](const std::string& options) {
      EXPECT_EQ(launcher + options + " @ ./app -n 3",
                marked(launcher + options + " ./app -n 3"));
    };
    for (const std::string& option : words_of(each.with_value)) {
      expect_found(" " + option + " value");
    }
    for (const std::string& option : words_of(each.alone)) {
      expect_found(" " + option);
    }
    EXPECT_EQ(launcher + " --help", marked(launcher + " --help"));
    const std::string complaint = marked(launcher + " --frobnicate ./app");
    EXPECT_HAS(complaint, " ... poprt run -- PROGRAM");
    EXPECT_HAS(complaint, "Put poprt behind it");
  }
}

TEST(Launchers, AprunIsToldNotToCopyPoprt) {
  for (const std::string& option : words_of(
           "-a -cc -cp -d -D -e -E -F -j -l -L -m -n -N -p -P -r -R -S -sl -sn "
           "-t -Z --access-mode --architecture --cc --cp --cpu-binding "
           "--cpu-binding-file --cpus-per-cu --cpus-per-pe --cpu-time-limit "
           "--debug --environment-override --exclude-node-list "
           "--exclude-node-list-file --memory-per-pe --mpmd-env --node-list "
           "--node-list-file --pes --pes-per-node --pes-per-numa-node "
           "--p-governor --pipes --protection-domain --p-state --relaunch "
           "--specialized-cpus --wdir --zone-sort-secs")) {
    EXPECT_EQ("aprun -b " + option + " value @ ./app -n 3",
              marked("aprun " + option + " value ./app -n 3"));
  }
  for (const std::string& option : words_of(
           "-b -B -C -q -ss -T -z -n4 -N1 -d8 --batch-args --reconnect --quiet "
           "--bypass-app-transfer --ss --strict-memory-containment "
           "--sync-output --zone-sort --pes=4")) {
    EXPECT_EQ("aprun -b " + option + " @ ./app -n 3",
              marked("aprun " + option + " ./app -n 3"));
  }
  EXPECT_EQ("aprun -b -n 1 @ ./a : -n 2 -cc none @ ./b",
            marked("aprun -n 1 ./a : -n 2 -cc none ./b"));
  EXPECT_EQ("aprun --help", marked("aprun --help"));
  const std::string complaint = marked("aprun --frobnicate ./app");
  EXPECT_HAS(complaint, "aprun -b ... poprt run --");
}

TEST(Launchers, OfAnMpiTellHowManyTheyStarted) {
  std::string names;
  for (const char* const name : kMpiProcesses) {
    if (name != nullptr) names += std::string(name) + " ";
  }
  EXPECT_EQ("OMPI_COMM_WORLD_SIZE PMI_SIZE ", names);
}

TEST(Launchers, IbrunHasTheOptionsOfJobScripts) {
  EXPECT_EQ("ibrun -n 4 -o 8 @ ./app -n 3",
            marked("ibrun -n 4 -o 8 ./app -n 3"));
  EXPECT_EQ("ibrun @ tacc_affinity ./app", marked("ibrun tacc_affinity ./app"));
}

// "mpirun_rsh -np N h1 h2 ... hN a.out args", or a list of the batch system.
TEST(Launchers, WhereHostsMayStandInFrontOfTheProgramItIsNotGuessed) {
  const std::string complaint = marked("mpirun_rsh -np 2 a b ./app");
  EXPECT_HAS(complaint, "not clear");
  EXPECT_EQ("mpirun_rsh -np 2 -hostfile=h A=1 B=2 @ ./app C=3",
            marked("mpirun_rsh -np 2 -hostfile=h A=1 B=2 ./app C=3"));
}

TEST(Launchers, PrrteHasOptionsWithTwoValues) {
  EXPECT_EQ("prterun --prtemca a b --append-env A[:] b -n 2 @ a : -n 1 @ b",
            marked("prterun --prtemca a b --append-env A[:] b -n 2 a : "
                   "-n 1 b"));
}

// A row that another one hides, or whose lists have words without blanks
// around them, would never be found.
TEST(Launchers, ListsAreListsOfWords) {
  for (const Launcher& each : kLaunchers) {
    const LauncherOptions& options = each.options;
    for (const std::string_view list :
         {each.commands, each.shared_commands, each.libraries, options.none,
          options.one, options.two, options.letters_together,
          options.information, options.lists}) {
      if (list.empty()) continue;
      EXPECT_TRUE(list.starts_with(' ') && list.ends_with(' ')) << list;
      EXPECT_EQ(std::string_view::npos, list.find("  ")) << list;
    }
    for_each_word(options.one, [&](std::string_view name) {
      EXPECT_FALSE(has_word(options.none, name)) << name;
      EXPECT_FALSE(has_word(options.two, name)) << name;
    });
    for_each_word(each.commands, [&](std::string_view command) {
      EXPECT_EQ(&each, &launcher_with(command)) << command;
    });
  }
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
  EXPECT_TRUE(submits_jobs({"/usr/bin/sbatch", "job"}));
  EXPECT_TRUE(submits_jobs({"flux", "batch", "job"}));
  EXPECT_TRUE(submits_jobs({"flux", "mini", "submit", "job"}));
  EXPECT_FALSE(submits_jobs({"flux", "run", "a"}));
  EXPECT_FALSE(submits_jobs({"flux", "mini", "run", "a"}));
  EXPECT_FALSE(submits_jobs({"flux", "mini"}));
  EXPECT_FALSE(submits_jobs({"flux"}));
  EXPECT_FALSE(submits_jobs({"srun", "a"}));
}

}  // namespace
}  // namespace poprt
