// Generalised requests: callbacks of the program inside of MPI's calls.
#include "transparency.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "grequest";

struct State {
  int queries = 0;
  int frees = 0;
  int cancels = 0;
  int complete_when_cancelled = -1;
  int value = 0;
  int query_code = MPI_SUCCESS;
};

int query(void* extra, MPI_Status* status) {
  State* const state = static_cast<State*>(extra);
  ++state->queries;
  MPI_Status_set_elements(status, MPI_INT, state->value);
  MPI_Status_set_cancelled(status, state->cancels > 0 ? 1 : 0);
  status->MPI_SOURCE = state->value + 1;
  status->MPI_TAG = state->value + 2;
  return state->query_code;
}

int release(void* extra) {
  ++static_cast<State*>(extra)->frees;
  return MPI_SUCCESS;
}

int cancel(void* extra, int complete) {
  State* const state = static_cast<State*>(extra);
  ++state->cancels;
  state->complete_when_cancelled = complete;
  return MPI_SUCCESS;
}

MPI_Request start(State* state) {
  MPI_Request request;
  MPI_Grequest_start(query, release, cancel, state, &request);
  return request;
}

void show_state(const State& state) {
  // How often MPI queries is not specified, only that it does.
  line("queried %s, freed %d, cancelled %d", yes(state.queries > 0),
       state.frees, state.cancels);
}

CASE(complete_then_wait) {
  State state;
  state.value = 4;
  MPI_Request request = start(&state);
  MPI_Grequest_complete(request);
  Status status;
  show("wait", MPI_Wait(&request, &status));
  show("status", status);
  line("null: %s, queries %d", yes(request == MPI_REQUEST_NULL), state.queries);
  show_state(state);
}

CASE(status_ignored) {
  State state;
  MPI_Request request = start(&state);
  MPI_Grequest_complete(request);
  show("wait", MPI_Wait(&request, MPI_STATUS_IGNORE));
  line("queries %d, frees %d", state.queries, state.frees);
}

CASE(test_before_and_after) {
  State state;
  MPI_Request request = start(&state);
  int flag = -1;
  Status status;
  for (int i = 0; i < 5; ++i) {
    MPI_Test(&request, &flag, &status);
    line("flag %d, queries %d", flag, state.queries);
  }
  MPI_Grequest_complete(request);
  MPI_Test(&request, &flag, &status);
  line("flag %d", flag);
  show("status", status);
  show_state(state);
}

CASE(freed_before_complete) {
  State state;
  MPI_Request request = start(&state);
  MPI_Request copy = request;
  MPI_Request_free(&request);
  line("null: %s, frees %d", yes(request == MPI_REQUEST_NULL), state.frees);
  MPI_Grequest_complete(copy);
  line("frees %d", state.frees);
}

CASE(cancelled) {
  State state;
  MPI_Request request = start(&state);
  MPI_Cancel(&request);
  line("complete when cancelled: %d", state.complete_when_cancelled);
  MPI_Grequest_complete(request);
  Status status;
  MPI_Wait(&request, &status);
  int flag = -1;
  MPI_Test_cancelled(&status, &flag);
  line("cancelled %d", flag);
  show_state(state);
}

CASE(get_status) {
  State state;
  state.value = 2;
  MPI_Request request = start(&state);
  int flag = -1;
  Status status;
  MPI_Request_get_status(request, &flag, &status);
  line("flag %d", flag);
  MPI_Grequest_complete(request);
  MPI_Request_get_status(request, &flag, &status);
  line("flag %d, frees %d", flag, state.frees);
  show("status", status);
  MPI_Wait(&request, &status);
  show("status", status);
  show_state(state);
}

