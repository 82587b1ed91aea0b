// Collectives, blocking and non-blocking, with the result that each must have.
#include <algorithm>

#include "../mpi_collectives.h"
#include "interpreter.h"

namespace chaos {
namespace {

// Each of them: blocking where `request` is null.
struct Call {
#define POPRT_FORM(ours, name, iname)                              \
  template <class... Arguments>                                    \
  static void ours(MPI_Request* request, Arguments... arguments) { \
    timed([&] {                                                    \
      request == nullptr ? MPI_##name(arguments...)                \
                         : MPI_##iname(arguments..., request);     \
    });                                                            \
  }
  POPRT_FORM(barrier, Barrier, Ibarrier)
  POPRT_COLLECTIVES(POPRT_FORM)
#undef POPRT_FORM
};

#define POPRT_FORM(ours, name, iname) #ours,
const char* const kCollectives[] = {"barrier", POPRT_COLLECTIVES(POPRT_FORM)};
#undef POPRT_FORM

void counts_to_displs(const Ints& counts, Ints& displs) {
  displs.assign(counts.size(), 0);
  for (size_t i = 1; i < counts.size(); ++i) {
    displs[i] = displs[i - 1] + counts[i - 1];
  }
}

void collective(const std::string& kind, Arguments a) {
  const int instance = a.next();
  const int slot_id = a.next();  // -1: blocking
  const Comm& comm = g_comms.at(a.next());
  const int root = a.next();
  const int salt = a.next();
  const Ints counts = a.list();
  const bool later = slot_id != -1;
  const int n = comm.size;
  const int me = comm.rank;
  auto owned = std::make_unique<Collective>();
  Collective& c = *owned;
  c.instance = instance;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Request* const r = later ? &request : nullptr;
  const MPI_Comm h = comm.handle;
  const MPI_Datatype type = MPI_INT;

  // What process p contributes for process q.
  const auto item = [&](int p, int q, int i) {
    return p * 1000 + q * 17 + i * 3 + salt;
  };
  const auto add = [&](Ints& to, int p, int q, int count) {
    for (int i = 0; i < count; ++i) to.push_back(item(p, q, i));
  };
  const auto sum = [&](int first, int last, int q, int count) {
    for (int i = 0; i < count; ++i) {
      int total = 0;
      for (int p = first; p <= last; ++p) total += item(p, q, i);
      c.expected.push_back(total);
    }
  };
  const auto count_of = [&](int p, int q = 0) {
    if (counts.size() == 1) return counts[0];
    if (counts.size() == static_cast<size_t>(n)) {
      return counts[static_cast<size_t>(p)];
    }
    return counts[static_cast<size_t>(p * n + q)];
  };
  const int count = counts.empty() ? 0 : counts[0];
  const auto room = [&] { c.in.assign(c.expected.size() + 1, -1); };
  const auto vectors = [&] {
    counts_to_displs(c.out_counts, c.out_displs);
    counts_to_displs(c.in_counts, c.in_displs);
    room();
  };
  // All buffers are ready, so that only the call itself is timed.
  if (kind == "barrier") {
    Call::barrier(r, h);
  } else if (kind == "bcast") {
    add(c.expected, root, 0, count);
    room();
    if (me == root)
      std::copy(c.expected.begin(), c.expected.end(), c.in.begin());
    Call::bcast(r, c.in.data(), count, type, root, h);
  } else if (kind == "scatter") {
    for (int q = 0; me == root && q < n; ++q) add(c.out, root, q, count);
    add(c.expected, root, me, count);
    room();
    Call::scatter(r, c.out.data(), count, type, c.in.data(), count, type, root,
                  h);
  } else if (kind == "scatterv") {
    for (int q = 0; me == root && q < n; ++q) {
      c.out_counts.push_back(count_of(q));
      add(c.out, root, q, count_of(q));
    }
    add(c.expected, root, me, count_of(me));
    vectors();
    Call::scatterv(r, c.out.data(), c.out_counts.data(), c.out_displs.data(),
                   type, c.in.data(), count_of(me), type, root, h);
  } else if (kind == "gather") {
    add(c.out, me, root, count);
    for (int p = 0; me == root && p < n; ++p) add(c.expected, p, root, count);
    room();
    Call::gather(r, c.out.data(), count, type, c.in.data(), count, type, root,
                 h);
  } else if (kind == "gatherv") {
    add(c.out, me, root, count_of(me));
    for (int p = 0; me == root && p < n; ++p) {
      c.in_counts.push_back(count_of(p));
      add(c.expected, p, root, count_of(p));
    }
    vectors();
    Call::gatherv(r, c.out.data(), count_of(me), type, c.in.data(),
                  c.in_counts.data(), c.in_displs.data(), type, root, h);
  } else if (kind == "reduce") {
    add(c.out, me, 0, count);
    if (me == root) sum(0, n - 1, 0, count);
    room();
    Call::reduce(r, c.out.data(), c.in.data(), count, type, MPI_SUM, root, h);
  } else if (kind == "allreduce") {
    add(c.out, me, 0, count);
    sum(0, n - 1, 0, count);
    room();
    const void* out = c.out.data();
    if (salt % 3 == 0) {
      std::copy(c.out.begin(), c.out.end(), c.in.begin());
      out = MPI_IN_PLACE;
    }
    Call::allreduce(r, out, c.in.data(), count, type, MPI_SUM, h);
  } else if (kind == "allgather") {
    add(c.out, me, 0, count);
    for (int p = 0; p < n; ++p) add(c.expected, p, 0, count);
    room();
    Call::allgather(r, c.out.data(), count, type, c.in.data(), count, type, h);
  } else if (kind == "allgatherv") {
    add(c.out, me, 0, count_of(me));
    for (int p = 0; p < n; ++p) {
      c.in_counts.push_back(count_of(p));
      add(c.expected, p, 0, count_of(p));
    }
    vectors();
    Call::allgatherv(r, c.out.data(), count_of(me), type, c.in.data(),
                     c.in_counts.data(), c.in_displs.data(), type, h);
  } else if (kind == "alltoall") {
    for (int q = 0; q < n; ++q) add(c.out, me, q, count);
    for (int p = 0; p < n; ++p) add(c.expected, p, me, count);
    room();
    Call::alltoall(r, c.out.data(), count, type, c.in.data(), count, type, h);
  } else if (kind == "alltoallv" || kind == "alltoallw") {
    for (int q = 0; q < n; ++q) {
      c.out_counts.push_back(count_of(me, q));
      c.in_counts.push_back(count_of(q, me));
      add(c.out, me, q, count_of(me, q));
      add(c.expected, q, me, count_of(q, me));
    }
    vectors();
    if (kind == "alltoallv") {
      Call::alltoallv(r, c.out.data(), c.out_counts.data(), c.out_displs.data(),
                      type, c.in.data(), c.in_counts.data(), c.in_displs.data(),
                      type, h);
    } else {
      c.types.assign(static_cast<size_t>(n), type);
      for (int& d : c.out_displs) d *= static_cast<int>(sizeof(int));
      for (int& d : c.in_displs) d *= static_cast<int>(sizeof(int));
      Call::alltoallw(r, c.out.data(), c.out_counts.data(), c.out_displs.data(),
                      c.types.data(), c.in.data(), c.in_counts.data(),
                      c.in_displs.data(), c.types.data(), h);
    }
  } else if (kind == "reduce_scatter") {
    for (int q = 0; q < n; ++q) {
      c.in_counts.push_back(count_of(q));
      add(c.out, me, q, count_of(q));
    }
    sum(0, n - 1, me, count_of(me));
    vectors();
    Call::reduce_scatter(r, c.out.data(), c.in.data(), c.in_counts.data(), type,
                         MPI_SUM, h);
  } else if (kind == "reduce_scatter_block") {
    for (int q = 0; q < n; ++q) add(c.out, me, q, count);
    sum(0, n - 1, me, count);
    room();
    Call::reduce_scatter_block(r, c.out.data(), c.in.data(), count, type,
                               MPI_SUM, h);
  } else if (kind == "scan") {
    add(c.out, me, 0, count);
    sum(0, me, 0, count);
    room();
    Call::scan(r, c.out.data(), c.in.data(), count, type, MPI_SUM, h);
  } else if (kind == "exscan") {
    add(c.out, me, 0, count);
    // The standard leaves the buffer of rank 0 undefined.
    if (me > 0) sum(0, me - 1, 0, count);
    room();
    c.in.resize(static_cast<size_t>(count) + 1, -1);
    Call::exscan(r, c.out.data(), c.in.data(), count, type, MPI_SUM, h);
  } else {
    const bool same_for_all =
        kind == "neighbor_allgather" || kind == "neighbor_allgatherv";
    for (const int q : comm.dests) {
      const int some = q == MPI_PROC_NULL ? 0 : count_of(me, q);
      c.out_counts.push_back(some);
      if (!same_for_all) add(c.out, me, q, some);
      // Regular calls leave a gap for a neighbour that is MPI_PROC_NULL.
      if (q == MPI_PROC_NULL && kind == "neighbor_alltoall") {
        c.out.resize(c.out.size() + static_cast<size_t>(count));
      }
    }
    if (same_for_all) add(c.out, me, 0, count_of(me));
    for (const int p : comm.sources) {
      const int some = p == MPI_PROC_NULL ? 0 : count_of(p, me);
      c.in_counts.push_back(some);
      add(c.expected, p, same_for_all ? 0 : me, some);
      if (p == MPI_PROC_NULL &&
          (kind == "neighbor_alltoall" || kind == "neighbor_allgather")) {
        c.expected.resize(c.expected.size() + static_cast<size_t>(count), -1);
      }
    }
    vectors();
    c.types.assign(std::max(comm.sources.size(), comm.dests.size()) + 1, type);
    for (const int d : c.out_displs) c.out_bytes.push_back(d * 4);
    for (const int d : c.in_displs) c.in_bytes.push_back(d * 4);
    const int mine = same_for_all ? count_of(me) : count;
    // Open MPI reads the first element although the count is zero.
    c.out.push_back(0);
    c.out_counts.push_back(0);
    c.in_counts.push_back(0);
    c.out_displs.push_back(0);
    c.in_displs.push_back(0);
    c.out_bytes.push_back(0);
    c.in_bytes.push_back(0);
    if (kind == "neighbor_allgather") {
      Call::neighbor_allgather(r, c.out.data(), mine, type, c.in.data(), count,
                               type, h);
    } else if (kind == "neighbor_allgatherv") {
      Call::neighbor_allgatherv(r, c.out.data(), mine, type, c.in.data(),
                                c.in_counts.data(), c.in_displs.data(), type,
                                h);
    } else if (kind == "neighbor_alltoall") {
      Call::neighbor_alltoall(r, c.out.data(), count, type, c.in.data(), count,
                              type, h);
    } else if (kind == "neighbor_alltoallv") {
      Call::neighbor_alltoallv(r, c.out.data(), c.out_counts.data(),
                               c.out_displs.data(), type, c.in.data(),
                               c.in_counts.data(), c.in_displs.data(), type, h);
    } else {
      Call::neighbor_alltoallw(r, c.out.data(), c.out_counts.data(),
                               c.out_bytes.data(), c.types.data(), c.in.data(),
                               c.in_counts.data(), c.in_bytes.data(),
                               c.types.data(), h);
    }
  }
  note(kContributes, instance);
  if (!later) {
    note(kCompletes, instance);
    verify(c);
    return;
  }
  Slot& slot = g_slots[slot_id];
  slot.kind = Kind::kCollective;
  slot.active = true;
  slot.request = request;
  slot.collective = std::move(owned);
}

}  // namespace

void add_collectives(Functions* all) {
  for (const char* kind : kCollectives) {
    const std::string name = kind;
    (*all)[name] = [name](Arguments a) { collective(name, a); };
  }
}

}  // namespace chaos
