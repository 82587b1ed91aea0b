// The fake MPI library's PMPI functions: collectives.
#include <cstring>

#include "fake_mpi_state.h"

using namespace fake;

#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace {

void combine_others(const void* out, void* in, int count, MPI_Datatype type,
                    MPI_Op op) {
  std::memcpy(in, out, bytes_of(count, type));
  const auto found = lib().ops.find(key_of(op));
  if (found == lib().ops.end()) {
    if (lib().refuse && op == MPI_MIN && count > 1) {
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

}  // namespace

extern "C" {

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
int PMPI_Exscan(const void* out, void* in, int count, MPI_Datatype type,
                MPI_Op op, MPI_Comm comm) {
  return note("Exscan", comm);
}
int PMPI_Allreduce(const void* out, void* in, int count, MPI_Datatype type,
                   MPI_Op op, MPI_Comm comm) {
  const int code = note("Allreduce", comm);
  if (code == MPI_SUCCESS) combine_others(out, in, count, type, op);
  return code;
}
// Gathers the ranks of a new communicator and nothing else, so that the tool
// takes each process to be alone on its node, unless the test wants another one
// there.
int PMPI_Allgather(const void* out, int count, MPI_Datatype, void* in, int,
                   MPI_Datatype type, MPI_Comm comm) {
  if (type != MPI_INT) {
    if (!lib().one_node) return MPI_ERR_OTHER;
    for (int i = 0; i < state_of(comm).size; ++i) {
      std::memcpy(static_cast<char*>(in) + i * count, out,
                  static_cast<size_t>(count));
    }
    return MPI_SUCCESS;
  }
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
// What the first process gets is undefined.
int PMPI_Iexscan(const void* out, void* in, int count, MPI_Datatype type,
                 MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  const int code = start_collective("Iexscan", comm, 0, request);
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
