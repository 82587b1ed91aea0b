#include "fake_mpi.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <utility>

#include "measure/events.h"
#include "session/lifecycle.h"
#include "wrappers/handle_table.h"
#include "wrappers/state.h"

namespace fake {
namespace {

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
  std::string leaves;
  std::jmp_buf* leaves_to = nullptr;
  std::map<std::string, int> failures;
  std::map<int, int> request_failures;
  ClockMessage others;
  bool hold_collectives = false;
  bool hold_sends = false;
  bool nest = false;
  bool share = false;
  bool refuse = false;
  bool refuse_carrier = false;
  std::vector<int>
      ranks;  // the next communicator's processes, by rank among all
  MPI_Request shared{};
  long next = 1000;
  int time_ms = 0;
};

Library* g_library = nullptr;
poprt::Process* g_process = nullptr;
poprt::Transport* g_transport = nullptr;
Library& lib() { return *g_library; }

// The state of earlier tests.
struct Past {
  std::vector<std::unique_ptr<Library>> libraries;
  std::vector<std::unique_ptr<poprt::Process>> processes;
  std::vector<poprt::mpi::HandleTable<poprt::mpi::CommInfo>> comms;
  std::vector<poprt::mpi::HandleTable<poprt::mpi::Tracked>> requests;
  std::vector<poprt::mpi::MpiThread*> threads;
};

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
         const void* buffer = nullptr) {
  lib().calls.push_back({name, comm, peer, tag, buffer});
  if (lib().leaves == name) {
    lib().leaves.clear();
    std::longjmp(*lib().leaves_to, 1);
  }
  const auto failure = lib().failures.find(name);
  if (failure == lib().failures.end()) return MPI_SUCCESS;
  const int code = failure->second;
  lib().failures.erase(failure);
  return code;
}

CommState& state_of(MPI_Comm comm) {
  const auto found = lib().comms.find(key_of(comm));
  if (found != lib().comms.end()) return found->second;
  ADD_FAILURE() << "call with an unknown communicator";
  return lib().comms[key_of(MPI_COMM_WORLD)];
}

bool matches(int wanted, int any, int got) {
  return wanted == any || wanted == got;
}

void fill(Request& request, const Message& message) {
  const size_t size = std::min(request.size, message.bytes.size());
  std::memcpy(request.buffer, message.bytes.data(), size);
  request.complete = true;
  request.status.MPI_SOURCE = message.source;
  request.status.MPI_TAG = message.tag;
}

bool match(Request& request) {
  std::list<Message>& inbox = state_of(request.comm).inbox;
  for (auto m = inbox.begin(); m != inbox.end(); ++m) {
    if (!matches(request.peer, MPI_ANY_SOURCE, m->source) ||
        !matches(request.tag, MPI_ANY_TAG, m->tag))
      continue;
    fill(request, *m);
    inbox.erase(m);
    return true;
  }
  return false;
}

MPI_Request add(RequestPtr request) {
  MPI_Request handle = new_handle<MPI_Request>();
  if (lib().share) handle = lib().shared;
  lib().share = false;
  lib().requests[key_of(handle)].push_back(std::move(request));
  return handle;
}

size_t bytes_of(int count, MPI_Datatype type) {
  const auto found = lib().types.find(key_of(type));
  return static_cast<size_t>(count) *
         static_cast<size_t>(found == lib().types.end() ? 4 : found->second);
}

RequestPtr make(Request::Kind kind, MPI_Comm comm, const void* buffer,
                int count, MPI_Datatype type, int peer, int tag) {
  auto request = std::make_shared<Request>();
  request->kind = kind;
  request->comm = comm;
  request->peer = peer;
  request->tag = tag;
  request->buffer = const_cast<void*>(buffer);
  request->size = bytes_of(count, type);
  return request;
}

void begin(const RequestPtr& request) {
  request->active = true;
  request->complete = false;
  request->status.MPI_SOURCE = MPI_ANY_SOURCE;
  if (request->peer == MPI_PROC_NULL) {
    request->complete = true;
    request->status.MPI_SOURCE = MPI_PROC_NULL;
    request->status.MPI_TAG = MPI_ANY_TAG;
  } else if (request->kind == Request::kSend) {
    request->held = lib().hold_sends;
    request->complete = !request->held;
  } else if (!match(*request)) {
    lib().posted.push_back(request);
  }
}

