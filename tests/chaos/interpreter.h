// What all parts of the interpreter share: the trace, the script, and the
// communicators and requests that the script knows by number.
#ifndef POPRT_TESTS_CHAOS_INTERPRETER_H_
#define POPRT_TESTS_CHAOS_INTERPRETER_H_

#include <mpi.h>
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace chaos {

using Ints = std::vector<int>;

inline int64_t now() {
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

inline std::vector<Record> g_records;
inline std::vector<Entry> g_entries;
inline int32_t g_nowhere = 0;
inline volatile int32_t* g_at = &g_nowhere;

inline int g_line = 0;
inline int g_rank = 0;
inline int g_errors = 0;
inline int64_t g_checksum = 0;
inline double g_sleep_scale = 1;

inline void expect(bool good, const char* what) {
  if (good) return;
  if (g_errors++ < 5) {
    std::fprintf(stderr, "rank %d, line %d: wrong %s\n", g_rank, g_line, what);
  }
}

// A call, with the time that it takes.
template <class Call>
inline void timed(Call call) {
  const int64_t begin = now();
  call();
  const int64_t end = now();
  g_records.push_back({g_line, begin, end, g_entries.size()});
}

// Notes a fact about the last call.
inline void note(Fact fact, int a, int b = 0) {
  g_entries.push_back({fact, a, b});
}

inline void write_trace(const std::string& path) {
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

inline void nap(int64_t us) {
  const timespec t = {us / 1'000'000, us % 1'000'000 * 1000};
  nanosleep(&t, nullptr);
}

// Between two tests for something that has not arrived: gives others the core.
inline void breathe() { nap(300); }

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

inline std::map<int, Comm> g_comms;

inline void add_comm(int id, MPI_Comm handle) {
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

inline constexpr int kLongest = 20000;  // ints of a message
inline constexpr int kHeader = 4;       // message, source, tag, length

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

inline std::unordered_map<int, Slot> g_slots;
// Buffers of receives that were freed while active.
inline std::vector<std::unique_ptr<int[]>> g_abandoned;

inline int value(int message, int i) { return message * 31 + i * 7; }

inline void fill(int* data, int message, int source, int tag, int length) {
  data[0] = message;
  data[1] = source;
  data[2] = tag;
  data[3] = length;
  for (int i = kHeader; i < length; ++i) data[i] = value(message, i);
}

inline std::unique_ptr<int[]> buffer(int length) {
  return std::unique_ptr<int[]>(new int[static_cast<size_t>(length)]);
}

// A message has arrived. `status` is null if the call ignored it.
inline void check(const int* data, const MPI_Status* status) {
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

inline void verify(const Collective& c) {
  bool good = c.in.size() >= c.expected.size();
  for (size_t i = 0; good && i < c.expected.size(); ++i) {
    good = c.in[i] == c.expected[i];
    g_checksum += c.in[i];
  }
  expect(good, "result of a collective");
}

// The last call has completed this request.
inline void completed(int id, const MPI_Status* status) {
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

// ---- operations -------------------------------------------------------------

using Function = std::function<void(Arguments)>;
using Functions = std::map<std::string, Function>;  // by the script's word

void add_messages(Functions* all);
void add_completion(Functions* all);
void add_communicators(Functions* all);
void add_collectives(Functions* all);

}  // namespace chaos

#endif  // POPRT_TESTS_CHAOS_INTERPRETER_H_
