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

namespace many {

// More communicators than the MPI library can have at a time, one after the
// other, so that any that a tool does not free show.
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

}  // namespace many

namespace topology {

using namespace transparency;
constexpr char kGroup[] = "topology";

void show_cart(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) {
    line("null");
    return;
  }
  int n = -1;
  MPI_Cartdim_get(comm, &n);
  Ints dims(static_cast<size_t>(n) + 1);
  Ints periods(dims.size());
  Ints coords(dims.size());
  MPI_Cart_get(comm, n, dims.data(), periods.data(), coords.data());
  int own = -1;
  MPI_Cart_rank(comm, coords.data(), &own);
  dims.resize(static_cast<size_t>(n));
  coords.resize(static_cast<size_t>(n));
  line("dims %s, coords %s, rank %d", text_of(dims).c_str(),
       text_of(coords).c_str(), own);
  for (int d = 0; d < n; ++d) {
    int low = -9;
    int high = -9;
    MPI_Cart_shift(comm, d, 1, &low, &high);
    line("shift %d: %d %d", d, low, high);
  }
  use("cart", comm);
}

CASE(cart) {
  for (const int reorder : {0, 1}) {
    MPI_Comm comm;
    int dims[2] = {0, 0};
    const int periods[2] = {1, 0};
    MPI_Dims_create(size(), 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, reorder, &comm);
    show_cart(comm);
    MPI_Comm rows;
    MPI_Comm columns;
    const int keep_rows[2] = {0, 1};
    const int keep_columns[2] = {1, 0};
    MPI_Cart_sub(comm, keep_rows, &rows);
    MPI_Cart_sub(comm, keep_columns, &columns);
    show_cart(rows);
    show_cart(columns);
    const int keep_nothing[2] = {0, 0};
    MPI_Comm point;
    MPI_Cart_sub(comm, keep_nothing, &point);
    use("point", point);
    // A topology of no dimension: in MPICH 4.0 most processes are not in it.
    if (point != MPI_COMM_NULL) MPI_Comm_free(&point);
    for (MPI_Comm* c : {&rows, &columns, &comm}) MPI_Comm_free(c);
  }
}

CASE(cart_of_some) {
  MPI_Comm comm;
  const int dims[1] = {size() > 1 ? size() - 1 : 1};
  const int periods[1] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &comm);
  show_cart(comm);
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

