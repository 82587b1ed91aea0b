#include "base/options.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/file_names.h"
#include "base/time_span.h"
#include "base/window_option.h"
#include "base/words.h"

namespace poprt {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kPrefix = "POPRT_";

struct Option {
  const char* name;
  const char* words;     // valid values; empty if any is valid
  const char* also;      // further values that are accepted
  const char* fallback;  // the default, as one would write it
  const char* help;
  // Returns what is wrong with the words, or "".
  std::string (*take)(const Words& words, Options* options);
};

// A value for a complaint: shortened, and on one line.
std::string shown(std::string_view value) {
  constexpr size_t kLongest = 60;
  std::string result(value.substr(0, kLongest));
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return value.size() > kLongest ? result + "..." : result;
}

bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string take_report(const Words& words, Options* options) {
  if (contains(words, "none") && words.size() > 1) {
    return " contradicts itself";
  }
  options->text = contains(words, "text");
  options->json = contains(words, "json");
  return "";
}

std::string take_output(const Words& words, Options* options) {
  options->output = words.empty() ? "" : words.front();
  if (options->output == "-") options->output = "/dev/stdout";
  return "";
}

std::string take_model(const Words& words, Options* options) {
  options->models.clear();
  for (const std::string& word : words) {
    for (Model model : kModels) {
      std::vector<Model>& models = options->models;
      if (is_meant(model, word) &&
          std::find(models.begin(), models.end(), model) == models.end()) {
        models.push_back(model);
      }
    }
  }
  return "";
}

std::string take_regions(const Words& words, Options* options) {
  RegionSelection regions;
  for (const std::string& word :
       words.empty() ? words : words_of(words.front())) {
    if (!regions.add(word)) {
      return ": \"" + shown(word) +
             "\" is neither include:PATTERN nor exclude:PATTERN";
    }
  }
  options->regions = std::move(regions);
  return "";
}

// Of two words that exclude each other.
std::string take_switch(const Words& words, const char* off, const char* on,
                        bool* is_on) {
  if (contains(words, off) && contains(words, on)) {
    return " contradicts itself";
  }
  *is_on = contains(words, on);
  return "";
}

std::string take_rows(const Words& words, Options* options) {
  options->thread_rows = contains(words, "thread");
  options->rows = options->thread_rows || contains(words, "process");
  if (options->rows && contains(words, "none")) {
    options->rows = options->thread_rows = false;
    return " contradicts itself";
  }
  return "";
}

std::string take_counters(const Words& words, Options* options) {
  options->counters = words.empty() ? words : words_of(words.front());
  if (contains(options->counters, "none")) {
    if (options->counters.size() > 1) return " contradicts itself";
    options->counters.clear();
  }
  options->energy = std::erase(options->counters, "energy") > 0;
  return "";
}

std::string take_io(const Words& words, Options* options) {
  options->posix_io = contains(words, "posix");
  return "";
}

std::string take_threads(const Words& words, Options* options) {
  return take_switch(words, "openmp", "all", &options->all_threads);
}

std::string take_devices(const Words& words, Options* options) {
  options->openmp_devices = contains(words, "openmp");
  options->cuda_devices = contains(words, "cuda");
  return contains(words, "none") && words.size() > 1 ? " contradicts itself"
                                                     : "";
}

std::string take_cupti(const Words& words, Options* options) {
  options->cupti = words.empty() ? "" : words.front();
  return "";
}

std::string take_path(const Words& words, Options* options) {
  constexpr std::string_view kWithout = "without:";
  PathChoice path;
  bool is_none = false;
  bool in_list = false;
  for (const std::string& word : words) {
    const bool begins = word.rfind(kWithout, 0) == 0;
    const bool is_known = word == "waiting" || word == "regions" ||
                          word == "constructs" || word == "ranks" ||
                          word == "none";
    if (!begins && (is_known || !in_list)) {
      path.waiting = path.waiting || word == "waiting";
      path.constructs = path.constructs || word == "constructs";
      path.regions = path.regions || word == "regions" || path.constructs;
      path.ranks = path.ranks || word == "ranks";
      is_none = is_none || word == "none";
      continue;
    }
    in_list = true;
    const std::string name = begins ? word.substr(kWithout.size()) : word;
    if (name.empty()) return " which region? without:NAME";
    if (contains(path.without, name)) continue;
    if (path.without.size() == PathChoice::kMostWithout) {
      return ": more than " + std::to_string(PathChoice::kMostWithout) +
             " regions are left out";
    }
    path.without.push_back(name);
  }
  if (is_none && words.size() > 1) return " contradicts itself";
  options->path = std::move(path);
  return "";
}

std::string take_windows(const Words& words, Options* options) {
  options->windows = WindowSpec();
  if (words.empty() || words.front().empty() || words.front() == "none") {
    return "";
  }
  const auto windows = parse_windows(words.front());
  if (!windows) {
    return " is neither region:NAME, region:NAME/VISITS nor a time from 1ms to "
           "a day (500ms, 1s, 2min)";
  }
  options->windows = *windows;
  return "";
}

std::string take_calls(const Words& words, Options* options) {
  return take_switch(words, "off", "on", &options->calls);
}

// "off", or a number with ms, s or min; without a unit it is s.
std::string take_checkpoint(const Words& words, Options* options) {
  constexpr int64_t kLeastNs = 10'000'000;
  const std::string text =
      words.empty() || words.front().empty() ? "10s" : words.front();
  if (text == "off") {
    options->checkpoint_ns = 0;
    return "";
  }
  const auto interval_ns = time_span_ns(text, "s", kLeastNs);
  if (!interval_ns) {
    return " is neither off nor a time from 10ms to 1440min, such as 10s";
  }
  options->checkpoint_ns = *interval_ns;
  return "";
}

// clang-format off
constexpr Option kOptions[] = {
    {"POPRT_REPORT", "text,json,none", "", "text,json",
     "What is made at the end of the run: the table on stderr, the run file.",
     take_report},
    {"POPRT_OUTPUT", "", "", "",
     "The run file, if it ends in .json; a folder; - for stdout; or a template of "
     "%a program, %r ranks, %t threads, %p process id, %h host. By default "
     "<program>-<ranks>x<threads>.poprt.json in the working directory.",
     take_output},
    {"POPRT_MODEL", "pop,critical_path,multiplicative,additive,talp,computation,io,mpi_time,waiting,all",
     "critpath,mult,add", "critical_path",
     "The metrics in the table; the run file has them all.",
     take_model},
    {"POPRT_REGIONS", "", "", "",
     "The regions that are measured: a comma list of include:PATTERN (or only "
     "PATTERN) and exclude:PATTERN, with * for any text and ? for one byte. By "
     "default all are.",
     take_regions},
    {"POPRT_ROWS", "none,process,thread", "", "none",
     "Whether the run file also has the times of every process, or of every process "
     "and thread.",
     take_rows},
    {"POPRT_COUNTERS", "", "", "",
     "Counters in useful time, through PAPI: default (instructions and cycles), or "
     "a comma list of PAPI's events, also as NAME=EVENT; multiplex lets more "
     "events take turns than the processor has counters. poprt run knows names "
     "of sets, too, and all-sets: one run with each. By default there are none. "
     "With energy a note says why there is no energy; where it can be read, it "
     "always is.",
     take_counters},
    {"POPRT_IO", "mpi,posix", "", "mpi",
     "Whether calls of POSIX I/O to files are measured besides MPI-IO, which always "
     "is.",
     take_io},
    {"POPRT_THREADS", "openmp,all", "", "openmp",
     "Whether threads that the program makes itself (pthreads, std::thread, C11) are "
     "measured as cores of the process, besides those of OpenMP.",
     take_threads},
    {"POPRT_DEVICES", "openmp,cuda,none", "", "openmp",
     "Whose calls to accelerators are measured as such, as a comma list: openmp, "
     "the target constructs of OpenMP; cuda, CUDA's runtime and driver, and what "
     "its devices do, through CUPTI, which takes one tool at a time.",
     take_devices},
    {"POPRT_CUPTI", "", "", "",
     "The file of the libcupti that POPRT_DEVICES=cuda loads. By default it is "
     "one that the program has, that of its CUDA, or in CUDA_HOME, or any that "
     "the loader finds.",
     take_cupti},
    {"POPRT_PATH", "none,waiting,regions,constructs,ranks,without:", "", "none",
     "What messages also carry of the longest path: waiting, a clock in which waiting "
     "in MPI weighs nothing, so that the model waiting splits Transfer between MPI "
     "and OpenMP; regions, what the path is made of, by region and rank; "
     "constructs, the same with the time in OpenMP by construct and place; ranks, "
     "only by rank; without:NAME, how long the run would be if the useful time in "
     "that region took no time (up to four, without:A,B).",
     take_path},
    {"POPRT_WINDOWS", "", "", "",
     "All metrics over time, in at most 64 windows: each visit of a region "
     "(region:NAME), several (region:NAME/VISITS), or a time (500ms, 1s, 2min). "
     "When the windows are full, neighbours become one. By default there are "
     "none.",
     take_windows},
    {"POPRT_CALLS", "off,on", "", "off",
     "Whether MPI calls and OpenMP constructs are told apart by kind and place in the "
     "program: how long each waited, and for whom, and what calls sent.",
     take_calls},
    {"POPRT_CHECKPOINT", "", "", "10s",
     "How often what was measured is kept in a file beside the run file, of which "
     "nothing stays if the program comes to its end (500ms, 10s, 2min); off. If "
     "it is killed or aborts, poprt report shows what the files have.",
     take_checkpoint},
};
// clang-format on

// The Levenshtein distance.  Upper and lower case count as equal.
size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change =
          diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal =
          std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row[b.size()];
}

