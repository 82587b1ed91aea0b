// Intercommunicators.
#include "transparency.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "intercomm";

CASE_FROM(create_and_use, 2) {
  const Halves halves;
  use_inter("inter", halves.inter);
  int inter = -1;
  MPI_Comm_test_inter(halves.inter, &inter);
  line("inter %d", inter);
  MPI_Comm_test_inter(halves.half, &inter);
  line("inter %d", inter);
  MPI_Group group;
  int n = -1;
  MPI_Comm_group(halves.inter, &group);
  MPI_Group_size(group, &n);
  MPI_Group_free(&group);
  line("local %d", n);
  MPI_Comm_remote_group(halves.inter, &group);
  MPI_Group_size(group, &n);
  MPI_Group_free(&group);
  line("remote %d", n);
}

CASE_FROM(merge, 2) {
  const Halves halves;
  for (const int which : {0, 1, 2, 3}) {
    MPI_Comm merged;
    // Low first, high first, and both alike.
    const int high = which == 0   ? !halves.low
                     : which == 1 ? halves.low
                                  : which - 2;
    MPI_Intercomm_merge(halves.inter, high, &merged);
    // If both groups say the same, the order is MPI's choice.
    if (which < 2) {
      use("merged", merged);
    } else {
      int n = -1;
      MPI_Comm_size(merged, &n);
      line("size %d", n);
    }
    MPI_Comm_free(&merged);
  }
}

CASE_FROM(messages, 2) {
  const Halves halves;
  // Every process of the low group to every one of the high group.
  std::vector<MPI_Request> requests;
  Ints out(static_cast<size_t>(halves.remote));
  Ints in(static_cast<size_t>(halves.remote), -1);
  for (int p = 0; p < halves.remote; ++p) {
    const auto i = static_cast<size_t>(p);
    out[i] = rank() * 100 + p;
    requests.emplace_back();
    MPI_Irecv(&in[i], 1, MPI_INT, p, MPI_ANY_TAG, halves.inter,
              &requests.back());
    requests.emplace_back();
    const auto send = p % 2 == 0 ? MPI_Isend : MPI_Issend;
    send(&out[i], 1, MPI_INT, p, p, halves.inter, &requests.back());
  }
  std::vector<Status> statuses(requests.size());
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(),
              statuses.data());
  show("values", in);
  for (size_t i = 0; i < statuses.size(); i += 2) show("status", statuses[i]);
}

CASE_FROM(probes, 2) {
  const Halves halves;
  if (halves.rank > 0) return;
  const int out = rank() + 5;
  MPI_Request request;
  MPI_Isend(&out, 1, MPI_INT, 0, 8, halves.inter, &request);
  MPI_Message message;
  Status status;
  MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, halves.inter, &message, &status);
  show("matched", status);
  int in = -1;
  MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
  line("value %d", in);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE_FROM(proc_null, 2) {
  const Halves halves;
  int in = 3;
  Status status;
  MPI_Sendrecv(&in, 1, MPI_INT, MPI_PROC_NULL, 0, &in, 1, MPI_INT,
               MPI_PROC_NULL, 0, halves.inter, &status);
  show("status", status);
}

CASE_FROM(dup, 2) {
  const Halves halves;
  MPI_Comm copy;
  MPI_Comm_dup(halves.inter, &copy);
  int relation = -1;
  MPI_Comm_compare(halves.inter, copy, &relation);
  line("congruent: %s", yes(relation == MPI_CONGRUENT));
  use_inter("dup", copy);
  MPI_Comm_free(&copy);
}

#if !defined(OPEN_MPI)  // 4.1 crashes
CASE_FROM(idup, 2) {
  const Halves halves;
  MPI_Comm copy;
  MPI_Request request;
  MPI_Comm_idup(halves.inter, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  use_inter("idup", copy);
  MPI_Comm_free(&copy);
}
#endif

CASE_FROM(split, 4) {
  const Halves halves;
  MPI_Comm part;
  MPI_Comm_split(halves.inter, halves.rank % 2, halves.rank, &part);
  if (part == MPI_COMM_NULL) {
    line("null");
    return;
  }
  use_inter("part", part);
  MPI_Comm_free(&part);
}

CASE_FROM(create, 2) {
  const Halves halves;
  MPI_Group group;
  MPI_Group first;
  MPI_Comm comm;
  const int ranks[1] = {0};
  MPI_Comm_group(halves.inter, &group);
  MPI_Group_incl(group, 1, ranks, &first);
  MPI_Comm_create(halves.inter, first, &comm);
  line("null: %s", yes(comm == MPI_COMM_NULL));
  if (comm != MPI_COMM_NULL) {
    use_inter("leaders", comm);
    MPI_Comm_free(&comm);
  }
  MPI_Group_free(&first);
  MPI_Group_free(&group);
}

CASE_FROM(of_single_processes, 2) {
  if (rank() > 1) return;
  MPI_Comm inter;
  MPI_Comm merged;
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank(), 2, &inter);
  use_inter("pair", inter);
  MPI_Intercomm_merge(inter, rank(), &merged);
  use("merged", merged);
  MPI_Comm_free(&inter);
  use("merged", merged);
  MPI_Comm_free(&merged);
}

CASE_FROM(many, 2) {
  for (int i = 0; i < 40; ++i) {
    const Halves halves;
    if (i % 13 == 0) use_inter("inter", halves.inter);
  }
}

#if !defined(OPEN_MPI)  // 4.1 crashes
CASE_FROM(freed_while_pending, 2) {
  const Halves halves;
  MPI_Comm copy;
  MPI_Comm_dup(halves.inter, &copy);
  int in = -1;
  const int out = rank() + 1;
  MPI_Request request;
  MPI_Iallreduce(&out, &in, 1, MPI_INT, MPI_SUM, copy, &request);
  MPI_Comm_free(&copy);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  line("sum %d", in);
}
#endif

CASE_FROM(errors, 2) {
  const Halves halves;
  ErrorsReturn errors(halves.inter);
  int value = 0;
  show("rank", MPI_Send(&value, 1, MPI_INT, 1000, 0, halves.inter));
  show("root", MPI_Bcast(&value, 1, MPI_INT, 1000, halves.inter));
  show("op",
       MPI_Allreduce(&value, &value, 1, MPI_INT, MPI_OP_NULL, halves.inter));
  use_inter("afterwards", halves.inter);
  if (rank() == 0) {
    show("alone", MPI_Bcast(&value, 1, MPI_INT, -99, halves.inter));
  }
  use_inter("afterwards", halves.inter);
}

}  // namespace
