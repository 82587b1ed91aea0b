// A seeded random mix of MPI traffic whose results are known: run it with and
// without the library, on any number of processes.  All processes draw the
// structure of a step from one sequence (so that no step can deadlock), and
// order, kind of completion and pauses from one of their own.
//
// Prints one line, the checksum of all data received; exit status 1 if any
// data, status or count was wrong.
//
// usage: traffic SEED STEPS
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using Ints = std::vector<int>;

std::mt19937 g_common;  // the same on all processes
std::mt19937 g_own;
int64_t g_checksum = 0;
int g_errors = 0;
int g_step = 0;
int g_world_rank = 0;

int common(int n) {
  return static_cast<int>(g_common() % static_cast<unsigned>(n));
}
int own(int n) { return static_cast<int>(g_own() % static_cast<unsigned>(n)); }

void expect(bool good, const char* what) {
  if (good) return;
  if (g_errors++ < 5) {
    std::fprintf(stderr, "rank %d, step %d: wrong %s\n", g_world_rank, g_step,
                 what);
  }
}

void pause_maybe() {
  if (own(6) == 0) usleep(static_cast<unsigned>(own(400)));
}

struct Comm {
  MPI_Comm handle = MPI_COMM_NULL;  // for processes that are not in it
  int rank = -1;
  int size = 0;
  Ints members;  // world ranks, known to all
};

Comm make(MPI_Comm handle, Ints members) {
  Comm comm;
  comm.handle = handle;
  comm.members = std::move(members);
  comm.size = static_cast<int>(comm.members.size());
  if (handle != MPI_COMM_NULL) {
    int size = 0;
    MPI_Comm_rank(handle, &comm.rank);
    MPI_Comm_size(handle, &size);
    expect(size == comm.size, "size of a new communicator");
    expect(comm.members[static_cast<size_t>(comm.rank)] == g_world_rank,
           "rank in a new communicator");
  }
  return comm;
}

// ---- completion, in any way and order ---------------------------------------

// Completes all requests; statuses[i] belongs to requests[i].
void complete(std::vector<MPI_Request>& requests,
              std::vector<MPI_Status>& statuses) {
  const int n = static_cast<int>(requests.size());
  statuses.resize(requests.size());
  std::vector<MPI_Request> mixed(requests.size());
  std::vector<MPI_Status> got(requests.size());
  Ints order(requests.size());
  Ints where(requests.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), g_own);
  for (size_t i = 0; i < order.size(); ++i)
    mixed[i] = requests[static_cast<size_t>(order[i])];
  const auto put = [&](int i, const MPI_Status& status) {
    statuses[static_cast<size_t>(order[static_cast<size_t>(i)])] = status;
  };
  switch (own(7)) {
    case 0:
      MPI_Waitall(n, mixed.data(), got.data());
      for (int i = 0; i < n; ++i) put(i, got[static_cast<size_t>(i)]);
      break;
    case 1:
      for (int done = 0; done < n; ++done) {
        int index = MPI_UNDEFINED;
        MPI_Status status;
        MPI_Waitany(n, mixed.data(), &index, &status);
        put(index, status);
      }
      break;
    case 2:
    case 3: {
      const bool wait = own(2) == 0;
      for (int done = 0, count = 0; done < n; done += count) {
        wait ? MPI_Waitsome(n, mixed.data(), &count, where.data(), got.data())
             : MPI_Testsome(n, mixed.data(), &count, where.data(), got.data());
        for (int i = 0; i < count; ++i)
          put(where[static_cast<size_t>(i)], got[static_cast<size_t>(i)]);
      }
      break;
    }
    case 4:
      for (int flag = 0; flag == 0;)
        MPI_Testall(n, mixed.data(), &flag, got.data());
      for (int i = 0; i < n; ++i) put(i, got[static_cast<size_t>(i)]);
      break;
    case 5:
      for (int i = 0; i < n; ++i) {
        MPI_Status status;
        for (int flag = 0; flag == 0;)
          MPI_Test(&mixed[static_cast<size_t>(i)], &flag, &status);
        put(i, status);
      }
      break;
    default:
      for (int i = 0; i < n; ++i) {
        MPI_Status status;
        for (int flag = 0; flag == 0;) {
          MPI_Request_get_status(mixed[static_cast<size_t>(i)], &flag, &status);
        }
        MPI_Wait(&mixed[static_cast<size_t>(i)], &status);
        put(i, status);
      }
  }
  // Those of persistent requests stay.
  for (size_t i = 0; i < order.size(); ++i)
    requests[static_cast<size_t>(order[i])] = mixed[i];
}

