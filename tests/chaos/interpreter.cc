// Executes the MPI program that a script (generator.py) has for its rank, and
// writes down what happened: when each call began and ended, which message
// came to which receive, which requests a call completed.  Nothing is
// communicated but what the script says; the trace is kept in memory and
// written when MPI is over.
//
// Prints one line for each process, the checksum of all data received, which
// does not depend on who got which message; exit status 1 if any data, status
// or count was wrong.
//
// usage: interpreter SCRIPT TRACE|- SLEEP_PERCENT
//   TRACE.<rank> becomes the trace, TRACE.<rank>.at says which line of the
//   script is being executed, also when the program hangs.
#include <fcntl.h>
#include <mpi.h>
#include <poprt.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using Ints = std::vector<int>;

int64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * int64_t{1'000'000'000} + t.tv_nsec;
}

// ---- the trace --------------------------------------------------------------

// What a call did, as replay.py has it.
enum Fact : char {
  kSent = 's',         // message: its clocks are those of the call's entry
  kPosted = 'p',       // slot: a receive posted
  kReceived = 'R',     // slot, message
  kSendDone = 'S',     // message
  kContributes = 'c',  // instance of a collective: at the entry
  kCompletes = 'C',    // the same: at the exit
  kMatched = 'M',      // slot: a message matched by a probe
  kTakes = 'm',        // slot: the receive of such a message begins
  kOpens = 'o',        // region
  kCloses = 'x',
};

struct Entry {
  Fact fact;
  int a;
  int b;
};

struct Record {
  int line;
  int64_t begin;
  int64_t end;
  size_t first_entry;
};

std::vector<Record> g_records;
std::vector<Entry> g_entries;
int32_t g_nowhere = 0;
volatile int32_t* g_at = &g_nowhere;

int g_line = 0;
int g_rank = 0;
int g_errors = 0;
int64_t g_checksum = 0;
double g_sleep_scale = 1;

void expect(bool good, const char* what) {
  if (good) return;
  if (g_errors++ < 5) {
    std::fprintf(stderr, "rank %d, line %d: wrong %s\n", g_rank, g_line, what);
  }
}

// A call, with the time that it takes.
template <class Call>
void timed(Call call) {
  const int64_t begin = now();
  call();
  const int64_t end = now();
  g_records.push_back({g_line, begin, end, g_entries.size()});
}

// Notes a fact about the last call.
void note(Fact fact, int a, int b = 0) { g_entries.push_back({fact, a, b}); }

void write_trace(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return expect(false, "path of the trace");
  for (size_t i = 0; i < g_records.size(); ++i) {
    const Record& r = g_records[i];
    std::fprintf(file, "%d %lld %lld", r.line, static_cast<long long>(r.begin),
                 static_cast<long long>(r.end));
    const size_t last = i + 1 < g_records.size() ? g_records[i + 1].first_entry
                                                 : g_entries.size();
    for (size_t e = r.first_entry; e < last; ++e) {
      std::fprintf(file, " %c %d %d", g_entries[e].fact, g_entries[e].a,
                   g_entries[e].b);
    }
    std::fputc('\n', file);
  }
  std::fclose(file);
}

void nap(int64_t us) {
  const timespec t = {us / 1'000'000, us % 1'000'000 * 1000};
  nanosleep(&t, nullptr);
}

// Between two tests for something that has not arrived: gives others the core.
void breathe() { nap(300); }

// ---- the script -------------------------------------------------------------

// The words of a line.
struct Line {
  int number = 0;
  std::string name;
  Ints args;
  std::string text;  // of regions
};

class Arguments {
 public:
  explicit Arguments(const Ints& args) : args_(args) {}
  int next() { return args_.at(at_++); }
  Ints list() {
    Ints result(static_cast<size_t>(next()));
    for (int& value : result) value = next();
    return result;
  }

 private:
  const Ints& args_;
  size_t at_ = 0;
};

// ---- communicators and requests ---------------------------------------------

struct Comm {
  MPI_Comm handle = MPI_COMM_NULL;
  int rank = 0;
  int size = 0;
  Ints sources, dests;  // of its topology
};

std::map<int, Comm> g_comms;

void add_comm(int id, MPI_Comm handle) {
  Comm comm;
  comm.handle = handle;
  if (handle != MPI_COMM_NULL) {
    MPI_Comm_rank(handle, &comm.rank);
    MPI_Comm_size(handle, &comm.size);
  }
  g_comms[id] = comm;
}

struct Collective {
  Ints out, in, expected;
  Ints out_counts, out_displs, in_counts, in_displs;
  std::vector<MPI_Aint> out_bytes, in_bytes;
  std::vector<MPI_Datatype> types;
  int instance = 0;
};