RequestPtr front(MPI_Request handle) {
  const auto found = lib().requests.find(key_of(handle));
  return found == lib().requests.end() ? nullptr : found->second.front();
}

// Completes a request if it is complete; the handle goes, or stays inactive.
bool finish(MPI_Request* handle, MPI_Status* status) {
  if (*handle == MPI_REQUEST_NULL) return true;
  const RequestPtr request = front(*handle);
  if (request == nullptr) {
    ADD_FAILURE() << "a request that does not exist";
    return true;
  }
  if (request->active && !request->complete) return false;
  if (status != MPI_STATUS_IGNORE && status != MPI_STATUSES_IGNORE) {
    status->MPI_SOURCE =
        request->active ? request->status.MPI_SOURCE : MPI_ANY_SOURCE;
    status->MPI_TAG = request->active ? request->status.MPI_TAG : MPI_ANY_TAG;
#if defined(OPEN_MPI)
    status->_cancelled = request->cancelled ? 1 : 0;
#else
    status->count_hi_and_cancelled = request->cancelled ? 1 : 0;
#endif
  }
  if (request->persistent) {
    request->active = false;
    request->cancelled = false;
    return true;
  }
  auto& queue = lib().requests[key_of(*handle)];
  queue.pop_front();
  if (queue.empty()) lib().requests.erase(key_of(*handle));
  *handle = MPI_REQUEST_NULL;
  return true;
}

bool ready(MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL) return false;
  const RequestPtr request = front(handle);
  return request != nullptr && request->active && request->complete;
}

bool pending(MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL) return false;
  const RequestPtr request = front(handle);
  return request != nullptr && request->active && !request->complete;
}

void pass_time() {
  ++lib().time_ms;
  poprt::time_source::t_fake_now_ns += 1'000'000;
}

MPI_Status* at(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
}

void combine_others(const void* out, void* in, int count, MPI_Datatype type,
                    MPI_Op op) {
  std::memcpy(in, out, bytes_of(count, type));
  const auto found = lib().ops.find(key_of(op));
  if (found == lib().ops.end()) {
    if (lib().refuse && op == MPI_MIN) {
      constexpr int kRoom = 0;
      constexpr int kCarrier = 3;
      static_cast<int*>(in)[kRoom] = 0;
      if (lib().refuse_carrier) static_cast<int*>(in)[kCarrier] = 0;
      lib().refuse = false;
    }
    return;
  }
  int one = 1;
  ClockMessage others = lib().others;
  found->second(&others, in, &one, &type);
}

int start_collective(const char* name, MPI_Comm comm, int root,
                     MPI_Request* handle) {
  const int code = note(name, comm, root);
  if (code != MPI_SUCCESS) return code;
  auto request = std::make_shared<Request>();
  request->kind = Request::kCollective;
  request->comm = comm;
  request->held = lib().hold_collectives;
  request->complete = !request->held;
  *handle = add(request);
  return MPI_SUCCESS;
}

int new_comm(MPI_Comm from, bool by_create, MPI_Comm* created) {
  CommState state;
  state.rank = state_of(from).rank;
  state.size = state_of(from).size;
  state.created_from = from;
  state.by_create = by_create;
  *created = new_handle<MPI_Comm>();
  lib().comms[key_of(*created)] = state;
  return MPI_SUCCESS;
}

}  // namespace

const std::vector<Call>& calls() { return lib().calls; }
void forget_calls() { lib().calls.clear(); }

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const Call& call : lib().calls) list.push_back(call.name);
  return list;
}

void reset(int rank, int size, int thread_level) {
  // Earlier state is kept, because the wrappers hold addresses in it.
  static Past* const past = new Past;
  g_library = past->libraries.emplace_back(std::make_unique<Library>()).get();
  g_process =
      past->processes.emplace_back(std::make_unique<poprt::Process>()).get();
  lib().level = thread_level;
  CommState world;
  world.rank = rank;
  world.size = size;
  lib().comms[key_of(MPI_COMM_WORLD)] = world;
  world.rank = 0;
  world.size = 1;
  lib().comms[key_of(MPI_COMM_SELF)] = world;
  lib().types[key_of(MPI_BYTE)] = 1;
  lib().types[key_of(MPI_INT)] = 4;
  lib().others.count = lib().others.incomplete = 0;

  poprt::time_source::t_fake_now_ns = 0;
  poprt::t_thread = nullptr;
  poprt::g_phase.store(poprt::Phase::kDormant);
  poprt::mpi::g_active.store(false);
  poprt::mpi::Job& job = poprt::mpi::job();
  past->comms.push_back(std::exchange(job.comms.by_handle, {}));
  for (poprt::mpi::RequestShard& shard : job.requests.shards) {
    past->requests.push_back(std::exchange(shard.table, {}));
  }
  past->threads.push_back(job.threads);
  job.windows.by_handle = {};
  job.everybody = nullptr;
  job.threads = nullptr;
  job.comms.shadows = 0;
  job.sharing.by_key = {};
  job.comms.tainted_shadows.clear();
  job.comms.unfinished = 0;
  job.posted_wildcards = 0;
  ++job.comms.generation;
}

