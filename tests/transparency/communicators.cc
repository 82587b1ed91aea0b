// Communicators and groups: made, used, freed, in all ways and in great number.
#include <algorithm>

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

CASE(dup_of_dup) {
  std::vector<MPI_Comm> comms = {MPI_COMM_WORLD};
  for (int i = 0; i < 20; ++i) {
    MPI_Comm comm;
    MPI_Comm_dup(comms.back(), &comm);
    comms.push_back(comm);
  }
  for (size_t i = 1; i < comms.size(); ++i) use("comm", comms[i]);
  for (size_t i = 1; i < comms.size(); i += 2) MPI_Comm_free(&comms[i]);
  for (size_t i = 2; i < comms.size(); i += 2) {
    use("comm", comms[i]);
    MPI_Comm_free(&comms[i]);
  }
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

CASE(split) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, -rank(), &comm);
  use("by parity", comm);
  MPI_Comm_free(&comm);
  MPI_Comm_split(MPI_COMM_WORLD, rank() == 0 ? MPI_UNDEFINED : 3, 0, &comm);
  line("null: %s", yes(comm == MPI_COMM_NULL));
  if (comm != MPI_COMM_NULL) {
    use("without the first", comm);
    MPI_Comm_free(&comm);
  }
  MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &comm);
  line("null: %s", yes(comm == MPI_COMM_NULL));
  MPI_Comm_split(MPI_COMM_WORLD, 0, size() - rank(), &comm);
  line("%s", relation(MPI_COMM_WORLD, comm));
  use("reversed", comm);
  MPI_Comm_free(&comm);
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

CASE(create) {
  MPI_Group world;
  MPI_Group some;
  MPI_Comm comm;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  const int ranks[1] = {size() - 1};
  MPI_Group_excl(world, 1, ranks, &some);
  MPI_Comm_create(MPI_COMM_WORLD, some, &comm);
  use("without the last", comm);
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &comm);
  line("of nobody: null %s", yes(comm == MPI_COMM_NULL));
  MPI_Group_free(&some);
  MPI_Group_free(&world);
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

CASE(create_group) {
  MPI_Group world;
  MPI_Group some;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  // Only the members call it; they are in the reverse order of their ranks.
  Ints ranks;
  for (int r = size() - 1; r > 0; --r) ranks.push_back(r);
  MPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &some);
  if (rank() > 0) {
    for (int tag = 0; tag < 5; ++tag) {
      MPI_Comm comm;
      show("create_group",
           MPI_Comm_create_group(MPI_COMM_WORLD, some, tag, &comm));
      use("members", comm);
      MPI_Comm_free(&comm);
    }
  }
  MPI_Group_free(&some);
  MPI_Group_free(&world);
  use("world", MPI_COMM_WORLD);
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

// ---- groups -----------------------------------------------------------------

CASE(groups) {
  MPI_Group world;
  MPI_Group a;
  MPI_Group b;
  MPI_Group c;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int range[1][3] = {{0, size() - 1, 2}};
  MPI_Group_range_incl(world, 1, range, &a);
  MPI_Group_range_excl(world, 1, range, &b);
  const auto show_group = [](const char* what, MPI_Group group) {
    int n = -1;
    int own = -1;
    MPI_Group_size(group, &n);
    MPI_Group_rank(group, &own);
    line("%s: %d, own rank %s", what, n, text_of_index(own).c_str());
  };
  show_group("even", a);
  show_group("odd", b);
  MPI_Group_union(a, b, &c);
  show_group("union", c);
  int relation_of_two = -1;
  MPI_Group_compare(c, world, &relation_of_two);
  line("similar: %s", yes(relation_of_two != MPI_UNEQUAL));
  Ints ranks = numbers(size());
  Ints translated(static_cast<size_t>(size()), -1);
  MPI_Group_translate_ranks(c, size(), ranks.data(), world, translated.data());
  show("translated", translated);
  MPI_Group_translate_ranks(world, size(), ranks.data(), a, translated.data());
  show("translated", translated);
  MPI_Group_free(&c);
  MPI_Group_intersection(a, b, &c);
  line("empty: %s", yes(c == MPI_GROUP_EMPTY));
  MPI_Group_free(&c);
  MPI_Group_difference(world, a, &c);
  show_group("difference", c);
  for (MPI_Group* g : {&a, &b, &c, &world}) MPI_Group_free(g);
}

CASE(handles_to_fortran_and_back) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  line("comm %s", yes(MPI_Comm_f2c(MPI_Comm_c2f(comm)) == comm));
  line("world %s",
       yes(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD));
  use("through fortran", MPI_Comm_f2c(MPI_Comm_c2f(comm)));
  MPI_Comm_free(&comm);
  line("null %s",
       yes(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL));
  int in = -1;
  const int out = rank();
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, previous(), 3, MPI_COMM_WORLD, &request);
  MPI_Request copy = MPI_Request_f2c(MPI_Request_c2f(request));
  line("request %s", yes(copy == request));
  MPI_Send(&out, 1, MPI_INT, next(), 3, MPI_COMM_WORLD);
  Status status;
  MPI_Wait(&copy, &status);
  line("value %d", in);
  MPI_Fint fortran[64];
  Status back;
  MPI_Status_c2f(&status, fortran);
  MPI_Status_f2c(fortran, &back);
  show("status", back);
  line("type %s", yes(MPI_Type_f2c(MPI_Type_c2f(MPI_INT)) == MPI_INT));
  line("op %s", yes(MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM));
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  line("group %s", yes(MPI_Group_f2c(MPI_Group_c2f(group)) == group));
  MPI_Group_free(&group);
  line("info %s",
       yes(MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_NULL)) == MPI_INFO_NULL));
  line("errhandler %s", yes(MPI_Errhandler_f2c(MPI_Errhandler_c2f(
                                MPI_ERRORS_RETURN)) == MPI_ERRORS_RETURN));
  line("win %s", yes(MPI_Win_f2c(MPI_Win_c2f(MPI_WIN_NULL)) == MPI_WIN_NULL));
  line("file %s",
       yes(MPI_File_f2c(MPI_File_c2f(MPI_FILE_NULL)) == MPI_FILE_NULL));
  line("message %s", yes(MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NULL)) ==
                         MPI_MESSAGE_NULL));
}

}  // namespace