// The valid word that was probably meant.  If less than half of the letters
// agree, a guess does not help, and all valid words are listed.  The first
// `skip` characters, which are common to all, do not count.
std::string suggestion(const std::string& word, const Words& valid,
                       size_t skip = 0) {
  const auto distance = [&](const std::string& other) {
    return edit_distance(std::string_view(word).substr(skip),
                         std::string_view(other).substr(skip));
  };
  const auto nearest =
      std::min_element(valid.begin(), valid.end(),
                       [&](const std::string& a, const std::string& b) {
                         return distance(a) < distance(b);
                       });
  if (2 * distance(*nearest) <= nearest->size() - skip) {
    return "Did you mean \"" + *nearest + "\"?";
  }
  std::string list;
  for (const std::string& each : valid) {
    list += (list.empty() ? "" : ", ") + each;
  }
  return "Valid: " + list + ".";
}

// What is wrong with a value, and what was probably meant.
struct Mistake {
  std::string what;
  std::string advice;
};

// Sets one option from its value.
std::optional<Mistake> take_value(const Option& option,
                                  const std::string& value, Options* options) {
  // The value is not a list: a path may contain commas.
  if (*option.words == '\0') {
    const std::string wrong = option.take({value}, options);
    if (wrong.empty()) return std::nullopt;
    return Mistake{wrong, ""};
  }
  const Words valid = words_of(option.words);
  const Words also = words_of(option.also);
  const Words words = words_of(value);
  if (words.empty()) return std::nullopt;
  bool is_open = false;
  for (const std::string& word : words) {
    // "without:" is followed by any text, and then by any others.
    is_open = is_open || std::ranges::any_of(valid, [&](const auto& each) {
                return each.back() == ':' && word.rfind(each, 0) == 0;
              });
    if (is_open || contains(valid, word) || contains(also, word)) continue;
    const std::string which =
        words.size() == 1 ? "" : ": \"" + shown(word) + "\"";
    return Mistake{which + " is unknown", " " + suggestion(word, valid)};
  }
  const std::string wrong = option.take(words, options);
  if (wrong.empty()) return std::nullopt;
  return Mistake{wrong, ""};
}

