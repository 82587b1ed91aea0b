// The fake MPI library's PMPI functions: beginning and end, communicators,
// types.
#include <cstring>

#include "fake_mpi_state.h"

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
  *rank = live_comm(comm).rank;
  return MPI_SUCCESS;
}
int PMPI_Comm_size(MPI_Comm comm, int* size) {
  *size = live_comm(comm).size;
  return MPI_SUCCESS;
}
int PMPI_Comm_test_inter(MPI_Comm comm, int* flag) {
  *flag = live_comm(comm).inter ? 1 : 0;
  return MPI_SUCCESS;
}
int PMPI_Comm_group(MPI_Comm comm, MPI_Group* group) {
  live_comm(comm);
  *group = new_handle<MPI_Group>();
  return MPI_SUCCESS;
}
int PMPI_Group_free(MPI_Group* group) { return MPI_SUCCESS; }
int PMPI_Group_rank(MPI_Group group, int* rank) {
  *rank = state_of(MPI_COMM_WORLD).rank;
  return MPI_SUCCESS;
}
int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler) {
  live_comm(comm);
  *handler = MPI_ERRORS_RETURN;
  return MPI_SUCCESS;
}
int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  live_comm(comm);
  return MPI_SUCCESS;
}
int PMPI_Errhandler_free(MPI_Errhandler* handler) { return MPI_SUCCESS; }
int PMPI_Error_class(int code, int* error_class) {
  *error_class = code;
  return MPI_SUCCESS;
}
int PMPI_Topo_test(MPI_Comm comm, int* kind) {
  live_comm(comm);
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
  live_comm(*comm).freed = true;
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}
int PMPI_Comm_disconnect(MPI_Comm* comm) {
  note("Comm_disconnect", *comm);
  return PMPI_Comm_free(comm);
}
int PMPI_Pack(const void* in, int count, MPI_Datatype type, void* out, int size,
              int* position, MPI_Comm comm) {
  return note("Pack", comm);
}
int PMPI_Unpack(const void* in, int size, int* position, void* out, int count,
                MPI_Datatype type, MPI_Comm comm) {
  return note("Unpack", comm);
}
int PMPI_Pack_external(const char* form, const void* in, int count,
                       MPI_Datatype type, void* out, MPI_Aint size,
                       MPI_Aint* position) {
  return note("Pack_external", MPI_COMM_WORLD);
}
int PMPI_Unpack_external(const char* form, const void* in, MPI_Aint size,
                         MPI_Aint* position, void* out, int count,
                         MPI_Datatype type) {
  return note("Unpack_external", MPI_COMM_WORLD);
}
int PMPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype type,
                      MPI_Op op) {
  return note("Reduce_local", MPI_COMM_WORLD);
}
int PMPI_Alloc_mem(MPI_Aint size, MPI_Info info, void* base) {
  return note("Alloc_mem", MPI_COMM_WORLD);
}
int PMPI_Free_mem(void* base) { return note("Free_mem", MPI_COMM_WORLD); }
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

}  // extern "C"
