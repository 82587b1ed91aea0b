// Datatypes of the program in messages, and packing: what a tool asks of them
// must not show. (No library stands in front of local functions: mpi_calls.*.)
#include "transparency.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "datatypes";

void show_type(const char* what, MPI_Datatype type) {
  int bytes = -1;
  MPI_Aint low = -1;
  MPI_Aint extent = -1;
  MPI_Aint true_low = -1;
  MPI_Aint true_extent = -1;
  MPI_Type_size(type, &bytes);
  MPI_Type_get_extent(type, &low, &extent);
  MPI_Type_get_true_extent(type, &true_low, &true_extent);
  int integers = -1;
  int addresses = -1;
  int types = -1;
  int combiner = -1;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  line("%s: %d bytes, %ld to %ld, %ld to %ld, made of %d %d %d", what, bytes,
       static_cast<long>(low), static_cast<long>(extent),
       static_cast<long>(true_low), static_cast<long>(true_extent), integers,
       addresses, types);
}

// Sends data of the type around the ring.
void try_type(const char* what, MPI_Datatype type) {
  MPI_Type_commit(&type);
  show_type(what, type);
  Ints out = numbers(100, rank() * 1000);
  Ints in(100, -1);
  Status status;
  MPI_Sendrecv(out.data(), 1, type, next(), 0, in.data(), 1, type, previous(),
               0, MPI_COMM_WORLD, &status);
  show("status", status, type);
  show("data", in);
  MPI_Bcast(in.data(), 1, type, 0, MPI_COMM_WORLD);
  line("checksum %u", checksum(in));
  MPI_Type_free(&type);
  line("null: %s", yes(type == MPI_DATATYPE_NULL));
}

CASE(constructors) {
  MPI_Datatype type;
  const int lengths[3] = {1, 3, 2};
  const int places[3] = {0, 5, 12};
  const MPI_Aint bytes[3] = {0, 20, 48};
  const MPI_Datatype types[3] = {MPI_INT, MPI_INT, MPI_INT};
  MPI_Type_contiguous(7, MPI_INT, &type);
  try_type("contiguous", type);
  MPI_Type_vector(3, 2, 5, MPI_INT, &type);
  try_type("vector", type);
  MPI_Type_create_hvector(3, 2, 20, MPI_INT, &type);
  try_type("hvector", type);
  MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
  try_type("indexed", type);
  MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, &type);
  try_type("hindexed", type);
  MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &type);
  try_type("indexed_block", type);
  MPI_Type_create_hindexed_block(3, 2, bytes, MPI_INT, &type);
  try_type("hindexed_block", type);
  MPI_Type_create_struct(3, lengths, bytes, types, &type);
  try_type("struct", type);
  const int sizes[2] = {6, 8};
  const int parts[2] = {2, 3};
  const int starts[2] = {1, 2};
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT,
                           &type);
  try_type("subarray", type);
  const int distributions[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE};
  const int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
  const int grid[2] = {2, 1};
  MPI_Type_create_darray(2, 0, 2, sizes, distributions, arguments, grid,
                         MPI_ORDER_C, MPI_INT, &type);
  try_type("darray", type);
}

CASE(freed_before_completion) {
  MPI_Datatype type;
  MPI_Type_vector(3, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  Ints in(6, -1);
  Ints out = numbers(6, rank() * 10);
  MPI_Request requests[3];
  MPI_Irecv(in.data(), 1, type, previous(), 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out.data(), 1, type, next(), 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
  MPI_Type_free(&type);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  show("data", in);
}

CASE(external_packing) {
  char space[100];
  MPI_Aint place = 0;
  MPI_Aint bytes = -1;
  const int out[3] = {rank(), 2, 3};
  int in[3] = {};
  MPI_Pack_external_size("external32", 3, MPI_INT, &bytes);
  line("bytes %ld", static_cast<long>(bytes));
  MPI_Pack_external("external32", out, 3, MPI_INT, space, 100, &place);
  line("place %ld", static_cast<long>(place));
  place = 0;
  MPI_Unpack_external("external32", space, 100, &place, in, 3, MPI_INT);
  show("data", Ints(in, in + 3));
}

CASE(huge_type_and_nothing_of_it) {
  // Its size does not fit into an int; nothing of it is sent.
  MPI_Datatype huge;
  MPI_Datatype larger;
  MPI_Type_contiguous(1 << 30, MPI_INT, &huge);
  MPI_Type_contiguous(8, huge, &larger);
  MPI_Type_commit(&larger);
  int value = 3;
  show("bcast", MPI_Bcast(&value, 0, larger, 0, MPI_COMM_WORLD));
  Status status;
  show("sendrecv", MPI_Sendrecv(&value, 0, larger, next(), 0, &value, 0, larger,
                                previous(), 0, MPI_COMM_WORLD, &status));
  show("gather",
       MPI_Gather(&value, 0, larger, &value, 0, larger, 0, MPI_COMM_WORLD));
  MPI_Type_free(&larger);
  MPI_Type_free(&huge);
}

CASE(status_fields) {
  Status status;
  const Ints out = numbers(3);
  char in[12];
  MPI_Sendrecv(out.data(), 3, MPI_INT, next(), 9, in, 12, MPI_BYTE, previous(),
               9, MPI_COMM_WORLD, &status);
  for (const MPI_Datatype type : {MPI_BYTE, MPI_INT, MPI_SHORT, MPI_DOUBLE}) {
    show("as", status, type);
  }
}

}  // namespace
