// The fake MPI library's windows.  No data moves on them.
#include "fake_mpi_state.h"

namespace fake {

MPI_Group new_group(const std::vector<int>& ranks) {
  const auto group = new_handle<MPI_Group>();
  lib().groups[key_of(group)] = ranks;
  return group;
}

}  // namespace fake

using namespace fake;

#pragma GCC diagnostic ignored "-Wunused-parameter"

extern "C" {

int PMPI_Group_size(MPI_Group group, int* size) {
  *size = static_cast<int>(lib().groups.at(key_of(group)).size());
  return MPI_SUCCESS;
}
// Ranks in the group of a communicator with all processes; a group that the
// test has not made is that of all.
int PMPI_Group_translate_ranks(MPI_Group group, int count, const int* ranks,
                               MPI_Group all, int* translated) {
  const auto known = lib().groups.find(key_of(group));
  for (int i = 0; i < count; ++i) {
    translated[i] = known == lib().groups.end()
                        ? ranks[i]
                        : known->second.at(static_cast<size_t>(ranks[i]));
  }
  return MPI_SUCCESS;
}
int PMPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info,
                    MPI_Comm comm, MPI_Win* win) {
  *win = new_handle<MPI_Win>();
  return note("Win_create", comm);
}
int PMPI_Win_free(MPI_Win* win) {
  const int code = note("Win_free", MPI_COMM_WORLD);
  if (code == MPI_SUCCESS) *win = MPI_Win{};
  return code;
}
int PMPI_Win_fence(int assertion, MPI_Win win) {
  return note("Win_fence", MPI_COMM_WORLD);
}
int PMPI_Win_post(MPI_Group group, int assertion, MPI_Win win) {
  return note("Win_post", MPI_COMM_WORLD);
}
int PMPI_Win_start(MPI_Group group, int assertion, MPI_Win win) {
  return note("Win_start", MPI_COMM_WORLD);
}
int PMPI_Win_complete(MPI_Win win) {
  return note("Win_complete", MPI_COMM_WORLD);
}
int PMPI_Win_wait(MPI_Win win) { return note("Win_wait", MPI_COMM_WORLD); }
// The first test finds nothing.
int PMPI_Win_test(MPI_Win win, int* flag) {
  static int count = 0;
  *flag = ++count % 2 == 0 ? 1 : 0;
  return note("Win_test", MPI_COMM_WORLD);
}

}  // extern "C"
