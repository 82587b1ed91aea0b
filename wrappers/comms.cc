#include "wrappers/comms.h"

#include <sched.h>

#include "wrappers/exchange_tools.h"
#include "wrappers/node.h"
#include "wrappers/node_board.h"

namespace poprt::mpi {
namespace {

// A shadow takes a context id of the MPI library; MPICH has 2048 in all, and
// the program must not run out of them because of the tool.
#if defined(OPEN_MPI)
constexpr int kMostShadows = 8192;
#else
constexpr int kMostShadows = 512;
#endif

bool of_this_world(MPI_Group group) {
  int size = 0;
  pmpi().Group_size(group, &size);
  std::vector<int> ranks(static_cast<size_t>(size));
  std::vector<int> there(static_cast<size_t>(size));
  for (int i = 0; i < size; ++i) ranks[static_cast<size_t>(i)] = i;
  pmpi().Group_translate_ranks(group, size, ranks.data(), job().world,
                               there.data());
  bool all = true;
  for (int rank : there) all = all && rank != MPI_UNDEFINED;
  return all;
}

// All processes of a communicator conclude the same: where two worlds meet,
// each misses the other.
bool of_this_world(MPI_Comm comm, bool inter) {
  MPI_Group group;
  if (pmpi().Comm_group(comm, &group) != MPI_SUCCESS) return false;
  bool all = of_this_world(group);
  pmpi().Group_free(&group);
  if (!inter || !all) return all;
  if (pmpi().Comm_remote_group(comm, &group) != MPI_SUCCESS) return false;
  all = of_this_world(group);
  pmpi().Group_free(&group);
  return all;
}

// All processes have started it, before the call that they now use it in.
// Several threads may be here; none waits with the lock held.
void finish_shadow(CommInfo& info) {
  while (info.shadow_pending.load(std::memory_order_acquire)) {
    {
      const MaybeLock lock(info.stream_mutex);
      if (!info.shadow_pending.load(std::memory_order_relaxed)) return;
      if (complete_within(&info.shadow_request, 0)) {
        pmpi().Comm_set_errhandler(info.shadow, pmpi().errors_return);
        release_comm(info.shadow_parent);
        info.shadow_pending.store(false, std::memory_order_release);
        return;
      }
    }
    sched_yield();
  }
}

void insert(CommInfo* info) {
  const MaybeLock lock(job().mutex);
  job().comms.insert(key_of(info->comm), info);
  job().comm_generation.fetch_add(1, std::memory_order_release);
}

}  // namespace

int like_parent(MPI_Comm comm, MPI_Comm* shadow) {
  MPI_Group group;
  int code = pmpi().Comm_group(comm, &group);
  if (code != MPI_SUCCESS) return code;
  code = pmpi().Comm_create(comm, group, shadow);
  pmpi().Group_free(&group);
  return code;
}

CommInfo* find_comm(MpiThread& thread, MPI_Comm comm) {
  const uintptr_t key = key_of(comm);
  const uint32_t generation =
      job().comm_generation.load(std::memory_order_acquire);
  if (thread.comm_key != key || thread.comm_generation != generation) {
    const MaybeLock lock(job().mutex);
    thread.comm = job().comms.find(key);
    thread.comm_key = key;
    thread.comm_generation = generation;
  }
  CommInfo* const info = thread.comm;
  if (info != nullptr && info->shadow_pending) [[unlikely]] {
    finish_shadow(*info);
  }
  return info;
}

CommInfo* new_processes(MPI_Comm comm, bool strangers,
                        const MakeShadow& where_busy, bool with_board) {
  int inter = 0;
  int size = 0;
  int peers = 0;
  if (pmpi().Comm_test_inter(comm, &inter) != MPI_SUCCESS ||
      pmpi().Comm_size(comm, &size) != MPI_SUCCESS) {
    return nullptr;
  }
  peers = size;
  if (inter != 0) pmpi().Comm_remote_size(comm, &peers);
  if (inter == 0 && size < 2) return nullptr;
  if (strangers && !of_this_world(comm, inter != 0)) return nullptr;
  // One that has no room, or cannot, speaks for all: a shadow that only some
  // processes use would be a hang.
  MPI_Errhandler handler;
  pmpi().Comm_get_errhandler(comm, &handler);
  pmpi().Comm_set_errhandler(comm, pmpi().errors_return);
  int agreed = job().shadows < kMostShadows ? 1 : 0;
  int number = job().next_comm_number;
  int busy = job().multiple || job().unfinished_comms > 0 ? 1 : 0;
  const uint32_t free = with_board && inter == 0 ? free_boards(comm, size) : 0;
  int board = -1;
  // The first time, an intercommunicator tells what the other group says.
  for (int round = 0; round <= inter; ++round) {
    constexpr int kWords = 3 + kBoards;
    int mine[kWords] = {agreed, -number, -busy};
    int theirs[kWords] = {};
    for (int i = 0; i < kBoards; ++i) mine[3 + i] = (free >> i) & 1;
    if (pmpi().Allreduce(mine, theirs, kWords, pmpi().int_type, pmpi().min,
                         comm) != MPI_SUCCESS) {
      theirs[0] = 0;
    }
    agreed = agreed != 0 && theirs[0] != 0;
    number = -theirs[1];
    busy = -theirs[2];
    for (int i = kBoards - 1; i >= 0; --i) {
      if (theirs[3 + i] != 0) board = i;
    }
  }
  CommInfo* info = nullptr;
  MPI_Comm shadow;
  if (agreed != 0 && (busy != 0 ? where_busy(comm, &shadow)
                                : like_parent(comm, &shadow)) == MPI_SUCCESS) {
    pmpi().Comm_set_errhandler(shadow, pmpi().errors_return);
    info = new CommInfo;
    info->comm = comm;
    info->shadow = shadow;
    info->size = size;
    info->inter = info->many_regions = inter != 0;
    info->peers = peers;
    pmpi().Comm_rank(comm, &info->rank);
    info->self = inter != 0 ? -1 : info->rank;
    if (inter == 0) {
      info->number = static_cast<uint32_t>(number);
      job().next_comm_number = number + 1;
      if (board >= 0) use_board(*info, board);
    }
    ++job().shadows;
  }
  pmpi().Comm_set_errhandler(comm, handler);
  pmpi().Errhandler_free(&handler);
  return info;
}

void add_comm(MPI_Comm comm, bool strangers, const MakeShadow& where_busy) {
  if (CommInfo* const info = new_processes(comm, strangers, where_busy, true)) {
    insert(info);
  }
}

void note_everybody(CommInfo& info) {
  int size = 0;
  pmpi().Group_size(job().world, &size);
  const MaybeLock lock(job().mutex);
  if (job().everybody != nullptr || info.inter || info.size != size) return;
  hold_comm(info);
  job().everybody = &info;
}

CommInfo* begin_comm(CommInfo& parent) {
#if POPRT_MPI_VERSION >= 300
  CommInfo* const info = new CommInfo;
  if (pmpi().Comm_idup(parent.shadow, &info->shadow, &info->shadow_request) !=
      MPI_SUCCESS) {
    delete info;
    return nullptr;
  }
  info->shadow_pending = true;
  // Open MPI goes on using the parent until the new one is complete.
  info->shadow_parent = &parent;
  hold_comm(parent);
  info->rank = parent.rank;
  info->size = parent.size;
  info->inter = info->many_regions = parent.inter;
  info->peers = parent.peers;
  info->self = parent.self;
  ++job().shadows;
  return info;
#else
  (void)parent;
  return nullptr;
#endif
}

void finish_comm(CommInfo* info, MPI_Comm comm) {
  --job().unfinished_comms;
  info->comm = comm;
  insert(info);
}

void drop_comm(MPI_Comm comm) {
  CommInfo* info;
  {
    const MaybeLock lock(job().mutex);
    info = job().comms.find(key_of(comm));
    if (info == nullptr) return;
    job().comms.erase(key_of(comm));
    job().comm_generation.fetch_add(1, std::memory_order_release);
  }
  if (info->shadow_pending) finish_shadow(*info);
  release_comm(info);
}

void release_comm(CommInfo* info) {
  if (add_user(*info, -1) > 0) return;
  // Messages of the tool's that are still being sent are delivered by MPI.
  if (!info->tainted.load(std::memory_order_relaxed)) {
    pmpi().Comm_free(&info->shadow);
  }
  --job().shadows;
  delete info;
}

void taint(CommInfo& info) {
  if (info.tainted.exchange(true, std::memory_order_relaxed)) return;
  const MaybeLock lock(job().mutex);
  job().tainted_shadows.push_back(info.shadow);
}

namespace {

void take_all(MPI_Comm shadow) {
  ClockMessage message;
  for (;;) {
    int flag = 0;
    if (pmpi().Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, shadow, &flag,
                      MPI_STATUS_IGNORE) != MPI_SUCCESS ||
        flag == 0 ||
        pmpi().Recv(&message, sizeof message, pmpi().byte, MPI_ANY_SOURCE,
                    MPI_ANY_TAG, shadow, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
      return;
    }
  }
}

}  // namespace

void take_unwanted() {
  if (job().everybody == nullptr) return;
  pmpi().Barrier(job().everybody->shadow);
  job().comms.for_each([](const CommInfo& info) {
    if (!info.shadow_pending) take_all(info.shadow);
  });
  job().windows.for_each(
      [](const Window& window) { take_all(window.comm->shadow); });
  for (MPI_Comm shadow : job().tainted_shadows) take_all(shadow);
}

void find_neighbors(CommInfo& info) {
  if (info.neighbors_known) return;
  info.neighbors_known = true;
  int kind = MPI_UNDEFINED;
  pmpi().Topo_test(info.comm, &kind);
  std::vector<int>& in = info.in_neighbors;
  std::vector<int>& out = info.out_neighbors;
  if (kind == MPI_CART) {
    int dims = 0;
    pmpi().Cartdim_get(info.comm, &dims);
    for (int d = 0; d < dims; ++d) {
      int low = MPI_PROC_NULL;
      int high = MPI_PROC_NULL;
      pmpi().Cart_shift(info.comm, d, 1, &low, &high);
      in.push_back(low);
      in.push_back(high);
    }
    out = in;
  } else if (kind == MPI_GRAPH) {
    int count = 0;
    pmpi().Graph_neighbors_count(info.comm, info.rank, &count);
    in.resize(static_cast<size_t>(count));
    pmpi().Graph_neighbors(info.comm, info.rank, count, in.data());
    out = in;
  } else if (kind == MPI_DIST_GRAPH) {
    int in_count = 0;
    int out_count = 0;
    int weighted = 0;
    pmpi().Dist_graph_neighbors_count(info.comm, &in_count, &out_count,
                                      &weighted);
    in.resize(static_cast<size_t>(in_count));
    out.resize(static_cast<size_t>(out_count));
    std::vector<int> weights(static_cast<size_t>(in_count + out_count) + 1);
    pmpi().Dist_graph_neighbors(info.comm, in_count, in.data(), weights.data(),
                                out_count, out.data(),
                                weights.data() + in_count);
  }
}

}  // namespace poprt::mpi
