// The one table of launchers: commands that start the processes of a job.  A
// launcher is a row here: its names, where in its command line a program
// begins, and by which variables it tells a process what it is.  `poprt run`
// and `poprt doctor` (launch/launcher/launcher.h), the library and launched.h
// know launchers only from here.
//
// A list is one text with a blank around each word, so that a whole word is
// found in it.
#ifndef POPRT_BASE_LAUNCHERS_H_
#define POPRT_BASE_LAUNCHERS_H_

#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace poprt {

// The names of options are without '-'.  Those in no list are not known.
struct LauncherOptions {
  // By the number of words that follow.
  std::string_view none = {};
  std::string_view one = {};
  std::string_view two = {};
  // Letters behind one '-', of which several may be one word (-vn8): without a
  // value, with one, and with one that can only be in the same word.  Where
  // there are none, a word behind one '-' is a name as behind two.
  std::string_view letters_alone = {};
  std::string_view letters_with_value = {};
  std::string_view letters_optional = {};
  // Letters behind one '-' that are one option with a value (-cc).
  std::string_view letters_together = {};
  // With these no program is started.
  std::string_view information = " help version usage ";
  // With these the programs are in a file.
  std::string_view lists = {};
  // Without one of these, names of hosts may stand in front of the program.
  std::string_view hosts = {};
  // Words NAME=VALUE may stand there.
  bool has_assignments = false;
};

// The variables of a process's environment; null for those that it lacks.
struct LauncherVariables {
  const char* rank = nullptr;
  const char* processes = nullptr;  // of the job; it may not tell
  const char* rank_on_host = nullptr;
  // With it they are those of another launcher.
  const char* of_other = nullptr;
};

struct Launcher {
  const char* name;
  std::string_view commands = {};  // the files that are this launcher
  // Files that are, if they need one of `libraries` (beginnings of names), or
  // if there are none and no other launcher's are needed.
  std::string_view shared_commands = {};
  std::string_view libraries = {};
  // Its first argument where it starts a program ("run" of flux), and what may
  // stand in front of that ("mini"); else empty.
  std::string_view subcommand = {};
  std::string_view before_subcommand = {};
  // An option without which it does not start poprt.
  std::string_view added = {};
  std::string_view mpi = {};  // key_of() the MPI that it comes with; else empty
  // Nothing is known of its command line if these are empty: it is a program
  // that passes its environment on to others.
  LauncherOptions options = {};
  LauncherVariables variables = {};

  constexpr bool has_options() const { return !options.one.empty(); }
};

constexpr bool has_word(std::string_view list, std::string_view word) {
  for (size_t at = list.find(word); at != std::string_view::npos;
       at = list.find(word, at + 1)) {
    if (!word.empty() && at > 0 && list[at - 1] == ' ' &&
        list.substr(at + word.size(), 1) == " ") {
      return true;
    }
  }
  return false;
}

// Calls visit(word) for each word of a list.
template <class Visit>
void for_each_word(std::string_view list, Visit visit) {
  for (size_t begin = 1; begin < list.size();) {
    const size_t end = list.find(' ', begin);
    visit(list.substr(begin, end - begin));
    begin = end + 1;
  }
}

