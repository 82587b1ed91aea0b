// Handlers of collectives: blocking, non-blocking (with a request), and
// persistent (prepare_...).
#ifndef POPRT_WRAPPERS_CALLS_COLLECTIVE_HANDLERS_H_
#define POPRT_WRAPPERS_CALLS_COLLECTIVE_HANDLERS_H_

#include "wrappers/calls/comm_scope.h"
#include "wrappers/edges/board_clocks.h"
#include "wrappers/edges/clock_exchange.h"
#include "wrappers/edges/edges.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/requests/requests.h"

namespace poprt::mpi {

// Whether the clocks of the next call go by boards.  The same on all processes.
inline bool on_boards(const CommInfo& comm) {
  return comm.node.boards != nullptr && !comm.edges.collectives.many_regions;
}

inline bool succeeded(int code) { return code == MPI_SUCCESS; }

// A call in which every process depends on every other one.
template <class Call>
int among_all(MpiThread& thread, CommInfo& comm, Call call) {
  thread.waits.forget_polls();
  contribute(thread, comm, thread.edges.outgoing);
  const int code = call();
  if (succeeded(code)) exchange_with_all(thread, comm, thread.edges.outgoing);
  return code;
}

// Likewise, a call that makes something of the communicator.  `took_part` tells
// from the call's code whether this process has taken part, `met` whether all
// have (meet_all()).
template <class Call>
int making(MpiThread& thread, CommInfo& comm, Call call,
           bool (*took_part)(int code), bool* met) {
  thread.waits.forget_polls();
  contribute(thread, comm, thread.edges.outgoing);
  const int code = call();
  *met = took_part(code) && meet_all(thread, comm, thread.edges.outgoing);
  return code;
}

// Like among_all(), with clocks on boards (node_board.h).  REQUIRES: MPI cannot
// return before all processes have begun the call.
template <class Call>
int among_all_at_boards(MpiThread& thread, CommInfo& comm, Call call) {
  thread.waits.forget_polls();
  write_board(thread, comm);
  const int code = call();
  if (succeeded(code)) read_boards(thread, comm);
  return code;
}

template <class Call>
int barrier(MPI_Comm comm, Call call) {
  const CommScope scope(comm);
  CommInfo* const info = scope.comm();
  if (info == nullptr) return scope.without_clocks(comm, call);
  if (on_boards(*info)) return among_all_at_boards(scope.thread(), *info, call);
  // The reduction of the clocks depends on all processes, so it is a barrier
  // and replaces the program's.
  MpiThread& thread = scope.thread();
  thread.waits.forget_polls();
  contribute(thread, *info, thread.edges.outgoing);
  return exchange_with_all(thread, *info, thread.edges.outgoing,
                           Reduction::kIsCall)
             ? MPI_SUCCESS
             : call();
}

// A blocking call in which data moves between pairs of processes.
// thread.edges.links has the pairs.
template <class Call>
int between_pairs(MpiThread& thread, CommInfo& comm, Call call) {
  thread.waits.forget_polls();
  const int tag = pairwise_tag(comm);
  send_pairwise(thread, comm, thread.edges.links.to, tag);
  const int code = call();
  if (consumed(code)) {
    take_pairwise(thread, comm, thread.edges.links.from, tag);
  } else {
    unsend_pairwise(comm, thread.edges.links.to, tag);
  }
  return code;
}

template <class Call>
int between_pairs(MpiThread& thread, CommInfo& comm, const MPI_Request* request,
                  Call call) {
  const int tag = pairwise_tag(comm);
  send_pairwise(thread, comm, thread.edges.links.to, tag);
  const int code = call();
  if (code != MPI_SUCCESS) {
    unsend_pairwise(comm, thread.edges.links.to, tag);
  } else if (!thread.edges.links.from.empty()) {
    auto* const tracked = new_tracked<Pairwise>(thread, &comm);
    tracked->tag = tag;
    tracked->sources = thread.edges.links.from;
    track(tracked, *request);
  }
  return code;
}

// Stores in thread.edges.links between which processes data moves.
template <class LinksOf>
void find_links(MpiThread& thread, CommInfo& comm, LinksOf links_of) {
  find_neighbors(comm);
  thread.edges.links.clear();
  links_of(comm, thread.edges.links);
}
inline void find_links(MpiThread& thread, CommInfo& comm, Pattern pattern,
                       int root, const Edges& edges) {
  thread.edges.links.clear();
  direct_links(pattern, root, comm, edges, thread.edges.links);
}

// A blocking call in which data moves from the root to all others, on one
// group.  As between_pairs(), without lists of pairs.
template <class Call>
int from_root(MpiThread& thread, CommInfo& comm, int root, const Edges& edges,
              Call call) {
  thread.waits.forget_polls();
  const int tag = pairwise_tag(comm);
  const bool sends = root == comm.rank && edges.contributes;
  if (sends) {
    for (int peer = 0; peer < comm.peers; ++peer) {
      if (peer != root) send_clocks(thread, comm, peer, tag);
    }
  }
  const int code = call();
  if (!consumed(code)) [[unlikely]] {
    find_links(thread, comm, Pattern::kRootToAll, root, edges);
    unsend_pairwise(comm, thread.edges.links.to, tag);
  } else if (root != comm.rank && edges.receives) {
    take_pairwise(thread, comm, root, tag);
  }
  return code;
}

// A rooted or prefix operation among many processes, with clocks in slots of
// boards: each process writes once, however many depend on it.
template <class Call>
int in_slots(MpiThread& thread, CommInfo& comm, Pattern pattern, int root,
             Call call) {
  thread.waits.forget_polls();
  const bool in_slot = write_slot(thread, comm, pattern, root);
  const int code = call();
  if (consumed(code)) {
    read_slots(thread, comm, pattern, root);
  } else {
    withdraw_slot(thread, comm, pattern, root, in_slot);
  }
  return code;
}

// The call carries no clocks because the communicator shares its shadow (rule
// R9 of docs/edges.md): the report says so.
inline void lose_clocks(MpiThread& thread, const Edges& edges) {
  if (edges.receives) thread.thread.process().lost_clocks.add(1);
}

template <class EdgesOf, class Call>
int collective(Pattern pattern, int root, MPI_Comm comm, EdgesOf edges_of,
               Call call) {
  const CommScope scope(comm);
  CommInfo* const info = scope.comm();
  if (info == nullptr) return scope.without_clocks(comm, call);
  const Edges edges = edges_of(*info);
  if (!edges.any) return call();
  if (pattern == Pattern::kAllToAll && edges.complete) {
    return on_boards(*info) ? among_all_at_boards(scope.thread(), *info, call)
                            : among_all(scope.thread(), *info, call);
  }
  if (direct(pattern, edges, *info)) {
    if (pattern == Pattern::kRootToAll && !info->inter && root >= 0 &&
        root < info->size) {
      return from_root(scope.thread(), *info, root, edges, call);
    }
    find_links(scope.thread(), *info, pattern, root, edges);
    return between_pairs(scope.thread(), *info, call);
  }
  if (edges.complete && on_boards(*info) && root >= 0 && root < info->size) {
    return in_slots(scope.thread(), *info, pattern, root, call);
  }
  if (info->carrier != nullptr) {
    lose_clocks(scope.thread(), edges);
    return scope.without_clocks(comm, call);
  }
  scope.thread().waits.forget_polls();
  ShadowOp* const op =
      begin_collective(scope.thread(), *info, pattern, root, edges);
  const int code = call();
  finish_collective(scope.thread(), *info, op);
  return code;
}

template <class EdgesOf, class Call>
int collective(Pattern pattern, int root, MPI_Comm comm,
               const MPI_Request* request, EdgesOf edges_of, Call call) {
  const CommScope scope(comm);
  CommInfo* const info = scope.comm();
  if (info == nullptr) return scope.start_without_clocks(comm, call);
  const Edges edges = edges_of(*info);
  if (!edges.any) return call();
  if (direct(pattern, edges, *info)) {
    find_links(scope.thread(), *info, pattern, root, edges);
    return between_pairs(scope.thread(), *info, request, call);
  }
  const int code = call();
  if (code != MPI_SUCCESS) return code;
  if (info->carrier != nullptr) {
    lose_clocks(scope.thread(), edges);
    return code;
  }
  ShadowOp* const op =
      begin_collective(scope.thread(), *info, pattern, root, edges);
  if (op != nullptr) {
    auto* const tracked = new_tracked<Collective>(scope.thread(), info);
    tracked->op = op;
    track(tracked, *request);
  }
  return code;
}

template <class LinksOf, class Call>
int pairwise(MPI_Comm comm, LinksOf links_of, Call call) {
  const CommScope scope(comm);
  CommInfo* const info = scope.comm();
  if (info == nullptr) return scope.without_clocks(comm, call);
  find_links(scope.thread(), *info, links_of);
  return between_pairs(scope.thread(), *info, call);
}

template <class LinksOf, class Call>
int pairwise(MPI_Comm comm, const MPI_Request* request, LinksOf links_of,
             Call call) {
  const CommScope scope(comm);
  CommInfo* const info = scope.comm();
  if (info == nullptr) return scope.start_without_clocks(comm, call);
  find_links(scope.thread(), *info, links_of);
  return between_pairs(scope.thread(), *info, request, call);
}

// Tracks a new persistent collective, whose clocks go along thread.edges.links.
// All processes prepare them in the same order, so that the number in the tag
// is the same on all.
inline PersistentExchange& track_persistent(MpiThread& thread, CommInfo& comm,
                                            MPI_Request request) {
  auto* const tracked = new_tracked<PersistentCollective>(thread, &comm);
  PersistentExchange& exchange = tracked->exchange;
  exchange.tag =
      own_tag(TagKind::kPersistent, comm.edges.collectives.persistent_calls++);
  exchange.sources = thread.edges.links.from;
  exchange.targets = thread.edges.links.to;
  track(tracked, request);
  return exchange;
}

template <class EdgesOf, class Call>
int prepare_collective(Pattern pattern, int root, MPI_Comm comm,
                       const MPI_Request* request, EdgesOf edges_of,
                       Call call) {
  const CommScope scope(comm);
  CommInfo* const info = scope.comm();
  const int code = call();
  if (info == nullptr || code != MPI_SUCCESS) return code;
  const Edges edges = edges_of(*info);
  if (!edges.any) return code;
  const bool reduction =
      pattern == Pattern::kAllToAll && !direct(pattern, edges, *info);
  // With many processes each would have to send to all higher ranks: then a
  // prefix operation carries no clocks.
  const bool prefix =
      pattern == Pattern::kPrefix || pattern == Pattern::kExclusivePrefix;
  if ((prefix || info->carrier != nullptr) && !direct(pattern, edges, *info)) {
    return code;
  }
  find_links(scope.thread(), *info, pattern, root, edges);
  if (reduction) scope.thread().edges.links.clear();
  PersistentExchange& exchange =
      track_persistent(scope.thread(), *info, *request);
  if (reduction) {
    exchange.contributes = edges.contributes;
    exchange.op = prepare_reduction(scope.thread(), *info);
    if (exchange.op != nullptr) exchange.op->wanted = edges.receives;
  }
  return code;
}

template <class LinksOf, class Call>
int prepare_pairwise(MPI_Comm comm, const MPI_Request* request,
                     LinksOf links_of, Call call) {
  const CommScope scope(comm);
  CommInfo* const info = scope.comm();
  const int code = call();
  if (info == nullptr || code != MPI_SUCCESS) return code;
  find_links(scope.thread(), *info, links_of);
  track_persistent(scope.thread(), *info, *request);
  return code;
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_COLLECTIVE_HANDLERS_H_
