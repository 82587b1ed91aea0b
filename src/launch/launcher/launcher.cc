#include "launch/launcher/launcher.h"

#include <algorithm>
#include <string_view>

namespace poprt {
namespace {

// Options of each launcher by the number of words that follow, with blanks
// around each, so that a name is found as a whole word.  A test compares those
// of Open MPI with what its mpirun lists.
struct Options {
  std::string_view none;
  std::string_view one;
  std::string_view two;
};

constexpr Options kOpenMpiOptions = {
    " allow-run-as-root bind-to-core bind-to-socket bycore bynode byslot "
    "continuous d debug debug-daemons debug-daemons-file debug-devel "
    "disable-recovery display-allocation display-devel-allocation "
    "display-devel-map display-diffable-map display-map display-topo "
    "do-not-launch do-not-resolve do-not-connect dvm enable-instant-on-support "
    "enable-recovery forward-signals fwd-mpirun-port get-stack-traces "
    "index-argv-by-rank keepalive leave-session-attached "
    "merge-stderr-to-stdout nolocal nooversubscribe noprefix novm nw "
    "output-proctable oversubscribe pernode preload-binary q quiet "
    "report-bindings report-child-jobs-separately report-state-on-timeout s "
    "set-cwd-to-session-dir show-progress stop-on-exec tag-output "
    "timestamp-output tv use-hwthread-cpus use-regexp v verbose xml ",
    " H N add-env am bind-to c cartofile cf cpu-list cpu-set cpus-per-proc "
    "cpus-per-rank debugger default-hostfile dash-host display gpmixmca-file "
    "hnp host hostfile launch-agent machinefile map-by max-restarts "
    "max-vm-size n np npernode npersocket ompi-server output output-filename "
    "path personality ppr prefix preload-files pset rank-by rankfile "
    "report-events report-pid report-uri rf rtos runtime-options stdin "
    "stream-buffering timeout tune unset-env wd wdir with-ft x xml-file xterm ",
    " gmca mca omca gomca pmixmca gpmixmca prtemca gprtemca append-env "
    "prepend-env "};

constexpr Options kHydraOptions = {
    " debug disable-auto-cleanup disable-hostname-propagation disable-x "
    "enable-x envall envnone genvall genvnone info l nolocal ordered-output "
    "pmi-port print-all-exitcodes print-rank-map prepend-rank profile rr s "
    "skip-launch-node v verbose ",
    " arch bind-to bootstrap bootstrap-exec branch-count demux envlist "
    "errfile-pattern f genvlist gpus-per-proc grr gtool host hostfile hosts "
    "iface launcher launcher-exec localhost localroot machine machinefile "
    "map-by membind n nameserver np order-nodes outfile-pattern path perhost "
    "port ppn prepend-pattern ranks-per-proc rmk soft tmpdir topolib umask "
    "usize wdir ",
    " env genv "};

constexpr Options kSrunOptions = {
    " compress contiguous disable-status exact exclusive immediate "
    "interactive kill-on-bad-exit label multi-prog nice no-allocate no-kill "
    "overcommit overlap oversubscribe preserve-env propagate pty quiet "
    "quit-on-interrupt reboot resv-ports send-libs spread-job stepmgr "
    "test-only unbuffered use-min-nodes verbose whole x11 ",
    " account acctg-freq bb bbf begin bcast-exclude chdir cluster-constraint "
    "clusters comment constraint container container-id core-spec "
    "cores-per-socket cpu-bind cpu-freq cpus-per-gpu cpus-per-task deadline "
    "delay-boot dependency distribution epilog error exclude export "
    "export-file external-launcher extra extra-node-info gid gpu-bind gpu-freq "
    "gpus gpus-per-node gpus-per-socket gpus-per-task gres gres-flags "
    "het-group hint input job-name jobid licenses mail-type mail-user "
    "max-threads mcs-label mem mem-bind mem-per-cpu mem-per-gpu mincpus mpi "
    "msg-timeout network nodefile nodelist nodes ntasks ntasks-per-core "
    "ntasks-per-gpu ntasks-per-node ntasks-per-socket open-mode output "
    "pack-group partition power prefer priority profile prolog qos relative "
    "reservation segment signal slurmd-debug sockets-per-node switches "
    "task-epilog task-prolog thread-spec threads threads-per-core time "
    "time-min tres-bind tres-per-task uid wait wckey ",
    " "};

// Short options of srun that take a value.  Those of -I and -K can only be in
// the same word.
constexpr std::string_view kSrunShortWithValue = "ABCDFGJLMNPSTWcdeimnopqrtwx";
constexpr std::string_view kSrunShortOptional = "IK";
constexpr std::string_view kSrunShortAlone = "EHOQXZklsuv";

constexpr std::string_view kInformation = " help h ? version V usage dumpcfg ";
// With these options the programs are in a file.
constexpr std::string_view kLists = " app configfile multi-prog ";

bool has_word(std::string_view list, std::string_view word) {
  return list.find(" " + std::string(word) + " ") != std::string_view::npos;
}

const Options& options_of(Launcher launcher) {
  return launcher == Launcher::kOpenMpi ? kOpenMpiOptions
         : launcher == Launcher::kHydra ? kHydraOptions
                                        : kSrunOptions;
}

// How many words follow a word of short options like -n, -n8 or -vvn.
int values_of_short(std::string_view letters) {
  for (size_t i = 0; i < letters.size(); ++i) {
    const char letter = letters[i];
    if (kSrunShortOptional.find(letter) != std::string_view::npos) return 0;
    if (kSrunShortAlone.find(letter) != std::string_view::npos) continue;
    if (kSrunShortWithValue.find(letter) == std::string_view::npos) return -1;
    return i + 1 < letters.size() ? 0 : 1;
  }
  return 0;
}

// How many words follow the option `line[at]`; -1 if not known.
int words_of_option(const std::vector<std::string>& line, size_t at,
                    Launcher launcher) {
  const std::string& word = line[at];
  const bool is_long = word.size() > 1 && word[1] == '-';
  const std::string name = word.substr(is_long ? 2 : 1);
  if (launcher == Launcher::kSrun && !is_long) return values_of_short(name);
  if (const size_t equals = name.find('='); equals != std::string::npos) {
    return values_of_option(name.substr(0, equals), launcher) < 0 ? -1 : 0;
  }
  const int values = values_of_option(name, launcher);
  // Hydra also accepts -env NAME=VALUE for -env NAME VALUE.
  const bool joined = launcher == Launcher::kHydra && values == 2 &&
                      at + 1 < line.size() &&
                      line[at + 1].find('=') != std::string::npos;
  return joined ? 1 : values;
}

std::string option_name(const std::string& word) {
  const size_t begin = std::min(word.find_first_not_of('-'), word.size());
  return word.substr(begin, word.find('=') - begin);
}

}  // namespace

int values_of_option(const std::string& name, Launcher launcher) {
  const Options& options = options_of(launcher);
  if (has_word(options.none, name)) return 0;
  if (has_word(options.one, name)) return 1;
  return has_word(options.two, name) ? 2 : -1;
}

Launcher launcher_of(const Program& program) {
  const std::string named = base_name(program.path);
  const std::string real = base_name(program.binary);
  const auto is_any = [](const std::string& name,
                         std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is_any(named, {"srun"})) return Launcher::kSrun;
  if (is_any(real, {"orterun", "prterun", "mpirun.openmpi", "mpiexec.openmpi"}))
    return Launcher::kOpenMpi;
  if (is_any(real, {"mpiexec.hydra", "mpirun.mpich", "mpiexec.mpich"}))
    return Launcher::kHydra;
  if (!is_any(named, {"mpirun", "mpiexec", "mpiexec.hydra", "mpirun.mpich",
                      "mpiexec.mpich", "mpirun.openmpi", "mpiexec.openmpi",
                      "orterun", "prterun"})) {
    return Launcher::kNone;
  }
  return program.needs_open_mpi_runtime ? Launcher::kOpenMpi : Launcher::kHydra;
}

bool submits_jobs(const std::string& command) {
  return command == "sbatch" || command == "bsub" || command == "qsub";
}

LauncherLine programs_in(const std::vector<std::string>& line,
                         Launcher launcher) {
  const std::string instead =
      " Put poprt behind it instead: " + base_name(line[0]) +
      " ... poprt run -- PROGRAM.";
  LauncherLine result;
  size_t at = 1;
  while (at < line.size()) {
    const std::string& word = line[at];
    if (word.size() > 1 && word[0] == '-' && word != "--") {
      const std::string name = option_name(word);
      if (has_word(kInformation, name)) return {};
      if (has_word(kLists, name)) {
        return {{}, "the programs are in a file (" + word + ")." + instead};
      }
      const int words = words_of_option(line, at, launcher);
      if (words < 0) {
        return {{},
                "an option that poprt does not know (" + word +
                    "): where the program begins is not clear." + instead};
      }
      at += 1 + static_cast<size_t>(words);
      continue;
    }
    if (word == "--" && ++at == line.size()) break;
    result.programs.push_back(at);
    // Further programs, each with options of its own.
    const auto colon = std::find(line.begin() + static_cast<std::ptrdiff_t>(at),
                                 line.end(), ":");
    at = static_cast<size_t>(colon - line.begin()) + 1;
  }
  return result;
}

std::vector<std::string> with_inserted(
    const std::vector<std::string>& line, const std::vector<size_t>& programs,
    const std::vector<std::string>& inserted) {
  std::vector<std::string> result;
  for (size_t i = 0; i < line.size(); ++i) {
    if (std::find(programs.begin(), programs.end(), i) != programs.end()) {
      result.insert(result.end(), inserted.begin(), inserted.end());
    }
    result.push_back(line[i]);
  }
  return result;
}

}  // namespace poprt