// Where one launcher has started another the inner one counts: those that start
// others stand behind.  A test compares the options of Open MPI with what its
// mpirun lists, and those of launchers that are not here with their manuals.
inline constexpr Launcher kLaunchers[] = {
    {.name = "Open MPI",
     .commands = " orterun mpirun.openmpi mpiexec.openmpi ",
     .shared_commands = " mpirun mpiexec ",
     .libraries = " libopen-rte libopen-pal libprrte ",
     .mpi = "openmpi",
     .options =
         {.none =
              " allow-run-as-root bind-to-core bind-to-socket bycore bynode "
              "byslot continuous d debug debug-daemons debug-daemons-file "
              "debug-devel disable-recovery display-allocation "
              "display-devel-allocation display-devel-map "
              "display-diffable-map display-map display-topo do-not-launch "
              "do-not-resolve do-not-connect dvm enable-instant-on-support "
              "enable-recovery forward-signals fwd-mpirun-port "
              "get-stack-traces index-argv-by-rank keepalive "
              "leave-session-attached merge-stderr-to-stdout nolocal "
              "nooversubscribe noprefix novm nw output-proctable "
              "oversubscribe pernode preload-binary q quiet report-bindings "
              "report-child-jobs-separately report-state-on-timeout s "
              "set-cwd-to-session-dir show-progress stop-on-exec tag-output "
              "timestamp-output tv use-hwthread-cpus use-regexp v verbose "
              "xml ",
          .one = " H N add-env am bind-to c cartofile cf cpu-list cpu-set "
                 "cpus-per-proc cpus-per-rank debugger default-hostfile "
                 "dash-host display gpmixmca-file hnp host hostfile "
                 "launch-agent machinefile map-by max-restarts max-vm-size n "
                 "np npernode npersocket ompi-server output output-filename "
                 "path personality ppr prefix preload-files pset rank-by "
                 "rankfile report-events report-pid report-uri rf rtos "
                 "runtime-options stdin stream-buffering timeout tune "
                 "unset-env wd wdir with-ft x xml-file xterm ",
          .two = " gmca mca omca gomca pmixmca gpmixmca prtemca gprtemca "
                 "append-env prepend-env ",
          .information = " help h ? version V usage dumpcfg ",
          .lists = " app "},
     .variables = {.rank = "OMPI_COMM_WORLD_RANK",
                   .processes = "OMPI_COMM_WORLD_SIZE",
                   .rank_on_host = "OMPI_COMM_WORLD_LOCAL_RANK"}},
    {.name = "MPICH",
     .commands = " mpiexec.hydra mpirun.mpich mpiexec.mpich ",
     .shared_commands = " mpirun mpiexec ",
     .mpi = "mpich",
     .options =
         {.none = " debug disable-auto-cleanup disable-hostname-propagation "
                  "disable-x enable-x envall envnone genvall genvnone info l "
                  "nolocal ordered-output pmi-port print-all-exitcodes "
                  "print-rank-map prepend-rank profile rr s skip-launch-node v "
                  "verbose ",
          .one = " arch bind-to bootstrap bootstrap-exec branch-count demux "
                 "envlist errfile-pattern f genvlist gpus-per-proc grr gtool "
                 "host hostfile hosts iface launcher launcher-exec localhost "
                 "localroot machine machinefile map-by membind n nameserver np "
                 "order-nodes outfile-pattern path perhost port ppn "
                 "prepend-pattern ranks-per-proc rmk soft tmpdir topolib umask "
                 "usize wdir "
                 // of PALS, whose mpiexec cannot be told from MPICH's
                 "cpu-bind d depth gpu-bind mem-bind ",
          .two = " env genv ",
          .information = " help h ? version V usage dumpcfg ",
          .lists = " configfile "},
     .variables = {.rank = "PMI_RANK",
                   .processes = "PMI_SIZE",
                   .rank_on_host = "MPI_LOCALRANKID",
                   .of_other = "SLURM_STEP_ID"}},
    {.name = "PRRTE",
     .commands = " prterun prun ",
     .options =
         {.none =
              " allow-run-as-root bind-to-core bycore bynode byslot "
              "continuous debug debug-daemons debug-daemons-file "
              "disable-recovery display-allocation display-devel-allocation "
              "display-devel-map display-map display-topo do-not-connect "
              "do-not-launch enable-recovery fwd-environment "
              "get-stack-traces hetero-nodes leave-session-attached "
              "merge-stderr-to-stdout no-aggregate-help no-app-prefix "
              "nolocal nooversubscribe noprefix output-proctable "
              "oversubscribe parsable parseable pernode preload-binary "
              "report-bindings report-child-jobs-separately "
              "report-state-on-timeout s set-cwd-to-session-dir set-sid "
              "show-progress stop-in-app stop-in-init stop-on-exec "
              "system-server system-server-first system-server-only "
              "tag-output timestamp-output uniform-nodes use-hwthread-cpus "
              "v verbose xml ",
          .one = " H N activate add-host add-hostfile alloc-id alloc-refid "
                 "app-pmix-prefix bind-to bindto c cpu-list cpu-set "
                 "cpus-per-proc cpus-per-rank default-hostfile display dvm "
                 "dvm-uri forward-signals gpu-support host hostfile keepalive "
                 "launch-agent machinefile map-by mapby max-restarts "
                 "max-vm-size memory-alloc-kinds n namespace np npernode "
                 "npersocket num-connect-retries output output-directory "
                 "output-filename path personality pid pmix-prefix ppr prefix "
                 "preload-files pset rank-by rankby rankfile report-pid "
                 "report-uri rtos runtime-options session-id set-env "
                 "spawn-timeout stdin timeout tune unset-env wait-to-connect "
                 "wd wdir x xterm ",
          .two = " append-env mca pmixmca prepend-env prtemca ",
          .information = " help h version V ",
          .lists = " app "},
     // With Slurm's own PMIx srun tells the rank in the same way.
     .variables = {.rank = "PMIX_RANK", .processes = "SLURM_STEP_NUM_TASKS"}},
    {.name = "PMI", .variables = {.rank_on_host = "PMI_LOCAL_RANK"}},
    {.name = "PALS",
     .variables = {.rank = "PALS_RANKID", .rank_on_host = "PALS_LOCAL_RANKID"}},
    {.name = "MVAPICH",
     .commands = " mpirun_rsh ",
     .options = {.none = " debug dpm export export-all fastssh legacy rsh show "
                         "ssh startedByTv tv xterm ",
                 .one = " dpmspawn hostfile launcher np ppn sg sparehosts "
                        "spawnfile ",
                 .information = " help v ",
                 .lists = " config ",
                 .hosts = " hostfile ppn ",
                 .has_assignments = true},
     .variables = {.rank = "MV2_COMM_WORLD_RANK",
                   .processes = "MV2_COMM_WORLD_SIZE",
                   .rank_on_host = "MV2_COMM_WORLD_LOCAL_RANK"}},
    // A site's command in front of the launcher of each MPI.
    {.name = "ibrun", .commands = " ibrun ", .options = {.one = " n np o "}},
    {.name = "Flux",
     .commands = " flux ",
     .subcommand = "run",
     .before_subcommand = "mini",
     .options =
         {.none =
              " debug-emulate dry-run exclusive label-io list-plugins quiet "
              "unbuffered verbose ",
          .one = " add-file bank begin-time cores cores-per-task cwd "
                 "dependency env env-file env-remove error flags gpus-per-node "
                 "gpus-per-task input job-name nodes ntasks output queue "
                 "requires rlimit setattr setopt signal taskmap tasks-per-core "
                 "tasks-per-node time-limit urgency wait-event ",
          .letters_alone = "luvx",
          .letters_with_value = "BNScgnoqt"},
     .variables = {.rank_on_host = "FLUX_TASK_LOCAL_ID"}},
    {.name = "jsrun",
     .commands = " jsrun ",
     .options =
         {.none = " immediate ",
          .one = " allocate_only bind chdir cpu_per_rs env env_eval "
                 "env_no_propagate erf_input erf_output erf_output_pidx "
                 "exclude_hosts exit_on_error gpu_per_rs latency_priority "
                 "launch_distribution launch_node_task memory_per_rs np nrs "
                 "pre_post_exec print_placement progress rs_per_host "
                 "rs_per_socket save_resources smpiargs stdin_rank stdio_input "
                 "stdio_mode stdio_stderr stdio_stdout tasks_per_rs "
                 "use_reservation use_resources use_spindle ",
          .letters_alone = "i",
          .letters_with_value = "ADEFHIJKLMPSUXZabcdeghklmnoprtx",
          .information = " help ? usage version V ",
          .lists = " appfile f "},
     .variables = {.rank = "JSM_NAMESPACE_RANK",
                   .processes = "JSM_NAMESPACE_SIZE",
                   .rank_on_host = "JSM_NAMESPACE_LOCAL_RANK"}},
    // It copies the program's file to the nodes unless it is told not to: there
    // poprt would not find what stands beside it.
    {.name = "ALPS",
     .commands = " aprun ",
     .added = "-b",
     .options =
         {.none = " batch-args bypass-app-transfer quiet reconnect ss "
                  "strict-memory-containment sync-output zone-sort ",
          .one = " access-mode architecture cc cp cpu-binding cpu-binding-file "
                 "cpu-time-limit cpus-per-cu cpus-per-pe debug "
                 "environment-override exclude-node-list "
                 "exclude-node-list-file memory-per-pe mpmd-env node-list "
                 "node-list-file p-governor p-state pes pes-per-node "
                 "pes-per-numa-node pipes protection-domain relaunch sl sn "
                 "specialized-cpus wdir zone-sort-secs ",
          .letters_alone = "BCTbqsz",
          .letters_with_value = "DEFLNPRSZadejlmnprt",
          .letters_together = " cc cp sl sn "},
     .variables = {.rank = "ALPS_APP_PE"}},
    {.name = "Slurm",
     .commands = " srun ",
     .options =
         {.none =
              " compress contiguous disable-status exact exclusive "
              "immediate interactive kill-on-bad-exit label multi-prog nice "
              "no-allocate no-kill overcommit overlap oversubscribe "
              "preserve-env propagate pty quiet quit-on-interrupt reboot "
              "resv-ports send-libs spread-job stepmgr test-only unbuffered "
              "use-min-nodes verbose whole x11 ",
          .one = " account acctg-freq bb bbf begin bcast-exclude chdir "
                 "cluster-constraint clusters comment constraint container "
                 "container-id core-spec cores-per-socket cpu-bind cpu-freq "
                 "cpus-per-gpu cpus-per-task deadline delay-boot dependency "
                 "distribution epilog error exclude export export-file "
                 "external-launcher extra extra-node-info gid gpu-bind "
                 "gpu-freq gpus gpus-per-node gpus-per-socket gpus-per-task "
                 "gres gres-flags het-group hint input job-name jobid licenses "
                 "mail-type mail-user max-threads mcs-label mem mem-bind "
                 "mem-per-cpu mem-per-gpu mincpus mpi msg-timeout network "
                 "nodefile nodelist nodes ntasks ntasks-per-core "
                 "ntasks-per-gpu ntasks-per-node ntasks-per-socket open-mode "
                 "output pack-group partition power prefer priority profile "
                 "prolog qos relative reservation segment signal slurmd-debug "
                 "sockets-per-node switches task-epilog task-prolog "
                 "thread-spec threads threads-per-core time time-min tres-bind "
                 "tres-per-task uid wait wckey ",
          .letters_alone = "EHOQXZklsuv",
          .letters_with_value = "ABCDFGJLMNPSTWcdeimnopqrtwx",
          .letters_optional = "IK",
          .information = " help h version V usage ",
          .lists = " multi-prog "},
     // Those of a step: in a batch script, which srun has not started, there
     // is no number of tasks.
     .variables = {.rank = "SLURM_PROCID",
                   .processes = "SLURM_STEP_NUM_TASKS",
                   .rank_on_host = "SLURM_LOCALID"}},
    {.name = "Slurm", .commands = " salloc "},
};

