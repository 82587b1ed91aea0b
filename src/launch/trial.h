// Programs that are run to see whether they work, and of which nothing is left
// in any case.
#ifndef POPRT_LAUNCH_TRIAL_H_
#define POPRT_LAUNCH_TRIAL_H_

#include <string>
#include <vector>

#include "launch/environment.h"
#include "launch/signal_file.h"

namespace poprt {

// Keeps back the signals by which a user ends this process (Ctrl-C, kill) until
// the end of a scope, in which there is something to be put away first.
class HeldSignals : public SignalFile {
 public:
  HeldSignals();
};

// Runs it with the words of `environment` only, in a process group of its own,
// for `seconds` at most, and collects what it writes on stdout and stderr.
// Returns the status as of waitpid(), -1 with errno where it cannot be started;
// -2 where it took longer, or one of the signals has come.  When this returns
// there is nothing left of it or of what it has started.  REQUIRES: this
// process has no other children.
int output_of_program(const std::string& path,
                      const std::vector<std::string>& arguments,
                      const Environment& environment, int seconds,
                      const HeldSignals& signals, std::string* output);

}  // namespace poprt

#endif  // POPRT_LAUNCH_TRIAL_H_
