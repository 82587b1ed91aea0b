// MPI_Comm_spawn: what `poprt run` started is measured with all that it starts
// itself.
#ifndef POPRT_WRAPPERS_SPAWN_H_
#define POPRT_WRAPPERS_SPAWN_H_

#include <deque>
#include <string>
#include <vector>

#include "wrappers/comm_scope.h"
#include "wrappers/scope.h"

namespace poprt::mpi {

// The command lines that take the place of the program's own, as long as this
// lives.
class SpawnedCommands {
 public:
  // Puts the words of the variable in front of a command: afterwards `command`
  // and `argv` (may be MPI_ARGV_NULL) are those of another command line.  They
  // stay as they are where nobody asks for it, and where the command is not
  // found, which MPI has to refuse itself.
  void put_in_front(const char** command, char*** argv, MPI_Info info);
  void put_in_front(int count, char*** commands, char**** argvs,
                    const MPI_Info* infos);

  // The call has succeeded: says in the report what has become of them.
  void note() const;

 private:
  std::deque<std::string> texts_;
  std::deque<std::vector<char*>> lines_;
  std::vector<char*> commands_;
  std::vector<char**> argvs_;
  bool asked_ = false;
  bool all_measured_ = true;
};

// Whether this process's command lines count.
inline bool is_root(MpiThread& thread, int root, MPI_Comm comm) {
  if (const CommInfo* const info = find_comm(thread, comm)) {
    return info->rank == root;
  }
  // One process alone has no clocks to exchange.
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
  return code;
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_SPAWN_H_
