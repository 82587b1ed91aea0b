// More communicators than the MPI library can have at a time, one after the
// other, so that any that a tool does not free show.
#include "transparency.h"

namespace {

using namespace transparency;

constexpr char kGroup[] = "many_communicators";

CASE(thousands_one_after_the_other) {
  for (int i = 0; i < 2500; ++i) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (i % 100 == 0) MPI_Barrier(comm);
    MPI_Comm_free(&comm);
  }
  use("world", MPI_COMM_WORLD);
}

CASE(thousands_of_split) {
  for (int i = 0; i < 2500; ++i) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, i % 2 == 0 ? rank() % 2 : 0, rank(), &comm);
    MPI_Comm_free(&comm);
  }
  use("world", MPI_COMM_WORLD);
}

CASE(fifteen_hundred_alive) {
  std::vector<MPI_Comm> comms(1500, MPI_COMM_NULL);
  ErrorsReturn errors(MPI_COMM_WORLD);
  int made = 0;
  for (MPI_Comm& comm : comms) {
    if (MPI_Comm_dup(MPI_COMM_WORLD, &comm) != MPI_SUCCESS) break;
    ++made;
  }
  line("made %d", made);
  for (int i = 0; i < made; i += 97) use("comm", comms[static_cast<size_t>(i)]);
  for (int i = 0; i < made; ++i) MPI_Comm_free(&comms[static_cast<size_t>(i)]);
  use("world", MPI_COMM_WORLD);
}

CASE(hundreds_of_parts_alive) {
  std::vector<MPI_Comm> comms(700, MPI_COMM_NULL);
  for (size_t i = 0; i < comms.size(); ++i) {
    MPI_Comm_split(MPI_COMM_WORLD, i % 3 == 0 ? rank() : rank() % 2, 0,
                   &comms[i]);
  }
  for (size_t i = 0; i < comms.size(); i += 71) use("comm", comms[i]);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

CASE(fifteen_hundred_of_split) {
  // MPICH has 2048 in all, of which a tool may take some.
  ErrorsReturn errors(MPI_COMM_WORLD);
  std::vector<MPI_Comm> comms;
  for (int i = 0; i < 1500; ++i) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank(), &comm);
    if (comm == MPI_COMM_NULL) break;
    comms.push_back(comm);
  }
  line("made %zu", comms.size());
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

}  // namespace
