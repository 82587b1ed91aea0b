#include "fake_mpi.h"

#include <cstring>
#include <utility>

#include "fake_mpi_state.h"
#include "measure/events.h"
#include "wrappers/state.h"

namespace fake {
namespace {

// The state of earlier tests.
struct Past {
  std::vector<std::unique_ptr<Library>> libraries;
  std::vector<std::unique_ptr<poprt::Process>> processes;
  std::vector<poprt::mpi::HandleTable<poprt::mpi::CommInfo>> comms;
  std::vector<poprt::mpi::HandleTable<poprt::mpi::Tracked>> requests;
  std::vector<poprt::mpi::MpiThread*> threads;
};

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

  poprt::t_fake_now_ns = 0;
  poprt::t_thread = nullptr;
  poprt::g_phase.store(poprt::Phase::kDormant);
  poprt::mpi::g_active.store(false);
  poprt::mpi::Job& job = poprt::mpi::job();
  past->comms.push_back(std::exchange(job.edges.comms.by_handle, {}));
  for (poprt::mpi::RequestShard& shard : job.requests.shards) {
    past->requests.push_back(std::exchange(shard.table, {}));
  }
  past->threads.push_back(job.threads);
  job.edges.windows.by_handle = {};
  job.everybody = nullptr;
  job.threads = nullptr;
  job.edges.comms.shadows = 0;
  job.edges.sharing.by_key = {};
  job.edges.comms.tainted_shadows.clear();
  job.edges.comms.unfinished = 0;
  job.requests.posted_wildcards = 0;
  job.requests.strangers = false;
  ++job.edges.comms.generation;
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
void give_again(MPI_Comm comm) { lib().comms[key_of(comm)].freed = false; }

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
void take_time(const std::string& name, int64_t ns) {
  lib().durations[name] = ns;
}
void fail_request(int index, int code) { lib().request_failures[index] = code; }
void refuse_next_shadow(bool carrier_too) {
  lib().refuse = true;
  lib().refuse_carrier = carrier_too;
}
void place_next_comm(const std::vector<int>& ranks) { lib().ranks = ranks; }
void share_node() { lib().one_node = true; }
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