poprt::Process& process() { return *g_process; }
poprt::Transport& transport() { return *g_transport; }
const std::vector<std::string>& sent() { return lib().sent; }
int& time_ms() { return lib().time_ms; }

bool has_shadow(MPI_Comm comm) {
  for (const auto& [key, state] : lib().comms) {
    if (state.by_create && !state.freed && state.created_from == comm)
      return true;
  }
  return false;
}

MPI_Comm shadow_of(MPI_Comm comm) {
  for (const auto& [key, state] : lib().comms) {
    if (!state.by_create || state.created_from != comm) continue;
    MPI_Comm shadow;
    if constexpr (std::is_pointer_v<MPI_Comm>) {
      std::memcpy(&shadow, &key, sizeof shadow);
    } else {
      const auto value = static_cast<int>(key);
      std::memcpy(&shadow, &value, sizeof shadow);
    }
    return shadow;
  }
  ADD_FAILURE() << "no shadow";
  return MPI_COMM_SELF;
}

bool is_freed(MPI_Comm comm) { return lib().comms[key_of(comm)].freed; }

MPI_Comm new_intercomm() {
  MPI_Comm comm;
  new_comm(MPI_COMM_WORLD, false, &comm);
  state_of(comm).inter = true;
  return comm;
}

MPI_Comm new_unknown_comm() {
  MPI_Comm comm;
  new_comm(MPI_COMM_WORLD, false, &comm);
  return comm;
}

void deliver(MPI_Comm comm, int source, int tag, const void* bytes,
             size_t size) {
  const Message message{source, tag,
                        std::string(static_cast<const char*>(bytes), size)};
  std::list<RequestPtr>& posted = lib().posted;
  for (auto r = posted.begin(); r != posted.end(); ++r) {
    Request& request = **r;
    if (request.comm != comm ||
        !matches(request.peer, MPI_ANY_SOURCE, source) ||
        !matches(request.tag, MPI_ANY_TAG, tag)) {
      continue;
    }
    fill(request, message);
    posted.erase(r);
    return;
  }
  state_of(comm).inbox.push_back(message);
}

void deliver_int(MPI_Comm comm, int source, int tag, int value) {
  deliver(comm, source, tag, &value, sizeof value);
}

ClockMessage clocks(int64_t ns, int regions) {
  ClockMessage message;
  message.count = message.incomplete = 0;
  for (int i = 0; i < regions; ++i) {
    const std::string name = i == 0 ? "Global" : "region" + std::to_string(i);
    poprt::ClockEntry entry;
    entry.region = poprt::text_hash(name.data(), name.size());
    entry.cue_ns = entry.com_ns = entry.coo_ns = entry.all_ns = ns;
    message.raise(entry, ClockMessage::kCapacity);
  }
  return message;
}

void deliver_clocks(MPI_Comm comm, int source, int tag, int64_t ns,
                    int regions) {
  const ClockMessage message = clocks(ns, regions);
  deliver(shadow_of(comm), source, tag, &message, message.bytes());
}

void deliver_both(MPI_Comm comm, int source, int tag, int value, int64_t ns) {
  deliver_clocks(comm, source, tag, ns);
  deliver_int(comm, source, tag, value);
}

size_t unread(MPI_Comm comm) { return state_of(comm).inbox.size(); }
void set_others(const ClockMessage& message) { lib().others = message; }

void hold_collectives(bool hold) {
  lib().hold_collectives = hold;
  if (hold) return;
  for (auto& [key, queue] : lib().requests) {
    for (const RequestPtr& r : queue)
      r->complete = r->complete || r->kind == Request::kCollective;
  }
}

void hold_new_sends(bool hold) { lib().hold_sends = hold; }

