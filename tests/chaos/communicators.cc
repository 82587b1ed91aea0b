// Communicators that are made and freed.
#include "interpreter.h"

namespace chaos {
namespace {

void note_all(int instance) {
  note(kContributes, instance);
  note(kCompletes, instance);
}

void op_dup(Arguments a) {
  const int instance = a.next();
  const int id = a.next();
  const MPI_Comm parent = g_comms.at(a.next()).handle;
  MPI_Comm handle = MPI_COMM_NULL;
  timed([&] { MPI_Comm_dup(parent, &handle); });
  note_all(instance);
  add_comm(id, handle);
}

// Two groups, joined by an intercommunicator and merged again.
void op_merge(Arguments a) {
  const int instance = a.next();
  const int id = a.next();
  const Comm& parent = g_comms.at(a.next());
  const int middle = parent.size / 2;
  const int is_high = parent.rank >= middle ? 1 : 0;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm bridge = MPI_COMM_NULL;
  MPI_Comm handle = MPI_COMM_NULL;
  timed([&] {
    MPI_Comm_split(parent.handle, is_high, parent.rank, &half);
    MPI_Intercomm_create(half, 0, parent.handle, is_high != 0 ? 0 : middle, 8,
                         &bridge);
    MPI_Intercomm_merge(bridge, is_high, &handle);
    MPI_Comm_free(&bridge);
    MPI_Comm_free(&half);
  });
  note_all(instance);
  add_comm(id, handle);
}

void op_split(Arguments a) {
  const int instance = a.next();
  const int id = a.next();
  const MPI_Comm parent = g_comms.at(a.next()).handle;
  const int color = a.next();
  const int key = a.next();
  MPI_Comm handle = MPI_COMM_NULL;
  timed([&] {
    MPI_Comm_split(parent, color == -1 ? MPI_UNDEFINED : color, key, &handle);
  });
  note_all(instance);
  add_comm(id, handle);
}

// By its members alone if there is a tag, else by all of the parent.
void op_group(Arguments a) {
  const int instance = a.next();
  const int id = a.next();
  const MPI_Comm parent = g_comms.at(a.next()).handle;
  const int tag = a.next();
  const Ints members = a.list();
  MPI_Group all;
  MPI_Group some;
  MPI_Comm_group(parent, &all);
  MPI_Group_incl(all, static_cast<int>(members.size()), members.data(), &some);
  MPI_Comm handle = MPI_COMM_NULL;
  timed([&] {
    tag == -1 ? MPI_Comm_create(parent, some, &handle)
              : MPI_Comm_create_group(parent, some, tag, &handle);
  });
  note_all(instance);
  MPI_Group_free(&all);
  MPI_Group_free(&some);
  add_comm(id, handle);
}

void op_cart(Arguments a) {
  const int instance = a.next();
  const int id = a.next();
  const Comm& parent = g_comms.at(a.next());
  const int periodic = a.next();
  MPI_Comm handle = MPI_COMM_NULL;
  timed([&] {
    MPI_Cart_create(parent.handle, 1, &parent.size, &periodic, 0, &handle);
  });
  note_all(instance);
  add_comm(id, handle);
  Comm& comm = g_comms[id];
  const int n = comm.size;
  const int low = comm.rank > 0   ? comm.rank - 1
                  : periodic != 0 ? n - 1
                                  : MPI_PROC_NULL;
  const int high = comm.rank < n - 1 ? comm.rank + 1
                   : periodic != 0   ? 0
                                     : MPI_PROC_NULL;
  comm.sources = comm.dests = {low, high};
}

void op_graph(Arguments a) {
  const int instance = a.next();
  const int id = a.next();
  const MPI_Comm parent = g_comms.at(a.next()).handle;
  const Ints sources = a.list();
  const Ints dests = a.list();
  MPI_Comm handle = MPI_COMM_NULL;
  timed([&] {
    MPI_Dist_graph_create_adjacent(parent, static_cast<int>(sources.size()),
                                   sources.data(), MPI_UNWEIGHTED,
                                   static_cast<int>(dests.size()), dests.data(),
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &handle);
  });
  note_all(instance);
  add_comm(id, handle);
  g_comms[id].sources = sources;
  g_comms[id].dests = dests;
}

void op_drop(Arguments a) {
  const int id = a.next();
  Comm& comm = g_comms.at(id);
  if (comm.handle != MPI_COMM_NULL) timed([&] { MPI_Comm_free(&comm.handle); });
}

}  // namespace

void add_communicators(Functions* all) {
  all->insert({
      {"dup", op_dup},
      {"merge", op_merge},
      {"split", op_split},
      {"group", op_group},
      {"cart", op_cart},
      {"graph", op_graph},
      {"drop", op_drop},
  });
}

}  // namespace chaos
