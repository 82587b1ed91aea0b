// Collectives, blocking and non-blocking, and of neighbours.
#include <algorithm>
#include <numeric>

#include "traffic.h"

namespace traffic {

// Buffers of one collective, and what must be in the receive buffer.
struct Collective {
  Ints out;
  Ints in;
  Ints expected;
  Ints out_counts, out_displs, in_counts, in_displs;
  std::vector<MPI_Datatype> types;
  MPI_Request request = MPI_REQUEST_NULL;
};

void sizes_to_displs(const Ints& counts, Ints& displs) {
  displs.assign(counts.size(), 0);
  for (size_t i = 1; i < counts.size(); ++i)
    displs[i] = displs[i - 1] + counts[i - 1];
}

constexpr int kCollectives = 19;

void collective(const Comm& comm, Collective& c, int kind, bool later) {
  const int n = comm.size;
  const int me = comm.rank;
  const int root = common(n);
  const int length = common(5) == 0   ? 0
                     : common(4) == 0 ? 3000
                                      : 1 + common(30);
  const bool in_place = common(4) == 0;
  // What process p contributes for process q.
  const int salt = common(1000);
  const auto item = [&](int p, int q, int i) {
    return p * 1000 + q * 17 + i * 3 + salt;
  };
  Ints counts(static_cast<size_t>(n * n));
  for (int& count : counts) count = common(3) == 0 ? 0 : common(12);
  const auto count_of = [&](int p, int q) {
    return counts[static_cast<size_t>(p * n + q)];
  };
  const auto add = [&](Ints& to, int p, int q, int count) {
    for (int i = 0; i < count; ++i) to.push_back(item(p, q, i));
  };
  const auto sum_to = [&](int first, int last, int q, int count) {
    Ints sums(static_cast<size_t>(count));
    for (int p = first; p <= last; ++p) {
      for (int i = 0; i < count; ++i)
        sums[static_cast<size_t>(i)] += item(p, q, i);
    }
    return sums;
  };
  MPI_Comm h = comm.handle;
  MPI_Request* r = &c.request;
  const auto room = [&](size_t size) { c.in.assign(size, -1); };
  const size_t length_ = static_cast<size_t>(length);
  const size_t all_ = static_cast<size_t>(length * n);
  pause_maybe();
  switch (kind) {
    case 0:
      later ? MPI_Ibarrier(h, r) : MPI_Barrier(h);
      break;
    case 1:
      add(c.expected, root, 0, length);
      c.in = me == root ? c.expected : Ints(length_, -1);
      later ? MPI_Ibcast(c.in.data(), length, MPI_INT, root, h, r)
            : MPI_Bcast(c.in.data(), length, MPI_INT, root, h);
      break;
    case 2:
      if (me == root)
        for (int q = 0; q < n; ++q) add(c.out, root, q, length);
      add(c.expected, root, me, length);
      room(length_);
      later ? MPI_Iscatter(c.out.data(), length, MPI_INT, c.in.data(), length,
                           MPI_INT, root, h, r)
            : MPI_Scatter(c.out.data(), length, MPI_INT, c.in.data(), length,
                          MPI_INT, root, h);
      break;
    case 3:
      for (int q = 0; q < n; ++q) c.out_counts.push_back(count_of(root, q));
      sizes_to_displs(c.out_counts, c.out_displs);
      if (me == root)
        for (int q = 0; q < n; ++q) add(c.out, root, q, count_of(root, q));
      add(c.expected, root, me, count_of(root, me));
      room(c.expected.size());
      later ? MPI_Iscatterv(c.out.data(), c.out_counts.data(),
                            c.out_displs.data(), MPI_INT, c.in.data(),
                            count_of(root, me), MPI_INT, root, h, r)
            : MPI_Scatterv(c.out.data(), c.out_counts.data(),
                           c.out_displs.data(), MPI_INT, c.in.data(),
                           count_of(root, me), MPI_INT, root, h);
      break;
    case 4:
      add(c.out, me, root, length);
      if (me == root)
        for (int p = 0; p < n; ++p) add(c.expected, p, root, length);
      room(c.expected.size());
      later ? MPI_Igather(c.out.data(), length, MPI_INT, c.in.data(), length,
                          MPI_INT, root, h, r)
            : MPI_Gather(c.out.data(), length, MPI_INT, c.in.data(), length,
                         MPI_INT, root, h);
      break;
    case 5:
      for (int p = 0; p < n; ++p) c.in_counts.push_back(count_of(p, root));
      sizes_to_displs(c.in_counts, c.in_displs);
      add(c.out, me, root, count_of(me, root));
      if (me == root)
        for (int p = 0; p < n; ++p) add(c.expected, p, root, count_of(p, root));
      room(c.expected.size());
      later ? MPI_Igatherv(c.out.data(), count_of(me, root), MPI_INT,
                           c.in.data(), c.in_counts.data(), c.in_displs.data(),
                           MPI_INT, root, h, r)
            : MPI_Gatherv(c.out.data(), count_of(me, root), MPI_INT,
                          c.in.data(), c.in_counts.data(), c.in_displs.data(),
                          MPI_INT, root, h);
      break;
    case 6:
      add(c.out, me, 0, length);
      if (me == root) c.expected = sum_to(0, n - 1, 0, length);
      room(c.expected.size());
      later ? MPI_Ireduce(c.out.data(), c.in.data(), length, MPI_INT, MPI_SUM,
                          root, h, r)
            : MPI_Reduce(c.out.data(), c.in.data(), length, MPI_INT, MPI_SUM,
                         root, h);
      break;
    case 7: {
      add(c.out, me, 0, length);
      c.expected = sum_to(0, n - 1, 0, length);
      c.in = in_place ? c.out : Ints(length_, -1);
      const void* out = in_place ? MPI_IN_PLACE : c.out.data();
      later ? MPI_Iallreduce(out, c.in.data(), length, MPI_INT, MPI_SUM, h, r)
            : MPI_Allreduce(out, c.in.data(), length, MPI_INT, MPI_SUM, h);
      break;
    }
    case 8: {
      add(c.out, me, 0, length);
      for (int p = 0; p < n; ++p) add(c.expected, p, 0, length);
      room(all_);
      if (in_place)
        std::copy(c.out.begin(), c.out.end(), c.in.begin() + me * length);
      const void* out = in_place ? MPI_IN_PLACE : c.out.data();
      later ? MPI_Iallgather(out, length, MPI_INT, c.in.data(), length, MPI_INT,
                             h, r)
            : MPI_Allgather(out, length, MPI_INT, c.in.data(), length, MPI_INT,
                            h);
      break;
    }
    case 9:
      for (int p = 0; p < n; ++p) c.in_counts.push_back(count_of(p, 0));
      sizes_to_displs(c.in_counts, c.in_displs);
      add(c.out, me, 0, count_of(me, 0));
      for (int p = 0; p < n; ++p) add(c.expected, p, 0, count_of(p, 0));
      room(c.expected.size());
      later
          ? MPI_Iallgatherv(c.out.data(), count_of(me, 0), MPI_INT, c.in.data(),
                            c.in_counts.data(), c.in_displs.data(), MPI_INT, h,
                            r)
          : MPI_Allgatherv(c.out.data(), count_of(me, 0), MPI_INT, c.in.data(),
                           c.in_counts.data(), c.in_displs.data(), MPI_INT, h);
      break;
    case 10: {
      for (int q = 0; q < n; ++q) add(c.out, me, q, length);
      for (int p = 0; p < n; ++p) add(c.expected, p, me, length);
      c.in = in_place ? c.out : Ints(all_, -1);
      const void* out = in_place ? MPI_IN_PLACE : c.out.data();
      later
          ? MPI_Ialltoall(out, length, MPI_INT, c.in.data(), length, MPI_INT, h,
                          r)
          : MPI_Alltoall(out, length, MPI_INT, c.in.data(), length, MPI_INT, h);
      break;
    }
    case 11:
    case 12:
      for (int q = 0; q < n; ++q) {
        c.out_counts.push_back(count_of(me, q));
        c.in_counts.push_back(count_of(q, me));
        add(c.out, me, q, count_of(me, q));
        add(c.expected, q, me, count_of(q, me));
      }
      sizes_to_displs(c.out_counts, c.out_displs);
      sizes_to_displs(c.in_counts, c.in_displs);
      room(c.expected.size());
      if (kind == 11) {
        later
            ? MPI_Ialltoallv(c.out.data(), c.out_counts.data(),
                             c.out_displs.data(), MPI_INT, c.in.data(),
                             c.in_counts.data(), c.in_displs.data(), MPI_INT, h,
                             r)
            : MPI_Alltoallv(c.out.data(), c.out_counts.data(),
                            c.out_displs.data(), MPI_INT, c.in.data(),
                            c.in_counts.data(), c.in_displs.data(), MPI_INT, h);
        break;
      }
      c.types.assign(static_cast<size_t>(n), MPI_INT);
      for (int& d : c.out_displs) d *= static_cast<int>(sizeof(int));
      for (int& d : c.in_displs) d *= static_cast<int>(sizeof(int));
      later ? MPI_Ialltoallw(c.out.data(), c.out_counts.data(),
                             c.out_displs.data(), c.types.data(), c.in.data(),
                             c.in_counts.data(), c.in_displs.data(),
                             c.types.data(), h, r)
            : MPI_Alltoallw(c.out.data(), c.out_counts.data(),
                            c.out_displs.data(), c.types.data(), c.in.data(),
                            c.in_counts.data(), c.in_displs.data(),
                            c.types.data(), h);
      break;
    case 13:
      for (int q = 0; q < n; ++q) {
        c.in_counts.push_back(count_of(0, q));
        add(c.out, me, q, count_of(0, q));
      }
      c.expected = sum_to(0, n - 1, me, count_of(0, me));
      room(c.expected.size());
      later ? MPI_Ireduce_scatter(c.out.data(), c.in.data(), c.in_counts.data(),
                                  MPI_INT, MPI_SUM, h, r)
            : MPI_Reduce_scatter(c.out.data(), c.in.data(), c.in_counts.data(),
                                 MPI_INT, MPI_SUM, h);
      break;
    case 14:
      for (int q = 0; q < n; ++q) add(c.out, me, q, length);
      c.expected = sum_to(0, n - 1, me, length);
      room(length_);
      later ? MPI_Ireduce_scatter_block(c.out.data(), c.in.data(), length,
                                        MPI_INT, MPI_SUM, h, r)
            : MPI_Reduce_scatter_block(c.out.data(), c.in.data(), length,
                                       MPI_INT, MPI_SUM, h);
      break;
    case 15:
      add(c.out, me, 0, length);
      c.expected = sum_to(0, me, 0, length);
      room(length_);
      later
          ? MPI_Iscan(c.out.data(), c.in.data(), length, MPI_INT, MPI_SUM, h, r)
          : MPI_Scan(c.out.data(), c.in.data(), length, MPI_INT, MPI_SUM, h);
      break;
    case 16:
      add(c.out, me, 0, length);
      room(length_);
      c.expected = me == 0 ? Ints(length_, -1) : sum_to(0, me - 1, 0, length);
      later
          ? MPI_Iexscan(c.out.data(), c.in.data(), length, MPI_INT, MPI_SUM, h,
                        r)
          : MPI_Exscan(c.out.data(), c.in.data(), length, MPI_INT, MPI_SUM, h);
      // The standard leaves the buffer of rank 0 undefined.
      if (me == 0) c.expected.clear();
      break;
    case 17: {
      // MPICH 4.0 crashes with MPI_IN_PLACE at another root.
      constexpr int kRoot = 0;
      add(c.out, me, 0, length);
      if (me == kRoot) c.expected = sum_to(0, n - 1, 0, length);
      c.in = c.out;
      if (me == kRoot) {
        later ? MPI_Ireduce(MPI_IN_PLACE, c.in.data(), length, MPI_INT, MPI_SUM,
                            kRoot, h, r)
              : MPI_Reduce(MPI_IN_PLACE, c.in.data(), length, MPI_INT, MPI_SUM,
                           kRoot, h);
      } else {
        later ? MPI_Ireduce(c.out.data(), nullptr, length, MPI_INT, MPI_SUM,
                            kRoot, h, r)
              : MPI_Reduce(c.out.data(), nullptr, length, MPI_INT, MPI_SUM,
                           kRoot, h);
      }
      break;
    }
    default:
      // A root that sends nothing to anybody.
      c.out_counts.assign(static_cast<size_t>(n), 0);
      c.out_displs.assign(static_cast<size_t>(n), 0);
      later ? MPI_Iscatterv(nullptr, c.out_counts.data(), c.out_displs.data(),
                            MPI_INT, nullptr, 0, MPI_INT, root, h, r)
            : MPI_Scatterv(nullptr, c.out_counts.data(), c.out_displs.data(),
                           MPI_INT, nullptr, 0, MPI_INT, root, h);
  }
}

void verify(const Collective& c) {
  bool good = c.in.size() >= c.expected.size();
  for (size_t i = 0; good && i < c.expected.size(); ++i) {
    good = c.in[i] == c.expected[i];
    g_checksum += c.in[i];
  }
  expect(good, "result of a collective");
}

void blocking_collective(const Comm& comm) {
  Collective c;
  collective(comm, c, common(kCollectives), false);
  verify(c);
}

// Several at once, with messages in between, completed in any order.
void later_collectives(const Comm& comm) {
  std::vector<Collective> several(static_cast<size_t>(1 + common(4)));
  std::vector<MPI_Request> requests;
  for (Collective& c : several) {
    collective(comm, c, common(kCollectives), true);
    requests.push_back(c.request);
    if (common(3) == 0) messages(comm);
    if (common(3) == 0) blocking_collective(comm);
  }
  std::vector<MPI_Status> statuses;
  complete(requests, statuses);
  for (const Collective& c : several) verify(c);
}

// Every process with the two next to it, or a random graph.
void neighbors(const Comm& comm) {
  const int n = comm.size;
  Ints sources;
  Ints dests;
  MPI_Comm topology;
  if (common(2) == 0) {
    const int periodic = common(2);
    MPI_Cart_create(comm.handle, 1, &n, &periodic, 0, &topology);
    int low = MPI_PROC_NULL;
    int high = MPI_PROC_NULL;
    MPI_Cart_shift(topology, 0, 1, &low, &high);
    sources = dests = {low, high};
  } else {
    for (int p = 0; p < n; ++p) {
      for (int q = 0; q < n; ++q) {
        if (common(3) != 0) continue;
        if (q == comm.rank) sources.push_back(p);
        if (p == comm.rank) dests.push_back(q);
      }
    }
    MPI_Dist_graph_create_adjacent(
        comm.handle, static_cast<int>(sources.size()), sources.data(),
        MPI_UNWEIGHTED, static_cast<int>(dests.size()), dests.data(),
        MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &topology);
  }
  const int length = common(4) == 0 ? 0 : 1 + common(10);
  const int kind = common(4);
  const int salt = common(1000);
  Ints out(static_cast<size_t>(length) * std::max<size_t>(1, dests.size()),
           comm.rank * 100 + salt);
  Ints in(static_cast<size_t>(length) * sources.size() + 1, -1);
  Ints out_counts(dests.size() + 1, length),
      in_counts(sources.size() + 1, length), out_displs, in_displs;
  sizes_to_displs(out_counts, out_displs);
  sizes_to_displs(in_counts, in_displs);
  MPI_Request request = MPI_REQUEST_NULL;
  pause_maybe();
  switch (kind) {
    case 0:
      MPI_Neighbor_allgather(out.data(), length, MPI_INT, in.data(), length,
                             MPI_INT, topology);
      break;
    case 1:
      MPI_Neighbor_alltoallv(out.data(), out_counts.data(), out_displs.data(),
                             MPI_INT, in.data(), in_counts.data(),
                             in_displs.data(), MPI_INT, topology);
      break;
    case 2:
      MPI_Ineighbor_alltoall(out.data(), length, MPI_INT, in.data(), length,
                             MPI_INT, topology, &request);
      break;
    default:
      MPI_Ineighbor_allgatherv(out.data(), length, MPI_INT, in.data(),
                               in_counts.data(), in_displs.data(), MPI_INT,
                               topology, &request);
  }
  // Freed while its operation is under way.
  const bool free_first = common(2) == 0;
  if (free_first) MPI_Comm_free(&topology);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  bool good = true;
  for (size_t s = 0; s < sources.size(); ++s) {
    for (int i = 0; i < length; ++i) {
      const int wanted =
          sources[s] == MPI_PROC_NULL ? -1 : sources[s] * 100 + salt;
      good = good &&
             in[s * static_cast<size_t>(length) + static_cast<size_t>(i)] ==
                 wanted;
      g_checksum += wanted;
    }
  }
  expect(good, "data of neighbours");
  if (!free_first) MPI_Comm_free(&topology);
}

}  // namespace traffic