CASE(cart_without_dimensions) {
  MPI_Comm comm;
  MPI_Cart_create(MPI_COMM_WORLD, 0, nullptr, nullptr, 0, &comm);
  line("null: %s", yes(comm == MPI_COMM_NULL));
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

CASE(cart_duplicated) {
  MPI_Comm comm;
  MPI_Comm copy;
  const int dims[1] = {size()};
  const int periods[1] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_free(&comm);
  show_cart(copy);
  const int out = rank();
  int in[2] = {-1, -1};
  MPI_Neighbor_allgather(&out, 1, MPI_INT, in, 1, MPI_INT, copy);
  line("neighbours %d %d", in[0], in[1]);
  MPI_Comm_free(&copy);
}

CASE(cart_map_and_graph_map) {
  int place = -9;
  const int dims[1] = {size()};
  const int periods[1] = {0};
  MPI_Cart_map(MPI_COMM_WORLD, 1, dims, periods, &place);
  line("cart %d", place);
  Ints index;
  Ints edges;
  for (int p = 0; p < size(); ++p) {
    edges.push_back((p + 1) % size());
    index.push_back(p + 1);
  }
  MPI_Graph_map(MPI_COMM_WORLD, size(), index.data(), edges.data(), &place);
  line("graph %d", place);
}

CASE(graph) {
  for (const int reorder : {0, 1}) {
    MPI_Comm comm;
    Ints index;
    Ints edges;
    for (int p = 0; p < size(); ++p) {
      edges.push_back((p + 1) % size());
      edges.push_back((p + size() - 1) % size());
      index.push_back(2 * (p + 1));
    }
    MPI_Graph_create(MPI_COMM_WORLD, size(), index.data(), edges.data(),
                     reorder, &comm);
    int nodes = -1;
    int edge_count = -1;
    MPI_Graphdims_get(comm, &nodes, &edge_count);
    line("%d nodes, %d edges", nodes, edge_count);
    Ints got_index(static_cast<size_t>(nodes));
    Ints got_edges(static_cast<size_t>(edge_count));
    MPI_Graph_get(comm, nodes, edge_count, got_index.data(), got_edges.data());
    show("index", got_index);
    show("edges", got_edges);
    int kind = -1;
    MPI_Topo_test(comm, &kind);
    line("graph: %s", yes(kind == MPI_GRAPH));
    use("graph", comm);
    MPI_Comm_free(&comm);
  }
}

CASE(graph_of_some) {
  MPI_Comm comm;
  const int index[2] = {1, 2};
  const int edges[2] = {1, 0};
  const int nodes = size() > 1 ? 2 : 1;
  MPI_Graph_create(MPI_COMM_WORLD, nodes, index, edges, 0, &comm);
  use("graph", comm);
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

CASE(dist_graph) {
  // Open MPI's MPI_Dist_graph_create hangs now and then with more.
  if (size() > 3) return;
  for (const int reorder : {0, 1}) {
    MPI_Comm comm;
    // Process 0 specifies the whole graph.
    Ints sources;
    Ints degrees;
    Ints targets;
    Ints weights;
    if (rank() == 0) {
      for (int p = 0; p < size(); ++p) {
        sources.push_back(p);
        degrees.push_back(1);
        targets.push_back((p + 2) % size());
        weights.push_back(p + 1);
      }
    }
    MPI_Dist_graph_create(MPI_COMM_WORLD, static_cast<int>(sources.size()),
                          sources.data(), degrees.data(), targets.data(),
                          rank() == 0 ? weights.data() : MPI_WEIGHTS_EMPTY,
                          MPI_INFO_NULL, reorder, &comm);
    int in = -1;
    int out = -1;
    int weighted = -1;
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    line("in %d, out %d, weighted %d", in, out, weighted);
    Ints from(static_cast<size_t>(in) + 1);
    Ints to(static_cast<size_t>(out) + 1);
    Ints in_weights(from.size());
    Ints out_weights(to.size());
    MPI_Dist_graph_neighbors(comm, in, from.data(), in_weights.data(), out,
                             to.data(), out_weights.data());
    show("from", from);
    show("to", to);
    show("weights", out_weights);
    use("graph", comm);
    MPI_Comm_free(&comm);
  }
}

CASE(dist_graph_adjacent) {
  MPI_Comm comm;
  const int from[2] = {previous(), rank()};
  const int to[2] = {next(), rank()};
  const int weights[2] = {2, 3};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, weights, 2, to,
                                 weights, MPI_INFO_NULL, 0, &comm);
  int in = -1;
  int out = -1;
  int weighted = -1;
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  line("in %d, out %d, weighted %d", in, out, weighted);
  use("graph", comm);
  MPI_Comm copy;
  MPI_Comm_dup(comm, &copy);
  int kind = -1;
  MPI_Topo_test(copy, &kind);
  line("the same kind: %s", yes(kind == MPI_DIST_GRAPH));
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
}

CASE(dims_create) {
  for (int n = 1; n <= 24; ++n) {
    int dims[3] = {0, n % 2 == 0 ? 2 : 0, 0};
    MPI_Dims_create(n, 3, dims);
    line("%d: %d %d %d", n, dims[0], dims[1], dims[2]);
  }
}

CASE(topology_of_the_world) {
  int kind = -1;
  MPI_Topo_test(MPI_COMM_WORLD, &kind);
  line("none: %s", yes(kind == MPI_UNDEFINED));
}

}  // namespace topology
