// MPI_Comm_spawn: if `poprt run` has started the program, the spawned processes
// are measured too.
#ifndef POPRT_WRAPPERS_CALLS_SPAWN_H_
#define POPRT_WRAPPERS_CALLS_SPAWN_H_

#include <deque>
#include <string>
#include <vector>

#include "wrappers/calls/comm_scope.h"
#include "wrappers/calls/scope.h"

namespace poprt::mpi {

// The command lines that replace the program's own, valid as long as this
// object lives.
class SpawnedCommands {
 public:
  // Puts `poprt run` and its options in front of a command: sets `command` and
  // `argv` (which may be MPI_ARGV_NULL) to the new command line.  They stay
  // unchanged if poprt did not start the program, or if the command is not
  // found: then MPI reports the error.
  void put_in_front(const char** command, char*** argv, MPI_Info info);
  void put_in_front(int count, char*** commands, char**** argvs,
                    const MPI_Info* infos);

  // The call has succeeded: adds a note to the report on how the processes are
  // measured.
  void note() const;

 private:
  std::deque<std::string> texts_;
  std::deque<std::vector<char*>> lines_;
  std::vector<char*> commands_;
  std::vector<char**> argvs_;
  bool asked_ = false;
  bool all_measured_ = true;
};

// Whether this process is the root, whose arguments count.
inline bool is_root(MpiThread& thread, int root, MPI_Comm comm) {
  if (const CommInfo* const info = find_comm(thread, comm)) {
    return info->rank == root;
  }
  // A communicator of one process is not tracked.
  int rank = 0;
  return comm != pmpi().comm_null &&
         pmpi().Comm_rank(comm, &rank) == MPI_SUCCESS && rank == root;
}

template <class Call>
int spawn(const char** command, char*** argv, MPI_Info info, int root,
          MPI_Comm comm, Call call) {
  const CallScope scope;
  if (scope.thread() == nullptr) return call();
  SpawnedCommands commands;
  const bool counts = is_root(*scope.thread(), root, comm);
  if (counts) commands.put_in_front(command, argv, info);
  const int code = call();
  if (counts && code == MPI_SUCCESS) commands.note();
  if (code == MPI_SUCCESS) lose_partner(*scope.thread());
  return code;
}

template <class Call>
int spawn_multiple(int count, char*** commands, char**** argvs,
                   const MPI_Info* infos, int root, MPI_Comm comm, Call call) {
  const CallScope scope;
  if (scope.thread() == nullptr) return call();
  SpawnedCommands lines;
  const bool counts = is_root(*scope.thread(), root, comm);
  if (counts) lines.put_in_front(count, commands, argvs, infos);
  const int code = call();
  if (counts && code == MPI_SUCCESS) lines.note();
  if (code == MPI_SUCCESS) lose_partner(*scope.thread());
  return code;
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_SPAWN_H_