enum class Kind { kNone, kReceive, kSend, kCollective };

constexpr int kLongest = 20000;  // ints of a message
constexpr int kHeader = 4;       // message, source, tag, length

struct Slot {
  Kind kind = Kind::kNone;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Message matched = MPI_MESSAGE_NULL;
  std::unique_ptr<int[]> data;
  int message = 0;  // that is being sent
  int dest = 0, tag = 0, length = 0, source = 0;
  bool persistent = false;
  bool active = false;
  bool cancelled = false;
  std::unique_ptr<Collective> collective;
};

std::unordered_map<int, Slot> g_slots;
// Buffers of receives that were freed while active.
std::vector<std::unique_ptr<int[]>> g_abandoned;

int value(int message, int i) { return message * 31 + i * 7; }

void fill(int* data, int message, int source, int tag, int length) {
  data[0] = message;
  data[1] = source;
  data[2] = tag;
  data[3] = length;
  for (int i = kHeader; i < length; ++i) data[i] = value(message, i);
}

std::unique_ptr<int[]> buffer(int length) {
  return std::unique_ptr<int[]>(new int[static_cast<size_t>(length)]);
}

// A message has arrived. `status` is null if the call ignored it.
void check(const int* data, const MPI_Status* status) {
  const int length = data[3];
  bool good = length >= kHeader && length <= kLongest;
  for (int i = kHeader; good && i < length; ++i) {
    good = data[i] == value(data[0], i);
  }
  expect(good, "data of a message");
  g_checksum += data[0] * int64_t{17} + length;
  if (status == nullptr) return;
  int count = -1;
  MPI_Get_count(status, MPI_INT, &count);
  expect(count == length, "length of a message");
  expect(status->MPI_SOURCE == data[1] && status->MPI_TAG == data[2],
         "source or tag of a message");
}

void verify(const Collective& c) {
  bool good = c.in.size() >= c.expected.size();
  for (size_t i = 0; good && i < c.expected.size(); ++i) {
    good = c.in[i] == c.expected[i];
    g_checksum += c.in[i];
  }
  expect(good, "result of a collective");
}

// The last call has completed this request.
void completed(int id, const MPI_Status* status) {
  Slot& slot = g_slots[id];
  if (!slot.active) return;
  slot.active = false;
  switch (slot.kind) {
    case Kind::kReceive:
      if (slot.cancelled) {
        int flag = 0;
        if (status != nullptr) MPI_Test_cancelled(status, &flag);
        expect(status == nullptr || flag != 0, "status of a cancelled receive");
        break;
      }
      check(slot.data.get(), status);
      note(kReceived, id, slot.data[0]);
      break;
    case Kind::kSend:
      note(kSendDone, slot.message);
      break;
    case Kind::kCollective:
      note(kCompletes, slot.collective->instance);
      verify(*slot.collective);
      slot.collective.reset();
      break;
    case Kind::kNone:
      break;
  }
  if (!slot.persistent) slot.data.reset();
}

// ---- messages ---------------------------------------------------------------

int source_of(int word) {
  return word == -1 ? MPI_ANY_SOURCE : word == -2 ? MPI_PROC_NULL : word;
}
int dest_of(int word) { return word == -2 ? MPI_PROC_NULL : word; }
int tag_of(int word) { return word == -1 ? MPI_ANY_TAG : word; }

void op_send(Arguments a) {
  const int mode = a.next();
  const Comm& comm = g_comms.at(a.next());
  const int dest = dest_of(a.next());
  const int tag = a.next();
  const int message = a.next();
  const int length = a.next();
  const auto data = buffer(length);
  fill(data.get(), message, comm.rank, tag, length);
  const auto send = mode == 0 ? MPI_Send : mode == 1 ? MPI_Ssend : MPI_Bsend;
  timed([&] { send(data.get(), length, MPI_INT, dest, tag, comm.handle); });
  if (dest == MPI_PROC_NULL) return;
  note(kSent, message);
  note(kSendDone, message);
}

void op_isend(Arguments a) {
  const int mode = a.next();
  Slot& slot = g_slots[a.next()];
  const Comm& comm = g_comms.at(a.next());
  const int dest = a.next();
  const int tag = a.next();
  slot.message = a.next();
  const int length = a.next();
  slot.kind = Kind::kSend;
  slot.active = true;
  slot.data = buffer(length);
  fill(slot.data.get(), slot.message, comm.rank, tag, length);
  const auto send = mode == 0 ? MPI_Isend : mode == 1 ? MPI_Issend : MPI_Ibsend;
  timed([&] {
    send(slot.data.get(), length, MPI_INT, dest, tag, comm.handle,
         &slot.request);
  });
  note(kSent, slot.message);
}

