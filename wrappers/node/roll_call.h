// The roll call: which processes of the job have this library.
//
// A process without it is one program of several (MPMD), or statically linked.
// It would take a message of the tool for one of the program's, and a
// collective of the tool would wait for it for ever.  So before the first of
// them all others must have answered: in memory that the processes of a node
// share, never by MPI.
//
// Invariants:
// 1. Every process answers before it calls MPI_Init, from which no process
//    returns before all have called it.  So nobody waits for an answer.  (Where
//    Open MPI is told not to synchronise there, who is late is not known.)
// 2. All processes learn the same outcome: that of the first one to decide.
// 3. The tool is silent only if each process that has not answered surely lacks
//    the library (job_processes.h).  Else one that could not answer, such as
//    one in another container, would wait for the others' messages for ever.
//
// Only for jobs on one node whose launcher tells how many processes it has
// started there (base/launched.h), and that begin with MPI_Init: there is no
// moment at which all processes have opened a session.
#ifndef POPRT_WRAPPERS_NODE_ROLL_CALL_H_
#define POPRT_WRAPPERS_NODE_ROLL_CALL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/open_files.h"

namespace poprt::mpi {

enum class Roll : uint32_t {
  kUndecided,
  kAll,
  kSome,      // at least one process lacks it: the tool sends nothing
  kNotKnown,  // all processes are taken to have the library
};

class RollCall {
 public:
  // For process `rank` of a job of `processes`, which share the file `path`. If
  // the file cannot be made, is_possible() is false.
  RollCall(std::string path, int rank, int processes);
  ~RollCall();
  RollCall(const RollCall&) = delete;
  RollCall& operator=(const RollCall&) = delete;

  bool is_possible() const { return head_ != nullptr; }
  int rank() const { return rank_; }
  int processes() const { return processes_; }
  // A random number, the same on all processes of the job.
  uint64_t job() const;

  // This process has the library.  The last one that answers removes the file's
  // name, so the file is gone when the last process has ended.
  void answer();
  // The ranks that have answered, or have not, in order.
  std::vector<int> ranks(bool answered) const;
  // What has been decided.
  Roll decided() const;
  // Decides, if nobody has yet.
  void decide(Roll roll);
  // No other process will answer: removes the file's name.
  void hide();

  // For totals that cannot be combined by MPI: leaves this process's totals in
  // the file.  Returns whether this process is the last one to do so.
  bool leave(std::string_view totals);
  // What a process has left; empty if there is nothing.
  std::string left_by(int rank) const;

 private:
  struct Head;
  size_t head_bytes() const;
  size_t place_of(int rank) const;  // of its totals in the file

  std::string path_;
  const int rank_;
  const int processes_;
  KeptFile file_;
  Head* head_ = nullptr;
};

// Before the call that initialises MPI: this process has the library.
void answer_roll_call();
// After it: the outcome in a world of `size` processes.  Says so, once for the
// job, if some lack the library.
Roll take_roll_call(int size);
// When MPI has been initialised, or could not be: leaves nothing behind, unless
// some lack the library.
void close_roll_call();
// REQUIRES: the outcome was kSome.
RollCall& roll_call();

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_ROLL_CALL_H_