// ---- messages ---------------------------------------------------------------

struct Message {
  int source;
  int dest;
  int tag;
  int length;
};

int value(int source, int dest, int tag, int length, int i) {
  return ((source * 31 + dest) * 31 + tag) * 31 + length + i * 7 + g_step;
}

Ints fill(const Message& m) {
  Ints data(static_cast<size_t>(m.length) + 1);
  data[0] = m.length;
  for (int i = 0; i < m.length; ++i)
    data[static_cast<size_t>(i) + 1] =
        value(m.source, m.dest, m.tag, m.length, i);
  return data;
}

void check(const Ints& data, const MPI_Status& status, int dest) {
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  expect(count == data[0] + 1, "length of a message");
  bool good = true;
  for (int i = 0; i < data[0] && i + 1 < static_cast<int>(data.size()); ++i) {
    const int v = data[static_cast<size_t>(i) + 1];
    good =
        good && v == value(status.MPI_SOURCE, dest, status.MPI_TAG, data[0], i);
    g_checksum += v;
  }
  expect(good, "data of a message");
}

// Which receives are posted, so that any matching completes all of them.
enum class Receives {
  kExact,
  kExactThenAny,
  kAnySource,
  kAnyTagMixed,
  kProbed
};

void messages(const Comm& comm) {
  constexpr int kLongest = 40000;
  const auto kind = static_cast<Receives>(common(5));
  const bool persistent = common(4) == 0;
  const int rounds = persistent ? 3 : 1;
  std::vector<Message> all(static_cast<size_t>(1 + common(6 * comm.size)));
  for (Message& m : all) {
    m.source = common(comm.size);
    m.dest = common(comm.size);
    // One tag per source, so that an ANY_TAG receive takes the next message in
    // order.
    m.tag = kind == Receives::kAnyTagMixed ? m.source % 3 : common(3);
    m.length = common(8) == 0 ? common(kLongest) : common(20);
  }
  std::vector<const Message*> in;
  std::vector<Ints> out;
  std::vector<MPI_Request> sends;
  std::vector<const Message*> sent;
  for (const Message& m : all) {
    if (m.dest == comm.rank) in.push_back(&m);
    if (m.source == comm.rank) {
      sent.push_back(&m);
      out.push_back(fill(m));
    }
  }
  std::vector<MPI_Request> requests;
  std::vector<Ints> buffers(in.size(), Ints(kLongest + 1));
  const auto post = [&](size_t i, int source, int tag) {
    MPI_Request request;
    if (persistent) {
      MPI_Recv_init(buffers[i].data(), kLongest + 1, MPI_INT, source, tag,
                    comm.handle, &request);
    } else {
      MPI_Irecv(buffers[i].data(), kLongest + 1, MPI_INT, source, tag,
                comm.handle, &request);
    }
    requests.push_back(request);
  };
  if (kind == Receives::kExactThenAny) {
    // In each stream the first receives are exact, and posted before all
    // wildcards.
    Ints any;
    for (size_t i = 0; i < in.size(); ++i) {
      if (own(2) != 0) any.push_back(static_cast<int>(i));
    }
    // A message behind one that a wildcard takes is taken by a wildcard, too.
    std::vector<char> open(in.size(), 1);
    for (const int i : any) open[static_cast<size_t>(i)] = 0;
    for (size_t i = 0; i < in.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (in[j]->source == in[i]->source && in[j]->tag == in[i]->tag &&
            open[j] == 0)
          open[i] = 0;
      }
    }
    size_t next = 0;
    for (size_t i = 0; i < in.size(); ++i) {
      if (open[i] != 0) post(next++, in[i]->source, in[i]->tag);
    }
    while (next < in.size()) post(next++, MPI_ANY_SOURCE, MPI_ANY_TAG);
  } else if (kind != Receives::kProbed) {
    for (size_t i = 0; i < in.size(); ++i) {
      const bool any_source = kind == Receives::kAnySource;
      const bool any_tag = kind == Receives::kAnyTagMixed && own(2) == 0;
      post(i, any_source ? MPI_ANY_SOURCE : in[i]->source,
           any_tag ? MPI_ANY_TAG : in[i]->tag);
    }
  }
  if (persistent) {
    for (size_t i = 0; i < sent.size(); ++i) {
      MPI_Request request;
      const Message& m = *sent[i];
      const auto init = own(2) == 0 ? MPI_Send_init : MPI_Ssend_init;
      init(out[i].data(), m.length + 1, MPI_INT, m.dest, m.tag, comm.handle,
           &request);
      sends.push_back(request);
    }
  }
  for (int round = 0; round < rounds; ++round) {
    if (persistent && !requests.empty())
      MPI_Startall(static_cast<int>(requests.size()), requests.data());
    pause_maybe();
    for (size_t i = 0; i < sent.size(); ++i) {
      if (persistent) {
        MPI_Start(&sends[i]);
        continue;
      }
      MPI_Request request;
      const Message& m = *sent[i];
      const auto send = own(3) == 0 ? MPI_Issend : MPI_Isend;
      send(out[i].data(), m.length + 1, MPI_INT, m.dest, m.tag, comm.handle,
           &request);
      sends.push_back(request);
    }
    pause_maybe();
    if (kind == Receives::kProbed) {
      for (size_t i = 0; i < in.size(); ++i) {
        MPI_Message message;
        MPI_Status status;
        if (own(2) == 0) {
          MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm.handle, &message,
                     &status);
        } else {
          for (int flag = 0; flag == 0;) {
            MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm.handle, &flag,
                        &message, &status);
          }
        }
        if (own(2) == 0) {
          MPI_Mrecv(buffers[i].data(), kLongest + 1, MPI_INT, &message,
                    &status);
        } else {
          MPI_Request request;
          MPI_Imrecv(buffers[i].data(), kLongest + 1, MPI_INT, &message,
                     &request);
          MPI_Wait(&request, &status);
        }
        check(buffers[i], status, comm.rank);
      }
    } else {
      // Sends and receives completed together.
      std::vector<MPI_Request> both = requests;
      both.insert(both.end(), sends.begin(), sends.end());
      std::vector<MPI_Status> statuses;
      complete(both, statuses);
      std::copy(both.begin(), both.begin() + static_cast<long>(requests.size()),
                requests.begin());
      std::copy(both.begin() + static_cast<long>(requests.size()), both.end(),
                sends.begin());
      for (size_t i = 0; i < in.size(); ++i)
        check(buffers[i], statuses[i], comm.rank);
    }
    if (kind == Receives::kProbed && !sends.empty()) {
      MPI_Waitall(static_cast<int>(sends.size()), sends.data(),
                  MPI_STATUSES_IGNORE);
    }
    // No wildcard receive of this round may take a message of the next round.
    if (kind != Receives::kExact && kind != Receives::kAnyTagMixed)
      MPI_Barrier(comm.handle);
  }
  if (persistent) {
    for (MPI_Request& request : requests) MPI_Request_free(&request);
    for (MPI_Request& request : sends) MPI_Request_free(&request);
  }
}