// What the library asks for, apart, so that it has no lists of options.
inline constexpr auto kLauncherVariables = [] {
  std::array<LauncherVariables, std::size(kLaunchers)> all = {};
  for (size_t i = 0; i < all.size(); ++i) all[i] = kLaunchers[i].variables;
  return all;
}();
// Those with the number of processes, of launchers that an MPI brings; null for
// others, with which all kinds of programs are started.
inline constexpr auto kMpiProcesses = [] {
  std::array<const char*, std::size(kLaunchers)> all = {};
  for (size_t i = 0; i < all.size(); ++i) {
    if (!kLaunchers[i].mpi.empty()) all[i] = kLaunchers[i].variables.processes;
  }
  return all;
}();
inline constexpr auto kLauncherCommands = [] {
  std::array<std::string_view, 2 * std::size(kLaunchers)> all = {};
  for (size_t i = 0; i < std::size(kLaunchers); ++i) {
    all[2 * i] = kLaunchers[i].commands;
    all[2 * i + 1] = kLaunchers[i].shared_commands;
  }
  return all;
}();

// Whether a program of this name starts others.
constexpr bool is_launcher(std::string_view program) {
  for (const std::string_view commands : kLauncherCommands) {
    if (has_word(commands, program)) return true;
  }
  return false;
}

// Commands that hand a job to a batch system, and end before the job begins;
// with one of the subcommands where there are any, which may stand behind
// another word.
struct Submitter {
  std::string_view commands = {};
  std::string_view subcommands;
  std::string_view before_subcommand;
};
inline constexpr Submitter kSubmitters[] = {
    {" sbatch bsub qsub ", "", ""},
    {" flux ", " batch bulksubmit submit ", "mini"}};

}  // namespace poprt

#endif  // POPRT_BASE_LAUNCHERS_H_
