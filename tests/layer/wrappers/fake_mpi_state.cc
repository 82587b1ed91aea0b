#include "fake_mpi_state.h"

#include <algorithm>
#include <cstring>

#include "measure/events.h"

namespace fake {

Library* g_library = nullptr;
poprt::Process* g_process = nullptr;
poprt::Transport* g_transport = nullptr;

void spend_time(const char* name) {
  const auto found = lib().durations.find(name);
  if (found == lib().durations.end()) return;
  poprt::t_fake_now_ns += found->second;
  lib().durations.erase(found);
}

int note(const char* name, MPI_Comm comm, int peer, int tag,
         const void* buffer) {
  lib().calls.push_back({name, comm, peer, tag, buffer});
  if (lib().leaves == name) {
    lib().leaves.clear();
    std::longjmp(*lib().leaves_to, 1);
  }
  // What the fake costs is in the counts of instructions.
  if (!lib().durations.empty()) [[unlikely]]
    spend_time(name);
  const auto failure = lib().failures.find(name);
  if (failure == lib().failures.end()) return MPI_SUCCESS;
  const int code = failure->second;
  lib().failures.erase(failure);
  return code;
}

void pass_time() {
  ++lib().time_ms;
  poprt::t_fake_now_ns += 1'000'000;
}

size_t bytes_of(int count, MPI_Datatype type) {
  const auto found = lib().types.find(key_of(type));
  return static_cast<size_t>(count) *
         static_cast<size_t>(found == lib().types.end() ? 4 : found->second);
}

CommState& state_of(MPI_Comm comm) {
  const auto found = lib().comms.find(key_of(comm));
  if (found != lib().comms.end()) return found->second;
  ADD_FAILURE() << "call with an unknown communicator";
  return lib().comms[key_of(MPI_COMM_WORLD)];
}

CommState& live_comm(MPI_Comm comm) {
  CommState& state = state_of(comm);
  EXPECT_FALSE(state.freed) << "call with a communicator that was freed";
  return state;
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

bool matches(int wanted, int any, int got) {
  return wanted == any || wanted == got;
}

void set_size(MPI_Status* status, size_t bytes) {
#if defined(OPEN_MPI)
  status->_ucount = bytes;
#else
  status->count_lo = static_cast<int>(bytes);
#endif
}

size_t size_of(const MPI_Status& status) {
#if defined(OPEN_MPI)
  return status._ucount;
#else
  return static_cast<size_t>(status.count_lo);
#endif
}

void fill(Request& request, const Message& message) {
  const size_t size = std::min(request.size, message.bytes.size());
  if (size > 0) std::memcpy(request.buffer, message.bytes.data(), size);
  request.complete = true;
  request.status.MPI_SOURCE = message.source;
  request.status.MPI_TAG = message.tag;
  set_size(&request.status, size);
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

MPI_Request add(RequestPtr request) {
  MPI_Request handle = new_handle<MPI_Request>();
  if (lib().share) handle = lib().shared;
  lib().share = false;
  lib().requests[key_of(handle)].push_back(std::move(request));
  return handle;
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

}  // namespace fake