void op_recv(Arguments a) {
  const int id = a.next();
  const Comm& comm = g_comms.at(a.next());
  const int source = source_of(a.next());
  const int tag = tag_of(a.next());
  const bool ignore = a.next() != 0;
  const auto data = buffer(kLongest);
  MPI_Status status;
  timed([&] {
    MPI_Recv(data.get(), kLongest, MPI_INT, source, tag, comm.handle,
             ignore ? MPI_STATUS_IGNORE : &status);
  });
  if (source == MPI_PROC_NULL) return;
  check(data.get(), ignore ? nullptr : &status);
  note(kPosted, id);
  note(kReceived, id, data[0]);
}

void op_irecv(Arguments a) {
  const int id = a.next();
  Slot& slot = g_slots[id];
  const Comm& comm = g_comms.at(a.next());
  const int source = source_of(a.next());
  const int tag = tag_of(a.next());
  slot.kind = Kind::kReceive;
  slot.active = true;
  slot.data = buffer(kLongest);
  timed([&] {
    MPI_Irecv(slot.data.get(), kLongest, MPI_INT, source, tag, comm.handle,
              &slot.request);
  });
  note(kPosted, id);
}

void op_sendrecv(Arguments a) {
  const int id = a.next();
  const bool replace = a.next() != 0;
  const Comm& comm = g_comms.at(a.next());
  const int dest = dest_of(a.next());
  const int send_tag = a.next();
  const int message = a.next();
  const int length = a.next();
  const int source = source_of(a.next());
  const int receive_tag = tag_of(a.next());
  const auto out = buffer(kLongest);
  const auto in = buffer(kLongest);
  MPI_Status status;
  fill(out.get(), message, comm.rank, send_tag, length);
  const int* data = in.get();
  if (replace) {
    data = out.get();
    timed([&] {
      MPI_Sendrecv_replace(out.get(), length, MPI_INT, dest, send_tag, source,
                           receive_tag, comm.handle, &status);
    });
  } else {
    timed([&] {
      MPI_Sendrecv(out.get(), length, MPI_INT, dest, send_tag, in.get(),
                   kLongest, MPI_INT, source, receive_tag, comm.handle,
                   &status);
    });
  }
  if (dest != MPI_PROC_NULL) note(kSent, message);
  if (source == MPI_PROC_NULL) return;
  check(data, &status);
  note(kPosted, id);
  note(kReceived, id, data[0]);
}

void op_send_init(Arguments a) {
  const int mode = a.next();
  Slot& slot = g_slots[a.next()];
  const Comm& comm = g_comms.at(a.next());
  slot.dest = a.next();
  slot.tag = a.next();
  slot.length = a.next();
  slot.source = comm.rank;
  slot.kind = Kind::kSend;
  slot.persistent = true;
  slot.data = buffer(slot.length);
  const auto init = mode == 0   ? MPI_Send_init
                    : mode == 1 ? MPI_Ssend_init
                                : MPI_Bsend_init;
  timed([&] {
    init(slot.data.get(), slot.length, MPI_INT, slot.dest, slot.tag,
         comm.handle, &slot.request);
  });
}

void op_recv_init(Arguments a) {
  Slot& slot = g_slots[a.next()];
  const Comm& comm = g_comms.at(a.next());
  const int source = source_of(a.next());
  const int tag = tag_of(a.next());
  slot.kind = Kind::kReceive;
  slot.persistent = true;
  slot.data = buffer(kLongest);
  timed([&] {
    MPI_Recv_init(slot.data.get(), kLongest, MPI_INT, source, tag, comm.handle,
                  &slot.request);
  });
}

void note_started(int id) {
  Slot& slot = g_slots[id];
  slot.active = true;
  if (slot.kind == Kind::kSend) {
    note(kSent, slot.message);
  } else {
    note(kPosted, id);
  }
}

void op_start(Arguments a) {
  const bool all = a.next() != 0;
  const Ints words = a.list();  // slot, message, slot, message, ...
  std::vector<MPI_Request> requests;
  for (size_t i = 0; i < words.size(); i += 2) {
    Slot& slot = g_slots[words[i]];
    if (slot.kind == Kind::kSend) {
      slot.message = words[i + 1];
      fill(slot.data.get(), slot.message, slot.source, slot.tag, slot.length);
    }
    requests.push_back(slot.request);
  }
  if (all) {
    timed([&] {
      MPI_Startall(static_cast<int>(requests.size()), requests.data());
    });
    for (size_t i = 0; i < words.size(); i += 2) note_started(words[i]);
    return;
  }
  for (size_t i = 0; i < words.size(); i += 2) {
    timed([&] { MPI_Start(&requests[i / 2]); });
    note_started(words[i]);
  }
}

