// What is heard of a run until its end, and what is to be said where no report
// has come of it.
#ifndef POPRT_LAUNCH_RUN_WATCH_H_
#define POPRT_LAUNCH_RUN_WATCH_H_

#include <set>
#include <string>

#include "runtime/run_word.h"

namespace poprt {

using RunWords = std::set<RunWord>;

// Listens to what processes of the same user on this node say with tell_run().
class RunWatch {
 public:
  RunWatch();
  ~RunWatch();
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;

  // The value of kRunWordVariable; "" where nothing can be heard.
  const std::string& name() const { return name_; }
  // Can be read when there is something to take.
  int file() const { return file_; }
  // Takes all that is there; never waits.
  void listen();

  const RunWords& heard() const { return heard_; }
  // The same as if it had been heard.
  void note(RunWord word) { heard_.insert(word); }

 private:
  std::string name_;
  int file_ = -1;
  RunWords heard_;
};

// Why there is no report of a run that has ended with `status` (as of
// waitpid()), in a clause; "" where there is one, where the reason has been
// said, and where the first process never came to this node, so that nothing is
// known.
std::string why_no_report(const RunWords& heard, int status);

}  // namespace poprt

#endif  // POPRT_LAUNCH_RUN_WATCH_H_