void hold_sends(bool hold) {
  lib().hold_sends = hold;
  if (hold) return;
  for (auto& [key, queue] : lib().requests) {
    for (const RequestPtr& r : queue)
      r->complete = r->complete || r->kind == Request::kSend;
  }
}

void leave(const std::string& name, std::jmp_buf* to) {
  lib().leaves = name;
  lib().leaves_to = to;
}
void fail(const std::string& name, int code) { lib().failures[name] = code; }
void fail_request(int index, int code) { lib().request_failures[index] = code; }
void refuse_next_shadow(bool carrier_too) {
  lib().refuse = true;
  lib().refuse_carrier = carrier_too;
}
void place_next_comm(const std::vector<int>& ranks) { lib().ranks = ranks; }
void nest_calls(bool nest) { lib().nest = nest; }
void share_handle(MPI_Request handle) {
  lib().share = true;
  lib().shared = handle;
}
size_t open_requests() {
  size_t count = 0;
  for (const auto& [key, queue] : lib().requests) count += queue.size();
  return count;
}

}  // namespace fake

// ---- stand-ins for the library's runtime layer ------------------------------

namespace poprt {

std::atomic<Phase> g_phase{Phase::kDormant};
thread_local constinit Thread* t_thread = nullptr;
Process& measured_process() { return fake::process(); }
Thread& register_thread(ThreadKind kind) {
  if (t_thread == nullptr)
    t_thread = &measured_process().add_thread(kind, now_ns());
  return *t_thread;
}

namespace lifecycle {

bool start() {
  register_thread(ThreadKind::kProgram);
  g_phase.store(Phase::kMeasuring);
  return true;
}
void mpi_starting() {}
void mpi_world_is(int) {}
void mpi_started(const std::string&, const std::string&) {}
void mpi_begun() {
  Thread& thread = register_thread(ThreadKind::kForeign);
  thread.book(now_ns());
  measured_process().region_start(thread, "Global");
}
void mpi_connected(Transport* transport) {
  // Transports are never freed.
  static auto* const all = new std::vector<Transport*>;
  all->push_back(transport);
  fake::g_transport = transport;
}
void mpi_finishing(Thread&, Transport& transport) {
  g_phase.store(Phase::kFinished);
  JobTotals totals;
  transport.combine_all(&totals);
}
bool is_first_process() { return true; }
void give_up(const std::string&) { g_phase.store(Phase::kFinished); }
void aborting() { g_phase.store(Phase::kFinished); }

}  // namespace lifecycle
}  // namespace poprt

// ---- the MPI library -------------------------------------------------------

using namespace fake;

#pragma GCC diagnostic ignored "-Wunused-parameter"