void op_mprobe(Arguments a) {
  const int id = a.next();
  const bool poll = a.next() != 0;
  const Comm& comm = g_comms.at(a.next());
  const int source = source_of(a.next());
  const int tag = tag_of(a.next());
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  if (poll) {
    for (int flag = 0; flag == 0;) {
      timed([&] {
        MPI_Improbe(source, tag, comm.handle, &flag, &message, &status);
      });
      if (flag == 0) breathe();
    }
  } else {
    timed([&] { MPI_Mprobe(source, tag, comm.handle, &message, &status); });
  }
  note(kMatched, id);
  g_slots[id].matched = message;
}

void op_mrecv(Arguments a) {
  const int id = a.next();
  Slot& slot = g_slots[id];
  const auto data = buffer(kLongest);
  MPI_Status status;
  timed([&] {
    MPI_Mrecv(data.get(), kLongest, MPI_INT, &slot.matched, &status);
  });
  check(data.get(), &status);
  note(kTakes, id);
  note(kReceived, id, data[0]);
}

void op_imrecv(Arguments a) {
  const int id = a.next();
  Slot& slot = g_slots[id];
  slot.kind = Kind::kReceive;
  slot.active = true;
  slot.data = buffer(kLongest);
  timed([&] {
    MPI_Imrecv(slot.data.get(), kLongest, MPI_INT, &slot.matched,
               &slot.request);
  });
  note(kTakes, id);
}

// Probes, then receives the message that was found.
void op_probe_recv(Arguments a) {
  const int id = a.next();
  const bool poll = a.next() != 0;
  const Comm& comm = g_comms.at(a.next());
  const int source = source_of(a.next());
  const int tag = tag_of(a.next());
  MPI_Status status;
  if (poll) {
    for (int flag = 0; flag == 0;) {
      timed([&] { MPI_Iprobe(source, tag, comm.handle, &flag, &status); });
      if (flag == 0) breathe();
    }
  } else {
    timed([&] { MPI_Probe(source, tag, comm.handle, &status); });
  }
  const auto data = buffer(kLongest);
  timed([&] {
    MPI_Recv(data.get(), kLongest, MPI_INT, status.MPI_SOURCE, status.MPI_TAG,
             comm.handle, &status);
  });
  check(data.get(), &status);
  note(kPosted, id);
  note(kReceived, id, data[0]);
}

// ---- completion -------------------------------------------------------------

enum Method {
  kWaitall,
  kWaitany,
  kWaitsome,
  kTestall,
  kTestany,
  kTestsome,
  kWaitEach,
  kTestEach,
  kPeekEach,
  // These complete some, or one, or none.
  kWaitanyOnce,
  kWaitsomeOnce,
  kTestanyOnce,
  kTestsomeOnce,
};