void shift(const Comm& comm) {
  const int by = common(comm.size);
  const int kind = common(4);
  const int tag = common(3);
  const int length = common(4) == 0 ? 30000 : common(50);
  const bool open = common(3) == 0;  // a line, not a ring
  int dest = comm.rank + by;
  int source = comm.rank - by;
  if (dest >= comm.size) dest = open ? MPI_PROC_NULL : dest - comm.size;
  if (source < 0) source = open ? MPI_PROC_NULL : source + comm.size;
  Ints out = fill({comm.rank, dest, tag, length});
  Ints in(out.size(), 0);
  MPI_Status status;
  const int n = static_cast<int>(out.size());
  pause_maybe();
  if (kind == 0) {
    MPI_Sendrecv(out.data(), n, MPI_INT, dest, tag, in.data(), n, MPI_INT,
                 source, tag, comm.handle, &status);
  } else if (kind == 1) {
    in = out;
    MPI_Sendrecv_replace(in.data(), n, MPI_INT, dest, tag, source, tag,
                         comm.handle, &status);
  } else {
    MPI_Request request;
    MPI_Irecv(in.data(), n, MPI_INT, source, tag, comm.handle, &request);
    (kind == 2 ? MPI_Send : MPI_Ssend)(out.data(), n, MPI_INT, dest, tag,
                                       comm.handle);
    MPI_Wait(&request, &status);
  }
  if (source != MPI_PROC_NULL) {
    expect(status.MPI_SOURCE == source, "source of a shift");
    check(in, status, comm.rank);
  } else {
    // MPICH 4.0 leaves the status of a waited-for MPI_PROC_NULL as it was.
    expect(kind > 1 || status.MPI_SOURCE == MPI_PROC_NULL,
           "status of MPI_PROC_NULL");
  }
}

