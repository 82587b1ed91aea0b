// Wait and Test of sends, of what is not done, and of all at once. Random
// programs (tests/chaos) complete requests in every form, with and without
// statuses.
#include "completion.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "completion";

CASE(wait_of_a_send) {
  RingUnderWay ring(4);
  for (MPI_Request& r : ring.sends) {
    Status status = spoiled();
    show("code", MPI_Wait(&r, &status));
    int cancelled = -1;
    MPI_Test_cancelled(&status, &cancelled);
    line("cancelled %d", cancelled);
  }
  MPI_Waitall(as_int(ring.count), ring.receives.data(), MPI_STATUSES_IGNORE);
  ring.show_data();
}

CASE(test_not_done) {
  Ring ring(3);
  ring.post();
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 20; ++i) {
    int flag = -1;
    Status status = spoiled();
    MPI_Test(&ring.receives[1], &flag, &status);
    line("flag %d, null %s", flag, yes(ring.receives[1] == MPI_REQUEST_NULL));
    MPI_Test(&ring.receives[1], &flag, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  ring.send();
  MPI_Waitall(3, ring.receives.data(), ring.statuses.data());
  ring.show_statuses();
  ring.finish_sends();
}

CASE(waitall_of_sends_and_receives) {
  RingUnderWay ring(10);
  std::vector<MPI_Request> all;
  for (size_t i = 0; i < ring.count; ++i) {
    all.push_back(ring.sends[i]);
    all.push_back(MPI_REQUEST_NULL);
    all.push_back(ring.receives[i]);
  }
  std::vector<Status> statuses(all.size(), spoiled());
  MPI_Waitall(as_int(all.size()), all.data(), statuses.data());
  for (size_t i = 1; i < all.size(); i += 3) {
    show_empty("null", statuses[i]);
    show("receive", statuses[i + 1]);
  }
  line("null: %s", yes(all_null(all)));
}

}  // namespace
