// What a measured process tells the `poprt run` that waits for its end: one
// word at a time, to a socket that only exists as a name (no file), and whose
// name is in the environment.  Nobody may be there any more, or be on another
// node: then nothing happens.
#ifndef POPRT_RUNTIME_RUN_WORD_H_
#define POPRT_RUNTIME_RUN_WORD_H_

#include <sys/socket.h>
#include <sys/un.h>

#include <string_view>

namespace poprt {

enum class RunWord : char {
  kStarted = 's',    // of `poprt run`: the job's first process is on this node
  kNoMpi = 'n',      // of `poprt run`: it has preloaded no MPI's library
  kIdle = 'i',       // a process ends in which there was nothing to measure
  kMeasuring = 'm',  // the first process measures
  kReport = 'r',     // there is a report
  kExplained = 'e',  // there is none, and the user has been told why
  kUnmeasuredSpawn = 'u',  // MPI_Comm_spawn has started what is not measured
  kAborted = 'a',          // MPI_Abort is called
};

// Not POPRT_: it is none of the user's options.
inline constexpr char kRunWordVariable[] = "_POPRT_RUN";

// The socket's address for a name; its length.
socklen_t run_word_address(std::string_view name, sockaddr_un* address);

// Says the word to whom the environment names; whether somebody has it.  Takes
// a tenth of a second at most, raises no signal and leaves errno as it was.
bool tell_run(RunWord word);

}  // namespace poprt

#endif  // POPRT_RUNTIME_RUN_WORD_H_
