// Listens to the processes of a run until its end, and explains why there is no
// report.
#ifndef POPRT_LAUNCH_PROCESS_RUN_WATCH_H_
#define POPRT_LAUNCH_PROCESS_RUN_WATCH_H_

#include <set>
#include <string>

#include "base/run_word.h"

namespace poprt {

using RunWords = std::set<RunWord>;

// Receives the words that processes of the same user (for root: of any) on this
// node and in the same network namespace send with tell_run().
class RunWatch {
 public:
  RunWatch();
  ~RunWatch();
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;

  // The value for kRunWordVariable; "" if nothing can be received.
  const std::string& name() const { return name_; }
  // Becomes readable when there are words.
  int file() const { return file_; }
  // Takes all words that are there.  Never waits.
  void listen();

  const RunWords& heard() const { return heard_; }
  // The folder with what was measured; "" if none was named.
  const std::string& pieces() const { return pieces_; }
  // The run file of a report that was not printed; "" if none was named.
  const std::string& run_file() const { return run_file_; }
  // Adds a word as if it had been received.
  void note(RunWord word) { heard_.insert(word); }

 private:
  std::string name_;
  int file_ = -1;
  RunWords heard_;
  std::string pieces_;
  std::string run_file_;
};

// Why a run that has ended with `status` (of waitpid()) has no report, as a
// clause.  "" if it has one, if the reason has been printed already, or if the
// first process was on another node, so that nothing is known.
std::string why_no_report(const RunWords& heard, int status);

}  // namespace poprt

#endif  // POPRT_LAUNCH_PROCESS_RUN_WATCH_H_
