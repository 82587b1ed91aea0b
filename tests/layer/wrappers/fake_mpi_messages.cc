// The fake MPI library's PMPI functions: messages.
#include <cstring>

#include "fake_mpi_state.h"

using namespace fake;

#pragma GCC diagnostic ignored "-Wunused-parameter"

extern "C" {

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
int PMPI_Issend(const void* buf, int count, MPI_Datatype type, int dest,
                int tag, MPI_Comm comm, MPI_Request* request) {
  const RequestPtr r = make(Request::kSend, comm, buf, count, type, dest, tag);
  *request = add(r);
  begin(r);
  return note("Issend", comm, dest, tag, buf);
}
int PMPI_Irecv(void* buf, int count, MPI_Datatype type, int source, int tag,
               MPI_Comm comm, MPI_Request* request) {
  const int code = note("Irecv", comm, source, tag, buf);
  if (code != MPI_SUCCESS) return code;
  live_comm(comm);
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
    set_size(status, size_of(r->status));
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
    set_size(status, size_of(r->status));
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
    set_size(status, size_of(r->status));
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
int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  int flag = 0;
  const int code = PMPI_Iprobe(source, tag, comm, &flag, status);
  EXPECT_EQ(1, flag) << "a probe that would wait";
  note("Probe", comm, source, tag);
  return code;
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

}  // extern "C"