void cancelled(const Comm& comm) {
  constexpr int kUnusedTag = 99;
  int buffer = 0;
  MPI_Request request;
  const int source = common(2) == 0 ? MPI_ANY_SOURCE : common(comm.size);
  MPI_Irecv(&buffer, 1, MPI_INT, source, kUnusedTag, comm.handle, &request);
  messages(comm);
  MPI_Cancel(&request);
  if (common(2) == 0) {
    MPI_Request_free(&request);
    return;
  }
  MPI_Status status;
  int flag = 0;
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  expect(flag != 0, "status of a cancelled receive");
}

// ---- collectives -----------------------------------------------------------

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

// ---- communicators ----------------------------------------------------------

Comm new_comm(const Comm& parent) {
  MPI_Comm handle = MPI_COMM_NULL;
  const int kind = common(6);
  if (kind < 3) {
    const bool member = parent.handle != MPI_COMM_NULL;
    if (kind == 0 && member) MPI_Comm_dup(parent.handle, &handle);
    if (kind == 1 && member) {
      MPI_Request request;
      MPI_Comm_idup(parent.handle, &handle, &request);
      pause_maybe();
      if (own(2) == 0) {
        for (int flag = 0; flag == 0;)
          MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      } else {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      }
    }
    if (kind == 2 && member) {
      const int periodic = 1;
      MPI_Cart_create(parent.handle, 1, &parent.size, &periodic, 0, &handle);
    }
    return make(handle, parent.members);
  }
  // A subset, the same on all processes: one process or more.
  Ints ranks;
  Ints members;
  for (int i = 0; i < parent.size; ++i) {
    if (common(2) == 0) ranks.push_back(i);
  }
  if (ranks.empty()) ranks.push_back(common(parent.size));
  for (const int rank : ranks)
    members.push_back(parent.members[static_cast<size_t>(rank)]);
  if (parent.handle == MPI_COMM_NULL) return make(handle, members);
  const bool inside =
      std::find(ranks.begin(), ranks.end(), parent.rank) != ranks.end();
  if (kind == 3) {
    MPI_Comm_split(parent.handle, inside ? 1 : MPI_UNDEFINED, parent.rank,
                   &handle);
    return make(handle, members);
  }
  MPI_Group all;
  MPI_Group some;
  MPI_Comm_group(parent.handle, &all);
  MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
  if (kind == 4) MPI_Comm_create(parent.handle, some, &handle);
  if (kind == 5 && inside)
    MPI_Comm_create_group(parent.handle, some, 7, &handle);
  MPI_Group_free(&all);
  MPI_Group_free(&some);
  return make(handle, members);
}