extern "C" {

int PMPI_Init(int* argc, char*** argv) {
  lib().initialized = true;
  return note("Init", MPI_COMM_WORLD);
}
int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  *provided = lib().level;
  return note("Init_thread", MPI_COMM_WORLD);
}
int PMPI_Finalize() { return note("Finalize", MPI_COMM_WORLD); }
int PMPI_Abort(MPI_Comm comm, int code) { return note("Abort", comm); }
int PMPI_Pcontrol(const int level, ...) {
  return note("Pcontrol", MPI_COMM_WORLD, level);
}
int PMPI_Query_thread(int* level) {
  *level = lib().level;
  return MPI_SUCCESS;
}
int PMPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* flag) {
  static int bound = 1'000'000;
  *static_cast<int**>(value) = &bound;
  *flag = 1;
  return MPI_SUCCESS;
}
int PMPI_Get_library_version(char* text, int* length) {
  std::strcpy(text, "Fake MPI 1");
  *length = 10;
  return MPI_SUCCESS;
}
int PMPI_Comm_rank(MPI_Comm comm, int* rank) {
  *rank = state_of(comm).rank;
  return MPI_SUCCESS;
}
int PMPI_Comm_size(MPI_Comm comm, int* size) {
  *size = state_of(comm).size;
  return MPI_SUCCESS;
}
int PMPI_Comm_test_inter(MPI_Comm comm, int* flag) {
  *flag = state_of(comm).inter ? 1 : 0;
  return MPI_SUCCESS;
}
int PMPI_Comm_group(MPI_Comm comm, MPI_Group* group) {
  *group = new_handle<MPI_Group>();
  return MPI_SUCCESS;
}
int PMPI_Group_free(MPI_Group* group) { return MPI_SUCCESS; }
int PMPI_Group_rank(MPI_Group group, int* rank) {
  *rank = state_of(MPI_COMM_WORLD).rank;
  return MPI_SUCCESS;
}
int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler) {
  *handler = MPI_ERRORS_RETURN;
  return MPI_SUCCESS;
}
int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  return MPI_SUCCESS;
}
int PMPI_Errhandler_free(MPI_Errhandler* handler) { return MPI_SUCCESS; }
int PMPI_Error_class(int code, int* error_class) {
  *error_class = code;
  return MPI_SUCCESS;
}
int PMPI_Topo_test(MPI_Comm comm, int* kind) {
  *kind = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* created) {
  const int code = note("Comm_create", comm);
  return code == MPI_SUCCESS ? new_comm(comm, true, created) : code;
}
int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm* created) {
  const int code = note("Comm_dup", comm);
  return code == MPI_SUCCESS ? new_comm(comm, false, created) : code;
}
int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm* created, MPI_Request* request) {
  const int code = start_collective("Comm_idup", comm, 0, request);
  if (code == MPI_SUCCESS) new_comm(comm, false, created);
  return code;
}
int PMPI_Comm_free(MPI_Comm* comm) {
  const int code = note("Comm_free", *comm);
  if (code != MPI_SUCCESS) return code;
  EXPECT_FALSE(state_of(*comm).freed) << "freed twice";
  state_of(*comm).freed = true;
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}
int PMPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype* type) {
  *type = new_handle<MPI_Datatype>();
  lib().types[key_of(*type)] = static_cast<int>(bytes_of(count, old));
  return MPI_SUCCESS;
}
int PMPI_Type_commit(MPI_Datatype* type) { return MPI_SUCCESS; }
int PMPI_Type_free(MPI_Datatype* type) { return MPI_SUCCESS; }
int PMPI_Type_size(MPI_Datatype type, int* size) {
  *size = static_cast<int>(bytes_of(1, type));
  return MPI_SUCCESS;
}
int PMPI_Type_size_x(MPI_Datatype type, MPI_Count* size) {
  *size = static_cast<MPI_Count>(bytes_of(1, type));
  return MPI_SUCCESS;
}
int PMPI_Op_create(MPI_User_function* function, int commute, MPI_Op* op) {
  *op = new_handle<MPI_Op>();
  lib().ops[key_of(*op)] = function;
  return MPI_SUCCESS;
}
int PMPI_Op_free(MPI_Op* op) { return MPI_SUCCESS; }

