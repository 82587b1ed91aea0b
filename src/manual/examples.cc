#include "manual/examples.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "document/format.h"

namespace poprt {
namespace {

const Example kExamples[] = {
    {"", "poprt run mpirun -n 2 --oversubscribe --bind-to none ./app",
     "Run a program; the report is there when it ends."},
    {"", "poprt report app-2x2.poprt.json", "Show it again."},
    {"", "poprt scale .", "All runs of this folder: how does it scale?"},
    {"", "poprt explain mpi_load_balance app-2x2.poprt.json",
     "What does that number mean?"},
    {"", "poprt doctor", "What works on this machine?"},

    {"run", "poprt run mpirun -n 2 --oversubscribe --bind-to none ./app",
     "Under mpirun, mpiexec or srun, with its options."},
    {"run", "mpirun -n 2 --oversubscribe --bind-to none poprt run ./app",
     "Behind the launcher, whichever it is."},
    {"run",
     "poprt run -m all -o results/ mpirun -n 2 --oversubscribe --bind-to none "
     "./app",
     "Report all models, and keep the run file in a folder."},
    {"run",
     "poprt run --regions 'solve*' -- mpirun -n 2 --oversubscribe --bind-to "
     "none ./app --steps 10",
     "Measure some regions only; options behind the program are its own."},
    {"run",
     "poprt run mpirun -n 2 --oversubscribe --bind-to none python3 app.py",
     "Python with mpi4py."},

    {"report", "poprt report app-2x2.poprt.json",
     "What the end of the run said."},
    {"report", "poprt report app-2x2.poprt.json --model all --region 'solve*'",
     "All models, of some regions."},
    {"report", "poprt report app-2x2.poprt.json --view loss -o report.md",
     "What each row lost, as Markdown."},
    {"report", "poprt report runs/*.json --format csv > metrics.csv",
     "Every metric of many runs as a table."},

    {"scale", "poprt scale .", "All runs of this folder."},
    {"scale", "poprt scale runs --scaling weak --ref 2x2 --region '*'",
     "Against another reference, for each region."},
    {"scale", "poprt scale runs --format markdown > scaling.md",
     "For a report."},
    {"scale", "poprt scale runs --assessment -o assessment.md",
     "The skeleton of a performance assessment."},

    {"plot", "poprt plot runs --kind speedup -o speedup.csv",
     "Run time, speedup and efficiency over cores."},
    {"plot", "poprt plot app-2x2.poprt.json --kind waterfall",
     "What was lost of the core time, one loss after the other."},

    {"diff", "poprt diff before after",
     "Two folders with runs of both versions; repeated runs tell what is "
     "noise."},
    {"diff", "poprt diff old.json new.json --model talp --region solve",
     "Two runs, one region."},

    {"check",
     "poprt check app-2x2.poprt.json --min Global/parallel_efficiency=0.3",
     "At least 30 %."},
    {"check",
     "poprt check app-2x2.poprt.json --min 'solve*/talp.mpi_load_balance=70%'",
     "The same of some regions, by TALP's model."},
    {"check",
     "poprt check app-2x2.poprt.json --min ipc=1.2 --max instructions=3.2G",
     "By counters, of a run that was counted."},
    {"check", "poprt check runs --baseline release --junit check.xml",
     "Nothing worse than in the last release, and a file for the CI system."},

    {"explain", "poprt explain", "All metrics."},
    {"explain", "poprt explain app-2x2.poprt.json",
     "What this run lost most by."},
    {"explain", "poprt explain \"MPI Transfer\"",
     "What it means, and what to do about a low value."},
    {"explain",
     "poprt explain talp.mpi_load_balance app-2x2.poprt.json --region solve",
     "With the numbers of a run."},

    {"export", "poprt export --to talp runs/*.poprt.json",
     "For TALP-Pages, below the folder talp."},
    {"export", "poprt export --to basicanalysis -o tables runs/*.poprt.json",
     "The tables that POP's BasicAnalysis makes of traces."},
    {"export", "poprt export --to csv -o - app-2x2.poprt.json",
     "Every metric, to standard output."},

    {"import", "poprt import talp_2x2.json", "Makes talp_2x2-2x2.poprt.json."},

    {"schema", "poprt schema > run-file.schema.json",
     "For a program that validates run files."},

    {"doctor", "poprt doctor", "Look, and run the bundled example."},
    {"doctor", "poprt doctor --no-example",
     "Look only, as on a login node where nothing may run."},

    {"completion", "eval \"$(poprt completion bash)\"",
     "In ~/.bashrc; for zsh with zsh."},
    {"completion", "poprt completion fish > poprt.fish",
     "In ~/.config/fish/completions."},

    {"help", "poprt help report", "The same as poprt report --help."},

    {"env",
     "LD_PRELOAD=/opt/poprt/lib/poprt/openmpi/libpoprt.so POPRT_MODEL=talp "
     "mpirun -n 2 --oversubscribe --bind-to none ./app",
     "Without the command poprt run."},
};

}  // namespace

std::vector<Example> examples_of(const std::string& command) {
  std::vector<Example> examples;
  std::copy_if(
      std::begin(kExamples), std::end(kExamples), std::back_inserter(examples),
      [&](const Example& example) { return command == example.command; });
  return examples;
}

std::string reflowed(const std::string& text, size_t width) {
  // Where the second column begins in CLI11's lists.
  constexpr size_t kColumn = 30;
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    size_t indent = line.find_first_not_of(' ');
    if (indent == std::string::npos) indent = 0;
    if (indent > 0 && line.size() > kColumn && line[kColumn - 1] == ' ' &&
        line[kColumn - 2] == ' ') {
      indent = kColumn;
    } else if (indent == 2) {
      indent = 6;  // below a long first column
    }
    if (indent + 20 > width) indent = 0;
    while (line.size() > width) {
      size_t end = line.rfind(' ', width);
      if (end == std::string::npos || end <= indent) {
        end = line.rfind(',', width - 1);  // a long list of values
      }
      if (end == std::string::npos || end <= indent) break;
      result += line.substr(0, line.find_last_not_of(' ', end) + 1) + "\n";
      line = std::string(indent, ' ') + line.substr(end + 1);
    }
    result += line + "\n";
  }
  return result;
}

std::string HelpWithExamples::make_help(const CLI::App* app, std::string name,
                                        CLI::AppFormatMode mode) const {
  winsize window = {};
  const bool is_known =
      ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
  return reflowed(
      CLI::Formatter::make_help(app, std::move(name), mode),
      is_known ? std::max<size_t>(window.ws_col, 40) : kReportWidth);
}

std::string HelpWithExamples::make_footer(const CLI::App* app) const {
  std::string text = "Examples:\n";
  for (const Example& example :
       examples_of(app->get_parent() != nullptr ? app->get_name() : "")) {
    text += std::string("  ") + example.line + "\n      " + example.what + "\n";
  }
  return text + "\n" + CLI::Formatter::make_footer(app);
}

}  // namespace poprt
