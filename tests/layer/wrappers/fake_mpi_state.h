// What the fake MPI library keeps: messages, requests, communicators, and what
// a test has asked for. Only for the files fake_mpi*.cc.
#ifndef POPRT_TESTS_FAKE_MPI_STATE_H_
#define POPRT_TESTS_FAKE_MPI_STATE_H_

#include <gtest/gtest.h>

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "fake_mpi.h"
#include "wrappers/handle_table.h"

namespace fake {

using poprt::ClockMessage;
using poprt::mpi::key_of;

struct Message {
  int source;
  int tag;
  std::string bytes;
};

struct CommState {
  int rank = 0;
  int size = 1;
  bool inter = false;
  bool freed = false;
  MPI_Comm created_from{};
  bool by_create = false;
  std::list<Message> inbox;
};

struct Request {
  enum Kind { kSend, kReceive, kCollective } kind = kSend;
  bool persistent = false;
  bool active = true;
  bool complete = false;
  bool cancelled = false;
  bool held = false;
  MPI_Comm comm{};
  int peer = 0;
  int tag = 0;
  void* buffer = nullptr;
  size_t size = 0;
  MPI_Status status{};
};
using RequestPtr = std::shared_ptr<Request>;

// How much a message has: in the status, where each MPI library keeps it.
void set_size(MPI_Status* status, size_t bytes);
size_t size_of(const MPI_Status& status);

struct Library {
  int level = MPI_THREAD_SINGLE;
  bool initialized = false;
  std::vector<Call> calls;
  std::vector<std::string> sent;
  std::map<uintptr_t, CommState> comms;
  std::map<uintptr_t, std::deque<RequestPtr>> requests;
  std::map<uintptr_t, Message> matched;  // by MPI_Improbe
  std::list<RequestPtr> posted;          // receives, in the order of posting
  std::map<uintptr_t, MPI_User_function*> ops;
  std::map<uintptr_t, int> types;
  std::map<uintptr_t, std::vector<int>> groups;  // ranks of the world
  std::string leaves;
  std::jmp_buf* leaves_to = nullptr;
  std::map<std::string, int> failures;
  std::map<std::string, int64_t> durations;
  std::map<int, int> request_failures;
  ClockMessage others;
  bool hold_collectives = false;
  bool hold_sends = false;
  bool nest = false;
  bool one_node = false;
  bool share = false;
  bool refuse = false;
  bool refuse_carrier = false;
  std::vector<int>
      ranks;  // the next communicator's processes, by rank among all
  MPI_Request shared{};
  long next = 1000;
  int time_ms = 0;
};

extern Library* g_library;
extern poprt::Process* g_process;
extern poprt::Transport* g_transport;
inline Library& lib() { return *g_library; }

template <class Handle>
Handle new_handle() {
  const long id = 16 * ++lib().next;
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<Handle>(id);
  } else {
    return static_cast<Handle>(id);
  }
}

// Notes the call; returns MPI_SUCCESS, or the error that the test asked for.
int note(const char* name, MPI_Comm comm, int peer = 0, int tag = 0,
         const void* buffer = nullptr);

// A test that finds nothing takes a millisecond.
void pass_time();

size_t bytes_of(int count, MPI_Datatype type);
CommState& state_of(MPI_Comm comm);
// The same; a failure of the test if the communicator was freed.
CommState& live_comm(MPI_Comm comm);
int new_comm(MPI_Comm from, bool by_create, MPI_Comm* created);

// Whether a message has what a receive wants.
bool matches(int wanted, int any, int got);
// The message becomes the receive's.
void fill(Request& request, const Message& message);
// Whether a message was there for the receive.
bool match(Request& request);

RequestPtr make(Request::Kind kind, MPI_Comm comm, const void* buffer,
                int count, MPI_Datatype type, int peer, int tag);
MPI_Request add(RequestPtr request);
void begin(const RequestPtr& request);
// The request of a handle, the oldest if it has several; null if it has none.
RequestPtr front(MPI_Request handle);
// A request that completes when collectives are not held back.
int start_collective(const char* name, MPI_Comm comm, int root,
                     MPI_Request* handle);

}  // namespace fake

#endif  // POPRT_TESTS_FAKE_MPI_STATE_H_