int PMPI_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag,
              MPI_Comm comm) {
  lib().sent.emplace_back(static_cast<const char*>(buf), bytes_of(count, type));
  return note("Send", comm, dest, tag, buf);
}
int PMPI_Ssend(const void* buf, int count, MPI_Datatype type, int dest, int tag,
               MPI_Comm comm) {
  return note("Ssend", comm, dest, tag, buf);
}
int PMPI_Isend(const void* buf, int count, MPI_Datatype type, int dest, int tag,
               MPI_Comm comm, MPI_Request* request) {
  const int code = note("Isend", comm, dest, tag, buf);
  if (code != MPI_SUCCESS) return code;
  const RequestPtr r = make(Request::kSend, comm, buf, count, type, dest, tag);
  *request = add(r);
  begin(r);
  return MPI_SUCCESS;
}
int PMPI_Irecv(void* buf, int count, MPI_Datatype type, int source, int tag,
               MPI_Comm comm, MPI_Request* request) {
  const int code = note("Irecv", comm, source, tag, buf);
  if (code != MPI_SUCCESS) return code;
  EXPECT_FALSE(state_of(comm).freed)
      << "receive on a communicator that was freed";
  const RequestPtr r =
      make(Request::kReceive, comm, buf, count, type, source, tag);
  *request = add(r);
  begin(r);
  return MPI_SUCCESS;
}
int PMPI_Recv(void* buf, int count, MPI_Datatype type, int source, int tag,
              MPI_Comm comm, MPI_Status* status) {
  const int code = note("Recv", comm, source, tag, buf);
  const RequestPtr r =
      make(Request::kReceive, comm, buf, count, type, source, tag);
  if (source != MPI_PROC_NULL &&
      (code == MPI_SUCCESS || code == MPI_ERR_TRUNCATE)) {
    EXPECT_TRUE(match(*r)) << "a receive that would wait";
  }
  if (source == MPI_PROC_NULL) r->status.MPI_SOURCE = MPI_PROC_NULL;
  if (status != MPI_STATUS_IGNORE) {
    status->MPI_SOURCE = r->status.MPI_SOURCE;
    status->MPI_TAG = r->status.MPI_TAG;
  }
  return code;
}
int PMPI_Sendrecv(const void* out, int out_count, MPI_Datatype out_type,
                  int dest, int out_tag, void* in, int in_count,
                  MPI_Datatype in_type, int source, int in_tag, MPI_Comm comm,
                  MPI_Status* status) {
  const int code = note("Sendrecv", comm, dest, out_tag, out);
  const RequestPtr r =
      make(Request::kReceive, comm, in, in_count, in_type, source, in_tag);
  EXPECT_TRUE(match(*r)) << "a receive that would wait";
  if (status != MPI_STATUS_IGNORE) {
    status->MPI_SOURCE = r->status.MPI_SOURCE;
    status->MPI_TAG = r->status.MPI_TAG;
  }
  return code;
}
int PMPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message,
                MPI_Status* status) {
  const int code = note("Mprobe", comm, source, tag);
  int value = 0;
  const RequestPtr r =
      make(Request::kReceive, comm, &value, 1, MPI_INT, source, tag);
  EXPECT_TRUE(match(*r));
  if (status != MPI_STATUS_IGNORE) {
    status->MPI_SOURCE = r->status.MPI_SOURCE;
    status->MPI_TAG = r->status.MPI_TAG;
  }
  return code;
}
int PMPI_Improbe(int source, int tag, MPI_Comm comm, int* flag,
                 MPI_Message* message, MPI_Status* status) {
  *flag = 0;
  std::list<Message>& inbox = state_of(comm).inbox;
  for (auto m = inbox.begin(); m != inbox.end(); ++m) {
    if (!matches(source, MPI_ANY_SOURCE, m->source) ||
        !matches(tag, MPI_ANY_TAG, m->tag))
      continue;
    *flag = 1;
    if (status != MPI_STATUS_IGNORE) {
      status->MPI_SOURCE = m->source;
      status->MPI_TAG = m->tag;
    }
    *message = new_handle<MPI_Message>();
    lib().matched[key_of(*message)] = *m;
    inbox.erase(m);
    break;
  }
  // A process that polls again and again waits: the fake time passes.
  if (*flag == 0 && !lib().calls.empty() &&
      lib().calls.back().name == "Improbe") {
    pass_time();
  }
  return note("Improbe", comm, source, tag);
}
int PMPI_Mrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message,
               MPI_Status* status) {
  const auto found = lib().matched.find(key_of(*message));
  if (found != lib().matched.end()) {
    std::memcpy(buf, found->second.bytes.data(), found->second.bytes.size());
    lib().matched.erase(found);
  }
  return note("Mrecv", MPI_COMM_WORLD);
}
int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag,
                MPI_Status* status) {
  *flag = 0;
  for (const Message& message : state_of(comm).inbox) {
    if (!matches(source, MPI_ANY_SOURCE, message.source) ||
        !matches(tag, MPI_ANY_TAG, message.tag))
      continue;
    *flag = 1;
    if (status != MPI_STATUS_IGNORE) {
      status->MPI_SOURCE = message.source;
      status->MPI_TAG = message.tag;
    }
    break;
  }
  return note("Iprobe", comm, source, tag);
}
int PMPI_Send_init(const void* buf, int count, MPI_Datatype type, int dest,
                   int tag, MPI_Comm comm, MPI_Request* request) {
  const int code = note("Send_init", comm, dest, tag, buf);
  const RequestPtr r = make(Request::kSend, comm, buf, count, type, dest, tag);
  r->persistent = true;
  r->active = false;
  *request = add(r);
  return code;
}
int PMPI_Recv_init(void* buf, int count, MPI_Datatype type, int source, int tag,
                   MPI_Comm comm, MPI_Request* request) {
  const int code = note("Recv_init", comm, source, tag, buf);
  const RequestPtr r =
      make(Request::kReceive, comm, buf, count, type, source, tag);
  r->persistent = true;
  r->active = false;
  *request = add(r);
  return code;
}
int PMPI_Start(MPI_Request* request) {
  const RequestPtr r = front(*request);
  const int code = note("Start", r->comm, r->peer, r->tag);
  begin(r);
  return code;
}
int PMPI_Startall(int count, MPI_Request* requests) {
  note("Startall", MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) begin(front(requests[i]));
  return MPI_SUCCESS;
}
int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
  const int code = note("Wait", MPI_COMM_WORLD);
  EXPECT_TRUE(finish(request, status)) << "a wait for ever";
  return code;
}
int PMPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  const int code = note("Test", MPI_COMM_WORLD);
  *flag = finish(request, status) ? 1 : 0;
  if (*flag == 0) pass_time();
  return code;
}
int PMPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = note("Waitall", MPI_COMM_WORLD);
  const bool any_failure = !lib().request_failures.empty();
  for (int i = 0; i < count; ++i) {
    int own = MPI_SUCCESS;
    if (lib().request_failures.count(i) != 0) own = lib().request_failures[i];
    if (own != MPI_ERR_PENDING) {
      EXPECT_TRUE(finish(&requests[i], at(statuses, i))) << "a wait for ever";
    }
    if (any_failure && statuses != MPI_STATUSES_IGNORE)
      statuses[i].MPI_ERROR = own;
  }
  lib().request_failures.clear();
  return any_failure ? MPI_ERR_IN_STATUS : code;
}
int PMPI_Testall(int count, MPI_Request* requests, int* flag,
                 MPI_Status* statuses) {
  const int code = note("Testall", MPI_COMM_WORLD);
  *flag = std::none_of(requests, requests + count, pending) ? 1 : 0;
  for (int i = 0; i < count && *flag != 0; ++i)
    finish(&requests[i], at(statuses, i));
  return code;
}
int PMPI_Waitany(int count, MPI_Request* requests, int* index,
                 MPI_Status* status) {
  const int code = note("Waitany", MPI_COMM_WORLD);
  *index = MPI_UNDEFINED;
  for (int i = 0; i < count && *index == MPI_UNDEFINED; ++i) {
    if (!ready(requests[i])) continue;
    *index = i;
    finish(&requests[i], status);
  }
  return code;
}
int PMPI_Testany(int count, MPI_Request* requests, int* index, int* flag,
                 MPI_Status* status) {
  PMPI_Waitany(count, requests, index, status);
  *flag = *index != MPI_UNDEFINED ||
                  std::none_of(requests, requests + count, pending)
              ? 1
              : 0;
  return MPI_SUCCESS;
}
int PMPI_Waitsome(int count, MPI_Request* requests, int* out_count,
                  int* indices, MPI_Status* statuses) {
  const int code = note("Waitsome", MPI_COMM_WORLD);
  const bool any = std::any_of(requests, requests + count, [](MPI_Request r) {
    return pending(r) || ready(r);
  });
  *out_count = any ? 0 : MPI_UNDEFINED;
  if (!any) return code;
  // Starts with the last request: the order is the library's choice.
  for (int i = count - 1; i >= 0; --i) {
    if (!ready(requests[i])) continue;
    finish(&requests[i], at(statuses, *out_count));
    indices[(*out_count)++] = i;
  }
  return code;
}
int PMPI_Testsome(int count, MPI_Request* requests, int* out_count,
                  int* indices, MPI_Status* statuses) {
  return PMPI_Waitsome(count, requests, out_count, indices, statuses);
}
int PMPI_Request_get_status(MPI_Request request, int* flag,
                            MPI_Status* status) {
  const RequestPtr r = front(request);
  EXPECT_NE(nullptr, r) << "asks for a request that was freed";
  *flag = r == nullptr || r->complete ? 1 : 0;
  if (r != nullptr && status != MPI_STATUS_IGNORE) {
    status->MPI_SOURCE = r->status.MPI_SOURCE;
    status->MPI_TAG = r->status.MPI_TAG;
#if defined(OPEN_MPI)
    status->_cancelled = r->cancelled ? 1 : 0;
#else
    status->count_hi_and_cancelled = r->cancelled ? 1 : 0;
#endif
  }
  return MPI_SUCCESS;
}
int PMPI_Request_free(MPI_Request* request) {
  const int code = note("Request_free", MPI_COMM_WORLD);
  lib().requests.erase(key_of(*request));
  *request = MPI_REQUEST_NULL;
  return code;
}
int PMPI_Cancel(MPI_Request* request) {
  const int code = note("Cancel", MPI_COMM_WORLD);
  const RequestPtr r = front(*request);
  if (r->complete) return code;
  r->cancelled = r->complete = true;
  // As in MPICH: the status looks like that of a message.
  r->status.MPI_SOURCE = r->peer < 0 ? 0 : r->peer;
  r->status.MPI_TAG = r->tag < 0 ? 0 : r->tag;
  lib().posted.remove(r);
  return code;
}
int PMPI_Test_cancelled(const MPI_Status* status, int* flag) {
#if defined(OPEN_MPI)
  *flag = status->_cancelled != 0;
#else
  *flag = status->count_hi_and_cancelled & 1;
#endif
  return MPI_SUCCESS;
}

