// Checkpoints: while the program runs, each process keeps its totals in a file
// (model/piece.h), of which nothing stays if the program comes to its end.  So
// little is lost if it is killed or aborts, and no signal handler is needed.
//
// It is due work (measure/due_work.h) of the thread that has an event after
// POPRT_CHECKPOINT has passed; no lock that events need is held while a file is
// written.  The file is in a folder of its own beside the run file.
#ifndef POPRT_SESSION_CHECKPOINT_H_
#define POPRT_SESSION_CHECKPOINT_H_

#include <cstdint>
#include <string>

#include "model/piece.h"

namespace poprt {

// Which process of which job this is.
struct ProcessOfJob {
  uint64_t job =
      0;  // random, and the same on all processes; 0: to be made here
  int64_t rank = 0;
  int64_t ranks = 1;
};

// From now on checkpoints are made, if the settings ask for them.  `context`
// gives what is known of the run.  If they have been made for another job (that
// of a process that has become part of an MPI job), those are removed.
void start_checkpoints(const ProcessOfJob& self, RunContext (*context)());
// The last one, at once.  Returns the folder; "" if there is none.
std::string last_checkpoint(Ending ending, int64_t code);
// The program has come to its end: removes the file.
void remove_checkpoint();

}  // namespace poprt

#endif  // POPRT_SESSION_CHECKPOINT_H_