CASE(mixed_in_waitall) {
  State states[2];
  states[0].value = 3;
  states[1].value = 5;
  int in = -1;
  const int out = rank() + 9;
  MPI_Request requests[5];
  requests[0] = start(&states[0]);
  MPI_Irecv(&in, 1, MPI_INT, previous(), 1, MPI_COMM_WORLD, &requests[1]);
  requests[2] = start(&states[1]);
  MPI_Isend(&out, 1, MPI_INT, next(), 1, MPI_COMM_WORLD, &requests[3]);
  requests[4] = MPI_REQUEST_NULL;
  MPI_Grequest_complete(requests[0]);
  MPI_Grequest_complete(requests[2]);
  Status statuses[5];
  show("waitall", MPI_Waitall(5, requests, statuses));
  show("first", statuses[0]);
  show("message", statuses[1]);
  show("second", statuses[2]);
  line("value %d", in);
  show_state(states[0]);
  show_state(states[1]);
}

CASE(mixed_in_waitall_statuses_ignored) {
  State state;
  int in = -1;
  const int out = rank() + 9;
  MPI_Request requests[3];
  requests[0] = start(&state);
  MPI_Irecv(&in, 1, MPI_INT, previous(), 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&out, 1, MPI_INT, next(), 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Grequest_complete(requests[0]);
  show("waitall", MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
  line("value %d, frees %d", in, state.frees);
}

CASE(mixed_in_waitsome) {
  State state;
  state.value = 6;
  int in = -1;
  const int out = rank() + 9;
  MPI_Request requests[3];
  requests[0] = start(&state);
  MPI_Irecv(&in, 1, MPI_INT, previous(), 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&out, 1, MPI_INT, next(), 1, MPI_COMM_WORLD, &requests[2]);
  Ints seen(3, 0);
  for (int done = 0; done < 3;) {
    int count = 0;
    int indices[3];
    MPI_Waitsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
    for (int i = 0; i < count; ++i) ++seen[static_cast<size_t>(indices[i])];
    done += count;
    if (done == 2) MPI_Grequest_complete(requests[0]);
  }
  show("seen", seen);
  line("value %d", in);
  show_state(state);
}

CASE(mixed_in_waitany) {
  State state;
  int in = -1;
  const int out = rank() + 9;
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, MPI_INT, previous(), 1, MPI_COMM_WORLD, &requests[1]);
  requests[0] = start(&state);
  MPI_Grequest_complete(requests[0]);
  int index = -1;
  Status status;
  MPI_Waitany(2, requests, &index, &status);
  line("index %d", index);
  MPI_Send(&out, 1, MPI_INT, next(), 1, MPI_COMM_WORLD);
  MPI_Waitany(2, requests, &index, &status);
  line("index %d", index);
  show("status", status);
  show_state(state);
}

int query_with_messages(void* extra, MPI_Status* status) {
  // A callback that itself sends and receives.
  int in = -1;
  const int out = *static_cast<int*>(extra);
  MPI_Sendrecv(&out, 1, MPI_INT, 0, 44, &in, 1, MPI_INT, 0, 44, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
  MPI_Status_set_elements(status, MPI_INT, in);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int nothing(void*) { return MPI_SUCCESS; }
int nothing_to_cancel(void*, int) { return MPI_SUCCESS; }

CASE(callback_that_communicates) {
  int value = 12;
  MPI_Request request;
  MPI_Grequest_start(query_with_messages, nothing, nothing_to_cancel, &value,
                     &request);
  MPI_Grequest_complete(request);
  Status status;
  MPI_Wait(&request, &status);
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  line("count %d", count);
  use("afterwards", MPI_COMM_WORLD);
}

CASE(thousands) {
  constexpr size_t kCount = 3000;
  std::vector<State> states(kCount);
  std::vector<MPI_Request> requests;
  for (State& state : states) requests.push_back(start(&state));
  for (MPI_Request& r : requests) MPI_Grequest_complete(r);
  MPI_Waitall(kCount, requests.data(), MPI_STATUSES_IGNORE);
  int frees = 0;
  for (const State& state : states) frees += state.frees;
  line("frees %d", frees);
}

}  // namespace