int PMPI_Barrier(MPI_Comm comm) { return note("Barrier", comm); }
int PMPI_Bcast(void* buf, int count, MPI_Datatype type, int root,
               MPI_Comm comm) {
  const int code = note("Bcast", comm, root);
  if (lib().nest) MPI_Send(buf, count, type, 0, 0, comm);
  return code;
}
int PMPI_Reduce(const void* out, void* in, int count, MPI_Datatype type,
                MPI_Op op, int root, MPI_Comm comm) {
  return note("Reduce", comm, root);
}
int PMPI_Scan(const void* out, void* in, int count, MPI_Datatype type,
              MPI_Op op, MPI_Comm comm) {
  return note("Scan", comm);
}
int PMPI_Allreduce(const void* out, void* in, int count, MPI_Datatype type,
                   MPI_Op op, MPI_Comm comm) {
  const int code = note("Allreduce", comm);
  if (code == MPI_SUCCESS) combine_others(out, in, count, type, op);
  return code;
}
// Gathers the ranks of a new communicator and nothing else, so that the tool
// takes each process to be alone on its node.
int PMPI_Allgather(const void*, int, MPI_Datatype, void* in, int,
                   MPI_Datatype type, MPI_Comm comm) {
  if (type != MPI_INT) return MPI_ERR_OTHER;
  for (int i = 0; i < state_of(comm).size; ++i) {
    static_cast<int*>(in)[i] =
        lib().ranks.empty() ? i : lib().ranks[static_cast<size_t>(i)];
  }
  lib().ranks.clear();
  return MPI_SUCCESS;
}
int PMPI_Allgatherv(const void* out, int out_count, MPI_Datatype out_type,
                    void* in, const int* counts, const int* displs,
                    MPI_Datatype type, MPI_Comm comm) {
  return note("Allgatherv", comm);
}
int PMPI_Alltoallv(const void* out, const int* out_counts,
                   const int* out_displs, MPI_Datatype out_type, void* in,
                   const int* in_counts, const int* in_displs,
                   MPI_Datatype in_type, MPI_Comm comm) {
  return note("Alltoallv", comm);
}
int PMPI_Ialltoallv(const void* out, const int* out_counts,
                    const int* out_displs, MPI_Datatype out_type, void* in,
                    const int* in_counts, const int* in_displs,
                    MPI_Datatype in_type, MPI_Comm comm, MPI_Request* request) {
  return start_collective("Ialltoallv", comm, 0, request);
}
int PMPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return start_collective("Ibarrier", comm, 0, request);
}
int PMPI_Iallreduce(const void* out, void* in, int count, MPI_Datatype type,
                    MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  const int code = start_collective("Iallreduce", comm, 0, request);
  if (code == MPI_SUCCESS) combine_others(out, in, count, type, op);
  return code;
}
int PMPI_Iscan(const void* out, void* in, int count, MPI_Datatype type,
               MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  const int code = start_collective("Iscan", comm, 0, request);
  if (code == MPI_SUCCESS) combine_others(out, in, count, type, op);
  return code;
}
int PMPI_Ireduce(const void* out, void* in, int count, MPI_Datatype type,
                 MPI_Op op, int root, MPI_Comm comm, MPI_Request* request) {
  const int code = start_collective("Ireduce", comm, root, request);
  if (code == MPI_SUCCESS && state_of(comm).rank == root)
    combine_others(out, in, count, type, op);
  return code;
}
int PMPI_Ibcast(void* buf, int count, MPI_Datatype type, int root,
                MPI_Comm comm, MPI_Request* request) {
  const int code = start_collective("Ibcast", comm, root, request);
  if (code == MPI_SUCCESS && state_of(comm).rank != root)
    std::memcpy(buf, &lib().others, lib().others.bytes());
  return code;
}

}  // extern "C"
