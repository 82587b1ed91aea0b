// Communicators: made, used, freed. Random programs (tests/chaos) make them of
// one another, by their members and with topologies.
#include "transparency.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "communicators";

const char* relation(MPI_Comm a, MPI_Comm b) {
  int result = -1;
  MPI_Comm_compare(a, b, &result);
  return result == MPI_IDENT       ? "identical"
         : result == MPI_CONGRUENT ? "congruent"
         : result == MPI_SIMILAR   ? "similar"
                                   : "unequal";
}

CASE(dup) {
  MPI_Comm comm;
  show("dup", MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  line("%s", relation(MPI_COMM_WORLD, comm));
  use("dup", comm);
  show("free", MPI_Comm_free(&comm));
  line("null: %s", yes(comm == MPI_COMM_NULL));
}

CASE(self_and_dups_of_it) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  use("self", MPI_COMM_SELF);
  use("dup", comm);
  line("%s", relation(MPI_COMM_SELF, comm));
  MPI_Comm_free(&comm);
}

CASE(messages_do_not_cross) {
  MPI_Comm comms[3] = {MPI_COMM_WORLD, MPI_COMM_NULL, MPI_COMM_NULL};
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[2]);
  MPI_Request requests[3];
  int out[3];
  for (int i = 0; i < 3; ++i) {
    out[i] = rank() * 10 + i;
    MPI_Isend(&out[i], 1, MPI_INT, next(), 1, comms[i], &requests[i]);
  }
  for (int i = 2; i >= 0; --i) {
    int in = -1;
    Status status;
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], &status);
    line("value %d", in);
  }
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&comms[1]);
  MPI_Comm_free(&comms[2]);
}

CASE(split_type) {
  MPI_Comm comm;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank(),
                      MPI_INFO_NULL, &comm);
  use("shared", comm);
  MPI_Comm_free(&comm);
  MPI_Comm_split_type(MPI_COMM_WORLD,
                      rank() == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED,
                      -rank(), MPI_INFO_NULL, &comm);
  use("without the first", comm);
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

CASE(create_of_disjoint_groups) {
  MPI_Group world;
  MPI_Group mine;
  MPI_Comm comm;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  Ints ranks;
  for (int r = rank() % 2; r < size(); r += 2) ranks.push_back(r);
  MPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &mine);
  MPI_Comm_create(MPI_COMM_WORLD, mine, &comm);
  use("by parity", comm);
  MPI_Comm_free(&comm);
  MPI_Group_free(&mine);
  MPI_Group_free(&world);
}

CASE(create_group_of_one) {
  MPI_Group own;
  MPI_Comm comm;
  MPI_Comm_group(MPI_COMM_SELF, &own);
  MPI_Comm_create_group(MPI_COMM_WORLD, own, rank(), &comm);
  use("one", comm);
  MPI_Comm_free(&comm);
  MPI_Group_free(&own);
}

CASE(idup) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  line("%s", relation(MPI_COMM_WORLD, comm));
  use("idup", comm);
  MPI_Comm_free(&comm);
}

CASE(idup_by_test_with_traffic) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
  use("meanwhile", MPI_COMM_WORLD);
  for (int flag = 0; flag == 0;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  use("idup", comm);
  MPI_Comm_free(&comm);
}

CASE(several_idups) {
  constexpr int kCount = 8;
  MPI_Comm comms[kCount];
  MPI_Request requests[kCount];
  for (int i = 0; i < kCount; ++i) {
    MPI_Comm_idup(MPI_COMM_WORLD, &comms[i], &requests[i]);
  }
  Status statuses[kCount];
  show("waitall", MPI_Waitall(kCount, requests, statuses));
  for (MPI_Comm& comm : comms) use("idup", comm);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

CASE(idup_freed_at_once) {
  for (int i = 0; i < 10; ++i) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    show("free", MPI_Comm_free(&comm));
  }
  use("world", MPI_COMM_WORLD);
}

CASE(idup_of_a_parent_that_is_freed) {
  MPI_Comm parent;
  MPI_Comm child;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  MPI_Comm_idup(parent, &child, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&parent);
  use("child", child);
  MPI_Comm_free(&child);
}

CASE(dup_with_info) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Comm comm;
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
  use("empty info", comm);
  MPI_Comm_free(&comm);
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &comm);
  use("no info", comm);
  MPI_Comm_free(&comm);
  MPI_Info_free(&info);
}

CASE(disconnect) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const int out = rank();
  int in = -1;
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, MPI_INT, previous(), 0, comm, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, next(), 0, comm, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  show("disconnect", MPI_Comm_disconnect(&comm));
  line("null: %s, value %d", yes(comm == MPI_COMM_NULL), in);
}

CASE(freed_with_messages_pending) {
  for (int i = 0; i < 5; ++i) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int in[3] = {-1, -1, -1};
    const int out[3] = {rank(), rank() + 1, rank() + 2};
    MPI_Request requests[7];
    MPI_Irecv(&in[0], 1, MPI_INT, previous(), 0, comm, &requests[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 1, comm, &requests[1]);
    MPI_Irecv(&in[2], 1, MPI_INT, previous(), 2, comm, &requests[2]);
    for (int k = 0; k < 3; ++k) {
      MPI_Isend(&out[k], 1, MPI_INT, next(), k, comm, &requests[3 + k]);
    }
    MPI_Ibarrier(comm, &requests[6]);
    MPI_Comm_free(&comm);
    line("null: %s", yes(comm == MPI_COMM_NULL));
    MPI_Waitall(7, requests, MPI_STATUSES_IGNORE);
    show("values", Ints(in, in + 3));
  }
}

#if !defined(OPEN_MPI)  // 4.1 crashes
CASE(freed_with_collectives_pending) {
  for (int i = 0; i < 5; ++i) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int in[3] = {-1, -1, -1};
    const int out = rank() + i;
    MPI_Request requests[3];
    MPI_Iallreduce(&out, &in[0], 1, MPI_INT, MPI_SUM, comm, &requests[0]);
    in[1] = rank() == 0 ? 9 : -1;
    MPI_Ibcast(&in[1], 1, MPI_INT, 0, comm, &requests[1]);
    MPI_Iscan(&out, &in[2], 1, MPI_INT, MPI_SUM, comm, &requests[2]);
    MPI_Comm_free(&comm);
    for (int k = 2; k >= 0; --k) MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    show("values", Ints(in, in + 3));
  }
}
#endif

CASE(handles_are_reused) {
  // A new communicator may have the handle of one that was freed, with other
  // processes in it.
  for (int i = 0; i < 50; ++i) {
    MPI_Comm comm;
    if (i % 3 == 0) {
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    } else if (i % 3 == 1) {
      MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, 0, &comm);
    } else {
      MPI_Comm_split(MPI_COMM_WORLD, rank() == 0 ? 0 : 1, -rank(), &comm);
    }
    use("comm", comm);
    MPI_Comm_free(&comm);
  }
}

}  // namespace
