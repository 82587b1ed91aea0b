// What the environment asks for, read once: when the measured process is made,
// or when a report is asked for before that.
#ifndef POPRT_SESSION_SETTINGS_H_
#define POPRT_SESSION_SETTINGS_H_

#include <string>
#include <vector>

#include "base/options.h"
#include "measure/process.h"

namespace poprt {

struct Settings {
  Options options;
  // One line for each mistake in the environment.  Printed at the end, once for
  // the job.
  std::vector<std::string> complaints;
};

// Thread-safe, also in a signal handler that interrupts it.
const Settings& settings();

// The process that is measured, with the regions that the settings select.
// Unlike measured_process(), may be called before measurement starts.
Process& process_of_program();

}  // namespace poprt

#endif  // POPRT_SESSION_SETTINGS_H_
