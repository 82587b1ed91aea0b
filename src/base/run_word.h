// What a measured process tells the `poprt run` that waits for its end: single
// words, sent to a socket that is only a name (no file) and whose name is in
// the environment.  If no process listens there, or only on another node or in
// another network namespace, nothing happens.
#ifndef POPRT_BASE_RUN_WORD_H_
#define POPRT_BASE_RUN_WORD_H_

#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <string_view>

namespace poprt {

enum class RunWord : char {
  kStarted = 's',  // from `poprt run`: the job's first process is on this node
  kNoMpi = 'n',    // from `poprt run`: it has preloaded no MPI library
  kNothing = 'i',  // a process ends without anything to measure
  kMeasuring = 'm',  // the first process measures
  kReport = 'r',     // a report was written
  // the report was not printed, because stderr is another file by now; the path
  // of the run file follows, if there is one
  kNotPrinted = 'x',
  kExplained = 'e',  // there is no report, and the user was told why
  // MPI_Comm_spawn has started processes that are not measured
  kUnmeasuredSpawn = 'u',
  kAborted = 'a',  // MPI_Abort was called
  // what was measured is also in a folder, whose path follows
  kPieces = 'p',
};

// Without the prefix POPRT_, because it is not an option for users.
inline constexpr char kRunWordVariable[] = "_POPRT_RUN";

// The address of the socket with this name, and its length.
socklen_t run_word_address(std::string_view name, sockaddr_un* address);

// A longer path is not sent.
inline constexpr size_t kLongestRunText = 4096;

// Sends the word, and a text after it.  Returns whether a process has received
// it.  Takes at most a tenth of a second, raises no signal and keeps errno.
bool tell_run(RunWord word, std::string_view text = {});

}  // namespace poprt

#endif  // POPRT_BASE_RUN_WORD_H_