void op_finish(Arguments a) {
  const int method = a.next();
  const bool ignore = a.next() != 0;
  const Ints ids = a.list();
  const int n = static_cast<int>(ids.size());
  std::vector<MPI_Request> requests;
  for (const int id : ids) requests.push_back(g_slots[id].request);
  std::vector<MPI_Status> statuses(ids.size());
  Ints indices(ids.size());
  MPI_Status* const all = ignore ? MPI_STATUSES_IGNORE : statuses.data();
  MPI_Status* const one = ignore ? MPI_STATUS_IGNORE : statuses.data();
  const auto at = [&](int i) { return ids[static_cast<size_t>(i)]; };
  const auto done = [&](int i, int s) {
    completed(at(i), ignore ? nullptr : &statuses[static_cast<size_t>(s)]);
  };
  const auto some_active = [&] {
    return std::any_of(ids.begin(), ids.end(),
                       [](int id) { return g_slots[id].active; });
  };
  switch (method) {
    case kWaitall:
      timed([&] { MPI_Waitall(n, requests.data(), all); });
      for (int i = 0; i < n; ++i) done(i, i);
      break;
    case kTestall:
      for (int flag = 0; flag == 0;) {
        timed([&] { MPI_Testall(n, requests.data(), &flag, all); });
        if (flag == 0) breathe();
      }
      for (int i = 0; i < n; ++i) done(i, i);
      break;
    case kWaitany:
    case kWaitanyOnce:
      while (some_active()) {
        int index = MPI_UNDEFINED;
        timed([&] { MPI_Waitany(n, requests.data(), &index, one); });
        expect(index != MPI_UNDEFINED, "index of Waitany");
        if (index == MPI_UNDEFINED) break;
        done(index, 0);
        if (method == kWaitanyOnce) break;
      }
      break;
    case kTestany:
    case kTestanyOnce:
      while (some_active()) {
        int index = MPI_UNDEFINED;
        int flag = 0;
        timed([&] { MPI_Testany(n, requests.data(), &index, &flag, one); });
        if (flag != 0 && index != MPI_UNDEFINED) done(index, 0);
        if (method == kTestanyOnce) break;
        if (flag == 0) breathe();
      }
      break;
    case kWaitsome:
    case kTestsome:
    case kWaitsomeOnce:
    case kTestsomeOnce: {
      const bool wait = method == kWaitsome || method == kWaitsomeOnce;
      while (some_active()) {
        int count = 0;
        timed([&] {
          (wait ? MPI_Waitsome : MPI_Testsome)(n, requests.data(), &count,
                                               indices.data(), all);
        });
        expect(count != MPI_UNDEFINED, "count of Waitsome");
        for (int s = 0; s < count; ++s)
          done(indices[static_cast<size_t>(s)], s);
        if (method == kWaitsomeOnce || method == kTestsomeOnce) break;
        if (count <= 0) breathe();
      }
      break;
    }
    default:
      for (int i = 0; i < n; ++i) {
        MPI_Request* const request = &requests[static_cast<size_t>(i)];
        if (!g_slots[at(i)].active) continue;
        if (method == kTestEach) {
          for (int flag = 0; flag == 0;) {
            timed([&] { MPI_Test(request, &flag, one); });
            if (flag == 0) breathe();
          }
          done(i, 0);
          continue;
        }
        if (method == kPeekEach) {
          for (int flag = 0; flag == 0;) {
            timed([&] { MPI_Request_get_status(*request, &flag, one); });
            if (flag == 0) breathe();
          }
          // The edge belongs to this call, which completes nothing: the request
          // stays.
          done(i, 0);
        }
        timed([&] { MPI_Wait(request, one); });
        done(i, 0);
      }
  }
  for (int i = 0; i < n; ++i) {
    g_slots[at(i)].request = requests[static_cast<size_t>(i)];
  }
}

void op_cancel(Arguments a) {
  Slot& slot = g_slots[a.next()];
  slot.cancelled = true;
  timed([&] { MPI_Cancel(&slot.request); });
}

void op_free(Arguments a) {
  Slot& slot = g_slots[a.next()];
  if (slot.request == MPI_REQUEST_NULL) return;
  timed([&] { MPI_Request_free(&slot.request); });
  if (slot.active && slot.data) g_abandoned.push_back(std::move(slot.data));
  slot.active = false;
}

// ---- communicators ----------------------------------------------------------

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
  timed([&] { MPI_Comm_create_group(parent, some, tag, &handle); });
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

// ---- collectives ------------------------------------------------------------

