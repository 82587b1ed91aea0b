// Messages, and completion in any way and order.
#include <algorithm>
#include <numeric>

#include "traffic.h"

namespace traffic {

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

}  // namespace traffic
