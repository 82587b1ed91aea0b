// The environment variables that steer a report, from one table (name, values,
// default, help).
//
// A bad value is never an error: it is named in one line, with the nearest
// valid one where there are a few, and the default stands.
#ifndef POPRT_RUNTIME_OPTIONS_H_
#define POPRT_RUNTIME_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/metric_table.h"
#include "runtime/region_selection.h"

namespace poprt {

struct Options {
  bool text = true;  // POPRT_REPORT
  bool json = true;
  bool help = false;   // POPRT_REPORT=help: list the options; nothing else then
  std::string output;  // POPRT_OUTPUT; empty: the default ("-": /dev/stdout)
  std::vector<Model> models;  // POPRT_MODEL
  bool rows = false;          // POPRT_ROWS: of processes, in the run file
  RegionSelection regions;    // POPRT_REGIONS
};

// Reads the options.  `get` returns the value of a variable or nullptr;
// `variables` are the names of all variables that start with POPRT_, for the
// unknown ones.  Each complaint is one line without a line break.
Options read_options(const std::function<const char*(const char*)>& get,
                     const std::vector<std::string>& variables,
                     std::vector<std::string>* complaints);

// The options, their values and defaults, as text for POPRT_REPORT=help.
std::string options_help();

// One of them, for programs that set it.
struct OptionText {
  std::string name;      // "POPRT_REPORT"
  std::string words;     // valid ones, with commas; empty: any text
  std::string fallback;  // the default; empty: see help
  std::string help;      // sentences, on one line
};
std::vector<OptionText> option_texts();

// What is wrong with a value of the variable `name`, in a sentence that begins
// with the value; "" for nothing.
std::string option_mistake(const std::string& name, const std::string& value);

// The path of the run file for POPRT_OUTPUT = `output`: `output` itself where
// it ends in .json; else, where it is a directory or ends in '/', the default
// name in it; else a template in which %a is the program, %r the number of
// ranks, %t the number of threads of a process, %p the process id and %h the
// host, to which ".poprt.json" is added.
// The default name is <program>-<ranks>x<threads>.poprt.json.
std::string run_file_path(const std::string& output, bool output_is_directory,
                          const std::string& program, int64_t ranks,
                          int64_t threads, const std::string& host, int pid);

}  // namespace poprt

#endif  // POPRT_RUNTIME_OPTIONS_H_