// Sets the option, or adds a complaint.
void read_option(const Option& option, const std::string& value,
                 Options* options, std::vector<std::string>* complaints) {
  const auto mistake = take_value(option, value, options);
  if (!mistake) return;
  const std::string effect =
      *option.words == '\0'
          ? "; it has no effect."
          : std::string("; the default \"") + option.fallback + "\" is used.";
  complaints->push_back(std::string("poprt: ") + option.name + "=" +
                        shown(value) + mistake->what + effect +
                        mistake->advice);
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

Options read_options(const std::function<const char*(const char*)>& get,
                     const std::vector<std::string>& variables,
                     std::vector<std::string>* complaints) {
  Options options;
  Words names;
  for (const Option& option : kOptions) {
    option.take(words_of(option.fallback), &options);
    names.push_back(option.name);
  }
  for (const Option& option : kOptions) {
    const char* const value = get(option.name);
    if (value != nullptr) read_option(option, value, &options, complaints);
  }
  for (const std::string& variable : variables) {
    // A variable without the prefix is not one of ours.
    if (variable.rfind(kPrefix, 0) != 0 || contains(names, variable)) continue;
    complaints->push_back("poprt: " + shown(variable) +
                          " is unknown and has no effect. " +
                          suggestion(variable, names, kPrefix.size()));
  }
  return options;
}

std::vector<OptionText> option_texts() {
  std::vector<OptionText> texts;
  for (const Option& option : kOptions) {
    texts.push_back({option.name, option.words, option.fallback, option.help});
  }
  return texts;
}

std::string option_mistake(const std::string& name, const std::string& value) {
  Options options;
  for (const Option& option : kOptions) {
    if (option.name != name) continue;
    if (const auto mistake = take_value(option, value, &options)) {
      return shown(value) + mistake->what + "." + mistake->advice;
    }
  }
  return "";
}

namespace {

std::string path_with(const std::string& name, const std::string& output,
                      bool output_is_directory, int64_t ranks,
                      const std::string& threads, const std::string& host,
                      int pid) {
  const std::string standard =
      name + "-" + std::to_string(ranks) + "x" + threads + ".poprt.json";
  if (output.empty()) return standard;
  if (output_is_directory) {
    return output + (output.back() == '/' ? "" : "/") + standard;
  }
  if (output.back() == '/') return output + standard;
  if (ends_with(output, ".json")) return output;

  std::string path;
  for (size_t i = 0; i < output.size(); ++i) {
    const char next = i + 1 < output.size() ? output[i + 1] : '\0';
    if (output[i] != '%' ||
        std::string_view("artph%").find(next) == std::string_view::npos ||
        next == '\0') {
      path += output[i];
      continue;
    }
    ++i;
    if (next == 'a') path += name;
    if (next == 'r') path += std::to_string(ranks);
    if (next == 't') path += threads;
    if (next == 'p') path += std::to_string(pid);
    if (next == 'h') path += host;
    if (next == '%') path += '%';
  }
  return path + ".poprt.json";
}

}  // namespace

std::string run_file_path(const std::string& output, bool output_is_directory,
                          const std::string& program, int64_t ranks,
                          const std::string& threads, const std::string& host,
                          int pid) {
  // For the number of a name that is taken (numbered_path()).
  constexpr size_t kNumber = 5;
  std::string name = program;
  std::replace(name.begin(), name.end(), '/', '_');
  // The program's name is shortened until all fits.
  while (true) {
    const std::string path =
        path_with(name, output, output_is_directory, ranks, threads, host, pid);
    const size_t length = longest_part(path) + kNumber;
    if (length <= kLongestFileName || name.empty()) return path;
    const size_t excess = length - kLongestFileName;
    name = cut_to(name, name.size() - std::min(excess, name.size()));
  }
}

}  // namespace poprt
