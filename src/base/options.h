// The environment variables for the user, from one table (name, values,
// default, help).
//
// A wrong value is never an error.  It is named in one line, with the nearest
// valid value if there are a few, and the default is used.
#ifndef POPRT_BASE_OPTIONS_H_
#define POPRT_BASE_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/path_choice.h"
#include "base/region_selection.h"
#include "model/metric_table.h"
#include "model/windows.h"

namespace poprt {

struct Options {
  bool text = true;  // POPRT_REPORT
  bool json = true;
  std::string output;  // POPRT_OUTPUT; empty for the default ("-": /dev/stdout)
  std::vector<Model> models;  // POPRT_MODEL
  bool rows = false;          // POPRT_ROWS: rows of processes in the run file
  bool thread_rows = false;   // and of threads
  RegionSelection regions;    // POPRT_REGIONS
  // POPRT_COUNTERS: names of events, "default", "multiplex"; empty for none.
  std::vector<std::string> counters;
  bool energy = false;         // "energy" is among them: say why there is none
  bool posix_io = false;       // POPRT_IO
  bool all_threads = false;    // POPRT_THREADS
  bool openmp_devices = true;  // POPRT_DEVICES
  bool cuda_devices = false;
  std::string cupti;   // POPRT_CUPTI; empty for the usual places
  PathChoice path;     // POPRT_PATH
  WindowSpec windows;  // POPRT_WINDOWS
  bool calls = false;  // POPRT_CALLS: calls and constructs by place
  // POPRT_CHECKPOINT: how often totals are kept in a file; 0 for never.
  int64_t checkpoint_ns = 0;
};

// Reads the options.  `get` returns the value of a variable or nullptr.
// `variables` are the names of all variables that begin with POPRT_, to find
// unknown ones.  Each complaint is one line without a line break.
Options read_options(const std::function<const char*(const char*)>& get,
                     const std::vector<std::string>& variables,
                     std::vector<std::string>* complaints);

// The text of one option, for programs that set it.
struct OptionText {
  std::string name;  // "POPRT_REPORT"
  // valid values, separated by commas; empty if any is valid
  std::string words;
  std::string fallback;  // the default; empty if the help text tells it
  std::string help;      // sentences on one line
};
std::vector<OptionText> option_texts();

// What is wrong with a value of the variable `name`: a sentence that begins
// with the value, or "".
std::string option_mistake(const std::string& name, const std::string& value);

// The path of the run file for POPRT_OUTPUT = `output`.  If `output` ends in
// .json, it is the path.  If it is a folder or ends in '/', the default name in
// it.  Else it is a template in which %a is the program, %r the number of
// ranks, %t the number of threads of a process ("1-3" where these differ), %p
// the process id and %h the host, to which ".poprt.json" is added.  The default
// name is <program>-<ranks>x<threads>.poprt.json.
std::string run_file_path(const std::string& output, bool output_is_directory,
                          const std::string& program, int64_t ranks,
                          const std::string& threads, const std::string& host,
                          int pid);

}  // namespace poprt

#endif  // POPRT_BASE_OPTIONS_H_
