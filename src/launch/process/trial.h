// Runs programs to see whether they work.  Nothing is left of them, in any
// case.
#ifndef POPRT_LAUNCH_PROCESS_TRIAL_H_
#define POPRT_LAUNCH_PROCESS_TRIAL_H_

#include <string>
#include <vector>

#include "launch/environment.h"
#include "launch/process/signal_file.h"

namespace poprt {

// Holds back the signals by which a user ends this process (Ctrl-C, kill) until
// the end of its scope, while there is something to clean up first.
class HeldSignals : public SignalFile {
 public:
  HeldSignals();
};

// Runs a program with only the variables in `environment`, in a process group
// of its own, for at most `seconds`, and collects its stdout and stderr.
// Returns the status of waitpid(); -1 with errno if it cannot be started; -2 if
// it took longer or a signal has come.  When this returns, neither the program
// nor anything it has started is left.  REQUIRES: this process has no other
// children.
int output_of_program(const std::string& path,
                      const std::vector<std::string>& arguments,
                      const Environment& environment, int seconds,
                      const HeldSignals& signals, std::string* output);

}  // namespace poprt

#endif  // POPRT_LAUNCH_PROCESS_TRIAL_H_