const char* const kCollectives[] = {"barrier",
                                    "bcast",
                                    "scatter",
                                    "scatterv",
                                    "gather",
                                    "gatherv",
                                    "reduce",
                                    "allreduce",
                                    "allgather",
                                    "allgatherv",
                                    "alltoall",
                                    "alltoallv",
                                    "alltoallw",
                                    "reduce_scatter",
                                    "reduce_scatter_block",
                                    "scan",
                                    "exscan",
                                    "neighbor_allgather",
                                    "neighbor_allgatherv",
                                    "neighbor_alltoall",
                                    "neighbor_alltoallv",
                                    "neighbor_alltoallw"};

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
  MPI_Request* const r = &request;
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
  const auto call = [&](auto blocking, auto nonblocking) {
    // All buffers are ready, so that only the call itself is timed.
    if (later) {
      timed(nonblocking);
    } else {
      timed(blocking);
    }
  };

  if (kind == "barrier") {
    call([&] { MPI_Barrier(h); }, [&] { MPI_Ibarrier(h, r); });
  } else if (kind == "bcast") {
    add(c.expected, root, 0, count);
    room();
    if (me == root)
      std::copy(c.expected.begin(), c.expected.end(), c.in.begin());
    call([&] { MPI_Bcast(c.in.data(), count, type, root, h); },
         [&] { MPI_Ibcast(c.in.data(), count, type, root, h, r); });
  } else if (kind == "scatter") {
    for (int q = 0; me == root && q < n; ++q) add(c.out, root, q, count);
    add(c.expected, root, me, count);
    room();
    call(
        [&] {
          MPI_Scatter(c.out.data(), count, type, c.in.data(), count, type, root,
                      h);
        },
        [&] {
          MPI_Iscatter(c.out.data(), count, type, c.in.data(), count, type,
                       root, h, r);
        });
  } else if (kind == "scatterv") {
    for (int q = 0; me == root && q < n; ++q) {
      c.out_counts.push_back(count_of(q));
      add(c.out, root, q, count_of(q));
    }
    add(c.expected, root, me, count_of(me));
    vectors();
    call(
        [&] {
          MPI_Scatterv(c.out.data(), c.out_counts.data(), c.out_displs.data(),
                       type, c.in.data(), count_of(me), type, root, h);
        },
        [&] {
          MPI_Iscatterv(c.out.data(), c.out_counts.data(), c.out_displs.data(),
                        type, c.in.data(), count_of(me), type, root, h, r);
        });
  } else if (kind == "gather") {
    add(c.out, me, root, count);
    for (int p = 0; me == root && p < n; ++p) add(c.expected, p, root, count);
    room();
    call(
        [&] {
          MPI_Gather(c.out.data(), count, type, c.in.data(), count, type, root,
                     h);
        },
        [&] {
          MPI_Igather(c.out.data(), count, type, c.in.data(), count, type, root,
                      h, r);
        });
  } else if (kind == "gatherv") {
    add(c.out, me, root, count_of(me));
    for (int p = 0; me == root && p < n; ++p) {
      c.in_counts.push_back(count_of(p));
      add(c.expected, p, root, count_of(p));
    }
    vectors();
    call(
        [&] {
          MPI_Gatherv(c.out.data(), count_of(me), type, c.in.data(),
                      c.in_counts.data(), c.in_displs.data(), type, root, h);
        },
        [&] {
          MPI_Igatherv(c.out.data(), count_of(me), type, c.in.data(),
                       c.in_counts.data(), c.in_displs.data(), type, root, h,
                       r);
        });
  } else if (kind == "reduce") {
    add(c.out, me, 0, count);
    if (me == root) sum(0, n - 1, 0, count);
    room();
    call(
        [&] {
          MPI_Reduce(c.out.data(), c.in.data(), count, type, MPI_SUM, root, h);
        },
        [&] {
          MPI_Ireduce(c.out.data(), c.in.data(), count, type, MPI_SUM, root, h,
                      r);
        });
  } else if (kind == "allreduce") {
    add(c.out, me, 0, count);
    sum(0, n - 1, 0, count);
    room();
    const void* out = c.out.data();
    if (salt % 3 == 0) {
      std::copy(c.out.begin(), c.out.end(), c.in.begin());
      out = MPI_IN_PLACE;
    }
    call([&] { MPI_Allreduce(out, c.in.data(), count, type, MPI_SUM, h); },
         [&] { MPI_Iallreduce(out, c.in.data(), count, type, MPI_SUM, h, r); });
  } else if (kind == "allgather") {
    add(c.out, me, 0, count);
    for (int p = 0; p < n; ++p) add(c.expected, p, 0, count);
    room();
    call(
        [&] {
          MPI_Allgather(c.out.data(), count, type, c.in.data(), count, type, h);
        },
        [&] {
          MPI_Iallgather(c.out.data(), count, type, c.in.data(), count, type, h,
                         r);
        });
  } else if (kind == "allgatherv") {
    add(c.out, me, 0, count_of(me));
    for (int p = 0; p < n; ++p) {
      c.in_counts.push_back(count_of(p));
      add(c.expected, p, 0, count_of(p));
    }
    vectors();
    call(
        [&] {
          MPI_Allgatherv(c.out.data(), count_of(me), type, c.in.data(),
                         c.in_counts.data(), c.in_displs.data(), type, h);
        },
        [&] {
          MPI_Iallgatherv(c.out.data(), count_of(me), type, c.in.data(),
                          c.in_counts.data(), c.in_displs.data(), type, h, r);
        });
  } else if (kind == "alltoall") {
    for (int q = 0; q < n; ++q) add(c.out, me, q, count);
    for (int p = 0; p < n; ++p) add(c.expected, p, me, count);
    room();
    call(
        [&] {
          MPI_Alltoall(c.out.data(), count, type, c.in.data(), count, type, h);
        },
        [&] {
          MPI_Ialltoall(c.out.data(), count, type, c.in.data(), count, type, h,
                        r);
        });
  } else if (kind == "alltoallv" || kind == "alltoallw") {
    for (int q = 0; q < n; ++q) {
      c.out_counts.push_back(count_of(me, q));
      c.in_counts.push_back(count_of(q, me));
      add(c.out, me, q, count_of(me, q));
      add(c.expected, q, me, count_of(q, me));
    }
    vectors();
    if (kind == "alltoallv") {
      call(
          [&] {
            MPI_Alltoallv(c.out.data(), c.out_counts.data(),
                          c.out_displs.data(), type, c.in.data(),
                          c.in_counts.data(), c.in_displs.data(), type, h);
          },
          [&] {
            MPI_Ialltoallv(c.out.data(), c.out_counts.data(),
                           c.out_displs.data(), type, c.in.data(),
                           c.in_counts.data(), c.in_displs.data(), type, h, r);
          });
    } else {
      c.types.assign(static_cast<size_t>(n), type);
      for (int& d : c.out_displs) d *= static_cast<int>(sizeof(int));
      for (int& d : c.in_displs) d *= static_cast<int>(sizeof(int));
      call(
          [&] {
            MPI_Alltoallw(c.out.data(), c.out_counts.data(),
                          c.out_displs.data(), c.types.data(), c.in.data(),
                          c.in_counts.data(), c.in_displs.data(),
                          c.types.data(), h);
          },
          [&] {
            MPI_Ialltoallw(c.out.data(), c.out_counts.data(),
                           c.out_displs.data(), c.types.data(), c.in.data(),
                           c.in_counts.data(), c.in_displs.data(),
                           c.types.data(), h, r);
          });
    }
  } else if (kind == "reduce_scatter") {
    for (int q = 0; q < n; ++q) {
      c.in_counts.push_back(count_of(q));
      add(c.out, me, q, count_of(q));
    }
    sum(0, n - 1, me, count_of(me));
    vectors();
    call(
        [&] {
          MPI_Reduce_scatter(c.out.data(), c.in.data(), c.in_counts.data(),
                             type, MPI_SUM, h);
        },
        [&] {
          MPI_Ireduce_scatter(c.out.data(), c.in.data(), c.in_counts.data(),
                              type, MPI_SUM, h, r);
        });
  } else if (kind == "reduce_scatter_block") {
    for (int q = 0; q < n; ++q) add(c.out, me, q, count);
    sum(0, n - 1, me, count);
    room();
    call(
        [&] {
          MPI_Reduce_scatter_block(c.out.data(), c.in.data(), count, type,
                                   MPI_SUM, h);
        },
        [&] {
          MPI_Ireduce_scatter_block(c.out.data(), c.in.data(), count, type,
                                    MPI_SUM, h, r);
        });
  } else if (kind == "scan") {
    add(c.out, me, 0, count);
    sum(0, me, 0, count);
    room();
    call([&] { MPI_Scan(c.out.data(), c.in.data(), count, type, MPI_SUM, h); },
         [&] {
           MPI_Iscan(c.out.data(), c.in.data(), count, type, MPI_SUM, h, r);
         });
  } else if (kind == "exscan") {
    add(c.out, me, 0, count);
    // The standard leaves the buffer of rank 0 undefined.
    if (me > 0) sum(0, me - 1, 0, count);
    room();
    c.in.resize(static_cast<size_t>(count) + 1, -1);
    call(
        [&] { MPI_Exscan(c.out.data(), c.in.data(), count, type, MPI_SUM, h); },
        [&] {
          MPI_Iexscan(c.out.data(), c.in.data(), count, type, MPI_SUM, h, r);
        });
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
      call(
          [&] {
            MPI_Neighbor_allgather(c.out.data(), mine, type, c.in.data(), count,
                                   type, h);
          },
          [&] {
            MPI_Ineighbor_allgather(c.out.data(), mine, type, c.in.data(),
                                    count, type, h, r);
          });
    } else if (kind == "neighbor_allgatherv") {
      call(
          [&] {
            MPI_Neighbor_allgatherv(c.out.data(), mine, type, c.in.data(),
                                    c.in_counts.data(), c.in_displs.data(),
                                    type, h);
          },
          [&] {
            MPI_Ineighbor_allgatherv(c.out.data(), mine, type, c.in.data(),
                                     c.in_counts.data(), c.in_displs.data(),
                                     type, h, r);
          });
    } else if (kind == "neighbor_alltoall") {
      call(
          [&] {
            MPI_Neighbor_alltoall(c.out.data(), count, type, c.in.data(), count,
                                  type, h);
          },
          [&] {
            MPI_Ineighbor_alltoall(c.out.data(), count, type, c.in.data(),
                                   count, type, h, r);
          });
    } else if (kind == "neighbor_alltoallv") {
      call(
          [&] {
            MPI_Neighbor_alltoallv(
                c.out.data(), c.out_counts.data(), c.out_displs.data(), type,
                c.in.data(), c.in_counts.data(), c.in_displs.data(), type, h);
          },
          [&] {
            MPI_Ineighbor_alltoallv(c.out.data(), c.out_counts.data(),
                                    c.out_displs.data(), type, c.in.data(),
                                    c.in_counts.data(), c.in_displs.data(),
                                    type, h, r);
          });
    } else {
      call(
          [&] {
            MPI_Neighbor_alltoallw(c.out.data(), c.out_counts.data(),
                                   c.out_bytes.data(), c.types.data(),
                                   c.in.data(), c.in_counts.data(),
                                   c.in_bytes.data(), c.types.data(), h);
          },
          [&] {
            MPI_Ineighbor_alltoallw(c.out.data(), c.out_counts.data(),
                                    c.out_bytes.data(), c.types.data(),
                                    c.in.data(), c.in_counts.data(),
                                    c.in_bytes.data(), c.types.data(), h, r);
          });
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

// ---- the rest ---------------------------------------------------------------

void op_work(Arguments a) {
  const double us = a.next() * g_sleep_scale;
  nap(static_cast<int64_t>(us));
}

using Function = std::function<void(Arguments)>;

std::map<std::string, Function> functions() {
  std::map<std::string, Function> all = {
      {"work", op_work},
      {"send", op_send},
      {"isend", op_isend},
      {"recv", op_recv},
      {"irecv", op_irecv},
      {"sendrecv", op_sendrecv},
      {"send_init", op_send_init},
      {"recv_init", op_recv_init},
      {"start", op_start},
      {"mprobe", op_mprobe},
      {"mrecv", op_mrecv},
      {"imrecv", op_imrecv},
      {"probe_recv", op_probe_recv},
      {"finish", op_finish},
      {"cancel", op_cancel},
      {"free", op_free},
      {"dup", op_dup},
      {"split", op_split},
      {"group", op_group},
      {"cart", op_cart},
      {"graph", op_graph},
      {"drop", op_drop},
  };
  for (const char* kind : kCollectives) {
    const std::string name = kind;
    all[name] = [name](Arguments a) { collective(name, a); };
  }
  return all;
}

struct Step {
  const Line* line;
  const Function* function;  // null: a region's begin or end
};

// The lines of one rank: those behind "rank <rank>".
std::vector<Line> read_script(const char* path, int rank) {
  std::ifstream file(path);
  std::vector<Line> lines;
  std::string text;
  bool mine = false;
  for (int number = 1; std::getline(file, text); ++number) {
    std::istringstream words(text);
    Line line;
    line.number = number;
    if (!(words >> line.name)) continue;
    if (line.name == "rank") {
      int of = -1;
      words >> of;
      mine = of == rank;
      continue;
    }
    if (!mine) continue;
    if (line.name == "open" || line.name == "close") words >> line.text;
    for (int word; words >> word;) line.args.push_back(word);
    lines.push_back(line);
  }
  return lines;
}

void map_position(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || ftruncate(file, sizeof(int32_t)) != 0) return;
  void* const memory = mmap(nullptr, sizeof(int32_t), PROT_READ | PROT_WRITE,
                            MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) g_at = static_cast<int32_t*>(memory);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  g_records.reserve(1 << 16);
  g_entries.reserve(1 << 16);
  const std::map<std::string, Function> all = functions();
  constexpr int kAttached = 16 << 20;
  std::vector<char> attached(kAttached + MPI_BSEND_OVERHEAD);
  MPI_Init(&argc, &argv);
  const int64_t begin = now();
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  g_records.push_back({0, begin, begin, 0});
  const std::string trace = argv[2];
  const std::string suffix = "." + std::to_string(g_rank);
  g_sleep_scale = std::atof(argv[3]) / 100;
  if (trace != "-") map_position(trace + suffix + ".at");
  const std::vector<Line> lines = read_script(argv[1], g_rank);
  std::vector<Step> steps;
  for (const Line& line : lines) {
    const auto found = all.find(line.name);
    steps.push_back({&line, found == all.end() ? nullptr : &found->second});
    if (found == all.end() && line.text.empty()) {
      std::fprintf(stderr, "line %d: what is %s?\n", line.number,
                   line.name.c_str());
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
  }
  add_comm(0, MPI_COMM_WORLD);
  MPI_Buffer_attach(attached.data(), static_cast<int>(attached.size()));
  for (const Step& step : steps) {
    g_line = step.line->number;
    *g_at = g_line;
    if (step.function != nullptr) {
      (*step.function)(Arguments(step.line->args));
      continue;
    }
    const bool opens = step.line->name == "open";
    const char* const name = step.line->text.c_str();
    timed([&] { opens ? pop_region_start(name) : pop_region_stop(name); });
    note(opens ? kOpens : kCloses, 0);
  }
  void* buffer_address = nullptr;
  int buffer_size = 0;
  timed([&] { MPI_Buffer_detach(&buffer_address, &buffer_size); });
  const int64_t end = now();
  g_records.push_back({0, end, end, g_entries.size()});
  MPI_Finalize();
  std::printf("rank %d: %lld\n", g_rank, static_cast<long long>(g_checksum));
  if (trace != "-") write_trace(trace + suffix);
  return g_errors == 0 ? 0 : 1;
}
