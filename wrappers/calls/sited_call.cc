#include "wrappers/calls/sited_call.h"

#include "base/left_frame.h"
#include "base/memory.h"
#include "base/own_frames.h"

namespace poprt::mpi {
namespace {

// Null if there is no memory for them.
CallSites* sites_of(MpiThread& mpi) {
  if (mpi.sites == nullptr) {
    attempt_with_memory([&] {
      mpi.sites = &new_call_sites(mpi.thread);
      mpi.waits.tell(*mpi.sites);
      if (has_passing_libraries()) mpi.call.own_frames.reset(new OwnFrames);
      mpi.thread.cost.messages.turns.take_each();
    });
  }
  return mpi.sites;
}

void count_sent(CallSite& site, int64_t bytes) {
  site.sent_bytes += bytes;
  site.add_message(bytes);
}

}  // namespace

SitedCall::SitedCall(const char* function, const void* code,
                     const void* stack) {
  if (!g_active.load(std::memory_order_relaxed)) return;
  Thread* const thread = t_thread;
  mpi_ = thread == nullptr ? nullptr : mpi_thread(*thread);
  if (mpi_ == nullptr) [[unlikely]]
    mpi_ = new_mpi_thread();
  // Inside of another call only if that was not left by siglongjmp().
  if (mpi_->thread.mpi_depth > 0 &&
      !is_left(mpi_->call.frame, reinterpret_cast<uintptr_t>(stack) - 1, 0)) {
    return;
  }
  sites_ = sites_of(*mpi_);
  if (sites_ == nullptr) return;
  if (!sites_->knows_regions()) [[unlikely]] {
    mpi_->thread.book(now_ns());
    sites_->learn_regions();
  }
  const WorkTime time(mpi_->thread.cost.call_places);
  if (mpi_->call.own_frames != nullptr) {
    code = mpi_->call.own_frames->own_code(code, stack);
  }
  sites_->begin(function, code);
}

SitedCall::~SitedCall() {
  if (sites_ != nullptr) sites_->end();
}

bool SitedCall::counts(int code) {
  if (sites_ == nullptr || code != MPI_SUCCESS ||
      sites_->current() == nullptr) {
    return false;
  }
  counting_.emplace(mpi_->thread.cost.call_contents);
  return true;
}

MPI_Status* SitedCall::filled(MPI_Status* given, int count) {
  if (sites_ == nullptr || !ignored(given)) return given;
  if (count == 1) return &own_;
  if (count <= 0) return given;
  std::vector<MPI_Status>& own = mpi_->call.statuses;
  if (own.size() < static_cast<size_t>(count)) {
    own.resize(static_cast<size_t>(count));
  }
  return own.data();
}

Group group_of(MpiThread& thread, MPI_Comm comm) {
  if (const CommInfo* const info = find_comm(thread, comm)) {
    return {info->rank, info->peers, info->inter};
  }
  Group group;
  int inter = 0;
  pmpi().Comm_test_inter(comm, &inter);
  group.inter = inter != 0;
  pmpi().Comm_rank(comm, &group.rank);
  if (group.inter) {
    pmpi().Comm_remote_size(comm, &group.peers);
  } else {
    pmpi().Comm_size(comm, &group.peers);
  }
  return group;
}

void SitedCall::on(MPI_Comm comm) {
  const CommInfo* const info = find_comm(*mpi_, comm);
  int size = info == nullptr ? 0 : info->size;
  if (info == nullptr) pmpi().Comm_size(comm, &size);
  site().comm_size = std::max<int64_t>(site().comm_size, size);
}

void SitedCall::sends(MPI_Count count, MPI_Datatype type, int dest) {
  if (dest != MPI_PROC_NULL) count_sent(site(), bytes_of(count, type));
}

void SitedCall::gets(MPI_Count count, MPI_Datatype type, int target) {
  if (target == MPI_PROC_NULL) return;
  const int64_t bytes = bytes_of(count, type);
  site().received_bytes += bytes;
  site().add_message(bytes);
}

void SitedCall::received(const MPI_Status* status) {
  MPI_Count bytes = 0;
  if (status->MPI_SOURCE == MPI_PROC_NULL ||
      pmpi().Get_elements_x(status, pmpi().byte, &bytes) != MPI_SUCCESS ||
      bytes < 0) {
    return;
  }
  site().received_bytes += bytes;
  site().add_message(bytes);
}

void SitedCall::prepares(MPI_Request request, MPI_Count count,
                         MPI_Datatype type) {
  Tracked* const tracked = find_tracked(request);
  if (tracked != nullptr && tracked->kind == RequestKind::kPersistentSend) {
    static_cast<PersistentSend*>(tracked)->bytes = bytes_of(count, type);
  }
}

void SitedCall::starts(int count, const MPI_Request* requests) {
  for (int i = 0; i < count; ++i) {
    Tracked* const tracked = find_tracked(requests[i]);
    if (tracked != nullptr && tracked->kind == RequestKind::kPersistentSend) {
      count_sent(site(), static_cast<PersistentSend*>(tracked)->bytes);
    }
  }
}

void SitedCall::moves(int64_t sent, int64_t got) {
  meets();
  site().sent_bytes += sent;
  site().received_bytes += got;
  site().add_message(std::max(sent, got));
}

void SitedCall::expects(int count, const MPI_Request* requests) {
  if (sites_ == nullptr || count <= 0 || requests == nullptr) return;
  std::vector<bool>& receives = mpi_->call.expected_receives;
  receives.assign(static_cast<size_t>(count), false);
  expected_ = count;
  if (no_requests()) return;
  for (int i = 0; i < count; ++i) {
    const Receive* const receive = as_receive(find_tracked(requests[i]));
    receives[static_cast<size_t>(i)] =
        receive != nullptr &&
        (receive->kind != RequestKind::kPersistentReceive ||
         static_cast<const PersistentReceive*>(receive)->active);
  }
}

void SitedCall::completed(int i, const MPI_Status* status) {
  if (i < 0 || i >= expected_ ||
      !mpi_->call.expected_receives[static_cast<size_t>(i)]) {
    return;
  }
  int cancelled = 0;
  pmpi().Test_cancelled(status, &cancelled);
  if (cancelled == 0) received(status);
}

void SitedCall::completed_all(int count, const MPI_Status* statuses) {
  for (int i = 0; i < count; ++i) completed(i, &statuses[i]);
}

void SitedCall::completed_some(int count, const int* indices,
                               const MPI_Status* statuses) {
  if (count == MPI_UNDEFINED) return;
  for (int i = 0; i < count; ++i) completed(indices[i], &statuses[i]);
}

}  // namespace poprt::mpi