// Two groups, joined by an intercommunicator and merged again.
void inter(const Comm& comm) {
  if (comm.size < 2) return;
  const bool low = comm.rank < comm.size / 2;
  MPI_Comm half;
  MPI_Comm bridge;
  MPI_Comm merged;
  MPI_Comm_split(comm.handle, low ? 0 : 1, comm.rank, &half);
  MPI_Intercomm_create(half, 0, comm.handle, low ? comm.size / 2 : 0, 3,
                       &bridge);
  MPI_Intercomm_merge(bridge, low ? 0 : 1, &merged);
  int sum = 0;
  const int one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, bridge);
  expect(sum == (low ? comm.size - comm.size / 2 : comm.size / 2),
         "sum over an intercommunicator");
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, merged);
  expect(sum == comm.size, "sum over a merged communicator");
  MPI_Comm_free(&merged);
  MPI_Comm_free(&bridge);
  MPI_Comm_free(&half);
}

// A communicator freed while a receive and a barrier on it are under way.
void freed_early(const Comm& comm) {
  MPI_Comm copy;
  MPI_Comm_dup(comm.handle, &copy);
  MPI_Request requests[3];
  int in = -1;
  int out = g_step;
  const int next = (comm.rank + 1) % comm.size;
  const int last = (comm.rank + comm.size - 1) % comm.size;
  MPI_Irecv(&in, 1, MPI_INT, own(2) == 0 ? last : MPI_ANY_SOURCE, 0, copy,
            &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, next, 0, copy, &requests[1]);
  MPI_Ibarrier(copy, &requests[2]);
  MPI_Comm_free(&copy);
  pause_maybe();
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  expect(in == g_step, "message on a freed communicator");
}

void step(std::vector<Comm>& comms) {
  const size_t which =
      static_cast<size_t>(common(static_cast<int>(comms.size())));
  const int kind = common(20);
  if (kind == 0 && comms.size() < 7) {
    comms.push_back(new_comm(comms[which]));
    return;
  }
  if (kind == 1 && which > 0) {
    if (comms[which].handle != MPI_COMM_NULL)
      MPI_Comm_free(&comms[which].handle);
    comms.erase(comms.begin() + static_cast<long>(which));
    return;
  }
  const Comm& comm = comms[which];
  // Processes outside the communicator draw no common numbers, so all go on
  // from one seed.
  const unsigned seed = g_common();
  if (comm.handle != MPI_COMM_NULL) {
    if (kind < 7)
      messages(comm);
    else if (kind < 9)
      shift(comm);
    else if (kind < 13)
      blocking_collective(comm);
    else if (kind < 16)
      later_collectives(comm);
    else if (kind == 16)
      neighbors(comm);
    else if (kind == 17)
      cancelled(comm);
    else if (kind == 18)
      inter(comm);
    else
      freed_early(comm);
  }
  g_common.seed(seed);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const unsigned seed =
      argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 100;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &g_world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  g_common.seed(seed);
  g_own.seed(seed + 7919 * static_cast<unsigned>(g_world_rank + 1));
  Ints everybody(static_cast<size_t>(size));
  std::iota(everybody.begin(), everybody.end(), 0);
  std::vector<Comm> comms = {make(MPI_COMM_WORLD, everybody)};
  for (g_step = 1; g_step <= steps; ++g_step) step(comms);
  for (size_t i = 1; i < comms.size(); ++i) {
    if (comms[i].handle != MPI_COMM_NULL) MPI_Comm_free(&comms[i].handle);
  }
  long long sum[2] = {g_checksum, g_errors};
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (g_world_rank == 0)
    std::printf("traffic: seed %u, %d processes: %lld\n", seed, size, sum[0]);
  MPI_Finalize();
  return sum[1] == 0 ? 0 : 1;
}
