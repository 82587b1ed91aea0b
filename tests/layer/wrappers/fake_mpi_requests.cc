// The fake MPI library's PMPI functions: requests, and their completion.
#include <algorithm>

#include "fake_mpi_state.h"

using namespace fake;

#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace {

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
    set_size(status, request->active ? size_of(request->status) : 0);
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

MPI_Status* at(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
}

}  // namespace

extern "C" {

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
int PMPI_Get_elements_x(const MPI_Status* status, MPI_Datatype type,
                        MPI_Count* count) {
  *count = static_cast<MPI_Count>(size_of(*status) / bytes_of(1, type));
  return MPI_SUCCESS;
}
int PMPI_Test_cancelled(const MPI_Status* status, int* flag) {
#if defined(OPEN_MPI)
  *flag = status->_cancelled != 0;
#else
  *flag = status->count_hi_and_cancelled & 1;
#endif
  return MPI_SUCCESS;
}

}  // extern "C"
