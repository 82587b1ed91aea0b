// poprt doctor: shows which parts of poprt work on this machine.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "command/arguments.h"
#include "command/command.h"
#include "command/counter_sets.h"
#include "command/installed.h"
#include "devices/cuda/probe.h"
#include "document/format.h"
#include "document/render.h"
#include "launch/diagnosis.h"
#include "launch/machine.h"
#include "launch/process/process.h"
#include "launch/process/trial.h"
#include "model/topology_text.h"
#include "report/drawn_hosts.h"
#include "run_file/reader.h"

namespace poprt {
namespace {

constexpr int kExampleSeconds = 60;
constexpr int kTopologySeconds = 10;
constexpr int kCudaSeconds = 10;

// The first line of a program's output that is not empty.
std::string first_sentence(const std::string& output) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (std::any_of(line.begin(), line.end(),
                    [](unsigned char c) { return std::isalpha(c) != 0; })) {
      return line;
    }
  }
  return "it printed nothing";
}

// A new folder, which is removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    path_ = std::filesystem::temp_directory_path(error) / "poprtXXXXXX";
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  // "" if it could not be made.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// What CUDA's libraries say, in a process of its own, which may not end by
// itself.
MachineFacts::Cuda cuda_here(const Environment& environment) {
  MachineFacts::Cuda facts;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return facts;
  const pid_t child = fork();
  if (child == 0) {
    const cuda::CuptiProbe probe =
        cuda::probe_cupti({value_of(environment, "POPRT_CUPTI"),
                           value_of(environment, "CUDA_HOME")});
    const std::string text =
        fmt::format("{}\n{}\n{}\n{}\n{}\n", probe.has_driver ? "driver" : "",
                    probe.driver, probe.cupti, probe.why_not, probe.other_tool);
    _exit(write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
  }
  close(ends[1]);
  std::string text;
  pollfd end = {ends[0], POLLIN, 0};
  char part[4096];
  for (ssize_t got = 1; child > 0 && got > 0;) {
    if (poll(&end, 1, kCudaSeconds * 1000) <= 0) break;
    got = read(ends[0], part, sizeof part);
    if (got > 0) text.append(part, static_cast<size_t>(got));
  }
  close(ends[0]);
  if (child > 0) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  std::istringstream lines(text);
  std::string has_driver;
  std::getline(lines, has_driver);
  std::getline(lines, facts.driver);
  std::getline(lines, facts.cupti);
  std::getline(lines, facts.why_not);
  std::getline(lines, facts.other_tool);
  facts.has_driver = !has_driver.empty();
  if (text.empty()) facts.why_not = "the libraries of CUDA do not answer";
  return facts;
}

// This host, without any process.
FactList drawn_host(const std::string& helper) {
  std::string output;
  // It would tell of another host if hwloc's variables did.
  if (helper.empty() ||
      output_of_program(helper, {helper}, {}, kTopologySeconds, HeldSignals(),
                        &output) != 0) {
    return {};
  }
  JobTotals job;
  job.topologies = {parse_topology(output)};
  job.hosts.resize(1);
  job.hosts[0].name = "this host";
  job.hosts[0].topology = job.topologies[0].id;
  return drawn_hosts(job);
}

// Runs the bundled example on two ranks and reads the run file that it has
// written.  `host`: where its ranks and threads were bound, if that is known.
Diagnosis try_example(Mpi mpi, const std::string& launcher,
                      const std::string& example,
                      const Environment& environment, FactList* host) {
  Diagnosis finding{fmt::format("try {}", name_of(mpi)), Health::kBroken, "",
                    ""};
  const HeldSignals signals;  // until the folder is removed
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/run.json";
  Environment changed = environment;
  changed["OMP_NUM_THREADS"] = "2";
  // so that what a killed launcher leaves is removed too
  changed["TMPDIR"] = folder.path();
  const std::vector<std::string> words = {launcher,
                                          "-n",
                                          "2",
                                          own_program(),
                                          "run",
                                          "--report=json",
                                          "--rows=process",
                                          "--output=" + file,
                                          "--",
                                          example};
  std::string output;
  const int status = folder.path().empty()
                         ? -1
                         : output_of_program(launcher, words, changed,
                                             kExampleSeconds, signals, &output);
  if (status == -1) {
    finding.state = fmt::format("cannot be started: {}", std::strerror(errno));
    return finding;
  }
  std::string complaint;
  const auto report = read_run_file(file, &complaint);
  if (status == 0 && report) {
    *host = drawn_hosts(report->totals);
    finding.health = Health::kGood;
    finding.state = fmt::format(
        "{} x {} ran the example; its Parallel Efficiency is {} %",
        counted(report->totals.processes, "rank"),
        counted(report->totals.threads_max, "thread"),
        percent(report->regions.at(0).metrics.pop.parallel_efficiency));
    return finding;
  }
  finding.state =
      status == -2
          ? fmt::format("the example did not end in {} s", kExampleSeconds)
          : "the example failed: " + first_sentence(output);
  finding.advice =
      fmt::format("see what it says: {} -n 2 {}", launcher, example);
  return finding;
}

int run_doctor(bool no_example) {
  const Environment environment = own_environment();
  const LoaderCache cache = loader_cache();
  const Installation found = installation();
  MachineFacts facts = machine_facts(environment, cache);
  const CountersHere counters = counters_here();
  facts.processor = counters.processor;
  facts.counter_sets = counters.sets;
  facts.cuda = cuda_here(environment);
  write_out(
      fmt::format("poprt {} {}\n", POPRT_VERSION, printable(own_program())));
  write_out(block_text(fact_list(diagnoses(facts, found))));
  std::fflush(stdout);  // the next step takes a while and may be interrupted
  if (no_example) {
    write_out(block_text(drawn_host(found.topology)));
    return kGood;
  }
  if (found.examples.empty()) {
    const std::string command = example_command();
    write_out("The example is not installed: a package of poprt needs no MPI." +
              (command.empty() ? "" : " What builds it:\n" + command) + "\n");
  }
  bool is_drawn = false;
  for (const auto& [mpi, example] : found.examples) {
    const std::string launcher = launcher_for(facts.launchers, mpi);
    if (launcher.empty() || found.mpi_libraries.count(mpi) == 0) continue;
    FactList host;
    write_out(block_text(
        fact_list({try_example(mpi, launcher, example, environment, &host)})));
    write_out(block_text(host));
    is_drawn |= !host.facts.empty();
  }
  if (!is_drawn) write_out(block_text(drawn_host(found.topology)));
  return kGood;
}

}  // namespace

void add_doctor(CLI::App* app, Run* run) {
  auto no_example = std::make_shared<bool>(false);
  CLI::App* const command = app->add_subcommand(
      "doctor", "Say what works on this machine, and what to do where not");
  command->add_flag("--no-example", *no_example,
                    "Only look; do not run the bundled example");
  command->footer(
      "Marks: ! something is less than it could be; x it does not work.");
  command->callback([=] { *run = [=] { return run_doctor(*no_example); }; });
}

}  // namespace poprt
