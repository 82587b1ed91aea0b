// What collectives have besides their forms: operations, types, order, errors.
#include "transparency.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "collectives_more";

CASE(all_operations) {
  const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MIN,  MPI_MAX, MPI_LAND,
                        MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
  for (const MPI_Op op : ops) {
    const int out[2] = {rank() + 1, rank() % 2};
    int in[2] = {-1, -1};
    MPI_Allreduce(out, in, 2, MPI_INT, op, MPI_COMM_WORLD);
    int at_root[2] = {-1, -1};
    MPI_Reduce(out, at_root, 2, MPI_INT, op, size() - 1, MPI_COMM_WORLD);
    int scanned[2] = {-1, -1};
    MPI_Scan(out, scanned, 2, MPI_INT, op, MPI_COMM_WORLD);
    line("%d %d, %d %d, %d %d", in[0], in[1], at_root[0], at_root[1],
         scanned[0], scanned[1]);
  }
}

CASE(minloc_maxloc) {
  struct Place {
    double value;
    int rank;
  };
  const Place out[2] = {{rank() * 1.5, rank()}, {1.0, rank()}};
  Place in[2];
  for (const MPI_Op op : {MPI_MINLOC, MPI_MAXLOC}) {
    MPI_Allreduce(out, in, 2, MPI_DOUBLE_INT, op, MPI_COMM_WORLD);
    line("%g at %d, %g at %d", in[0].value, in[0].rank, in[1].value,
         in[1].rank);
  }
}

CASE(all_types) {
  const auto sum = [](auto value, MPI_Datatype type, const char* name) {
    auto out = value;
    auto in = value;
    MPI_Allreduce(&out, &in, 1, type, MPI_SUM, MPI_COMM_WORLD);
    line("%s: %g", name, static_cast<double>(in));
  };
  sum(static_cast<signed char>(1), MPI_SIGNED_CHAR, "signed char");
  sum(static_cast<unsigned char>(1), MPI_UNSIGNED_CHAR, "unsigned char");
  sum(static_cast<short>(2), MPI_SHORT, "short");
  sum(2, MPI_INT, "int");
  sum(2L, MPI_LONG, "long");
  sum(2LL, MPI_LONG_LONG, "long long");
  sum(3U, MPI_UNSIGNED, "unsigned");
  sum(1.5F, MPI_FLOAT, "float");
  sum(1.5, MPI_DOUBLE, "double");
  sum(static_cast<int8_t>(1), MPI_INT8_T, "int8");
  sum(static_cast<int64_t>(1), MPI_INT64_T, "int64");
  sum(static_cast<uint16_t>(1), MPI_UINT16_T, "uint16");
  sum(static_cast<MPI_Aint>(5), MPI_AINT, "aint");
  sum(static_cast<MPI_Offset>(5), MPI_OFFSET, "offset");
  sum(static_cast<MPI_Count>(5), MPI_COUNT, "count");
}

// Matrices of two by two: their product depends on the order.
void multiply(void* in, void* inout, int* length, MPI_Datatype*) {
  const int* a = static_cast<int*>(in);
  int* b = static_cast<int*>(inout);
  for (int i = 0; i < *length; ++i, a += 4, b += 4) {
    const int c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                      a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
    for (int k = 0; k < 4; ++k) b[k] = c[k] % 10007;
  }
}

int g_calls = 0;
void add_and_count(void* in, void* inout, int* length, MPI_Datatype* type) {
  ++g_calls;
  if (*type != MPI_INT) line("another type");
  for (int i = 0; i < *length; ++i) {
    static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
  }
}

CASE(user_operation) {
  MPI_Datatype matrix;
  MPI_Type_contiguous(4, MPI_INT, &matrix);
  MPI_Type_commit(&matrix);
  MPI_Op op;
  MPI_Op_create(multiply, 0, &op);
  const int out[8] = {1, rank(), 2, 1, rank(), 1, 1, 3};
  int in[8] = {};
  MPI_Allreduce(out, in, 2, matrix, op, MPI_COMM_WORLD);
  show("allreduce", Ints(in, in + 8));
  MPI_Scan(out, in, 2, matrix, op, MPI_COMM_WORLD);
  show("scan", Ints(in, in + 8));
  MPI_Reduce(out, in, 2, matrix, op, 0, MPI_COMM_WORLD);
  if (rank() == 0) show("reduce", Ints(in, in + 8));
  MPI_Request request;
  MPI_Iallreduce(out, in, 2, matrix, op, MPI_COMM_WORLD, &request);
  MPI_Op_free(&op);
  line("null: %s", yes(op == MPI_OP_NULL));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  show("iallreduce", Ints(in, in + 8));
  MPI_Type_free(&matrix);
}

CASE(calls_of_a_user_operation) {
  // A tool's reductions must not call the program's function.
  MPI_Op op;
  MPI_Op_create(add_and_count, 1, &op);
  g_calls = 0;
  for (int i = 0; i < 10; ++i) {
    const int out = rank();
    int in = -1;
    MPI_Allreduce(&out, &in, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Reduce(&out, &in, 1, MPI_INT, op, 0, MPI_COMM_WORLD);
    MPI_Scan(&out, &in, 1, MPI_INT, op, MPI_COMM_WORLD);
  }
  int commute = -1;
  MPI_Op_commutative(op, &commute);
  line("calls %d, commutes %d", g_calls, commute);
  MPI_Op_free(&op);
}

CASE(reduce_local) {
  const Ints a = numbers(5, 3);
  Ints b = numbers(5, 10);
  show("code", MPI_Reduce_local(a.data(), b.data(), 5, MPI_INT, MPI_SUM));
  show("data", b);
}

void nested(void* in, void* inout, int* length, MPI_Datatype*) {
  // A reduction operation that itself calls MPI.
  int own = -1;
  MPI_Comm_rank(MPI_COMM_SELF, &own);
  int bytes = 0;
  MPI_Type_size(MPI_INT, &bytes);
  for (int i = 0; i < *length; ++i) {
    static_cast<int*>(inout)[i] += static_cast<int*>(in)[i] + own + bytes - 4;
  }
}

CASE(operation_that_calls_mpi) {
  MPI_Op op;
  MPI_Op_create(nested, 1, &op);
  const int out = rank();
  int in = -1;
  MPI_Allreduce(&out, &in, 1, MPI_INT, op, MPI_COMM_WORLD);
  line("sum %d", in);
  MPI_Op_free(&op);
}

CASE(types_with_gaps) {
  MPI_Datatype column;
  MPI_Datatype resized;
  MPI_Type_vector(3, 1, 4, MPI_INT, &column);
  MPI_Type_create_resized(column, 0, sizeof(int), &resized);
  MPI_Type_commit(&resized);
  Ints matrix = numbers(12, rank() * 100);
  Ints in(static_cast<size_t>(3 * size()), -1);
  MPI_Allgather(matrix.data() + 1, 1, resized, in.data(), 3, MPI_INT,
                MPI_COMM_WORLD);
  show("columns", in);
  MPI_Bcast(matrix.data() + 2, 1, resized, 0, MPI_COMM_WORLD);
  show("matrix", matrix);
  MPI_Type_free(&column);
  MPI_Type_free(&resized);
}

CASE(signatures_that_match_in_other_counts) {
  // The root sends pairs, the others receive single numbers.
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  Ints data = rank() == 0 ? numbers(6, 5) : Ints(6, -1);
  if (rank() == 0) {
    MPI_Bcast(data.data(), 3, pair, 0, MPI_COMM_WORLD);
  } else {
    MPI_Bcast(data.data(), 6, MPI_INT, 0, MPI_COMM_WORLD);
  }
  show("bcast", data);
  Ints in(static_cast<size_t>(size() * 2), -1);
  const int own[2] = {rank(), rank() + 1};
  MPI_Gather(own, rank() % 2 == 0 ? 2 : 1, rank() % 2 == 0 ? MPI_INT : pair,
             in.data(), 1, pair, 0, MPI_COMM_WORLD);
  if (rank() == 0) show("gather", in);
  MPI_Type_free(&pair);
}

CASE(type_of_no_size) {
  MPI_Datatype empty;
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  int value = rank();
  show("bcast", MPI_Bcast(&value, 5, empty, 0, MPI_COMM_WORLD));
  int other = -1;
  show("gather",
       MPI_Gather(&value, 5, empty, &other, 5, empty, 0, MPI_COMM_WORLD));
  line("%d %d", value, other);
  MPI_Type_free(&empty);
}

CASE(roots_run_ahead) {
  // The root of a broadcast need not wait; what follows must still be right.
  for (int i = 0; i < 300; ++i) {
    int value = rank() == i % size() ? i : -1;
    MPI_Bcast(&value, 1, MPI_INT, i % size(), MPI_COMM_WORLD);
    if (value != i) line("wrong %d in %d", value, i);
  }
  for (int i = 0; i < 300; ++i) {
    int sum = 0;
    MPI_Reduce(&i, &sum, 1, MPI_INT, MPI_SUM, i % size(), MPI_COMM_WORLD);
    if (rank() == i % size() && sum != i * size()) line("wrong %d", sum);
  }
  line("done");
}

CASE(long_run_of_one_root) {
  for (int i = 0; i < 3000; ++i) {
    int value = rank() == 0 ? i : -1;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (value != i) line("wrong %d in %d", value, i);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  line("done");
}

CASE(nonblocking_across_communicators) {
  MPI_Comm comms[3];
  for (MPI_Comm& c : comms) MPI_Comm_dup(MPI_COMM_WORLD, &c);
  MPI_Request requests[3];
  int in[3] = {-1, -1, -1};
  const int out = rank() + 1;
  // The order between communicators is not prescribed.
  for (int i = 0; i < 3; ++i) {
    const int which = (i + rank()) % 3;
    MPI_Iallreduce(&out, &in[which], 1, MPI_INT, MPI_SUM, comms[which],
                   &requests[which]);
  }
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  show("sums", Ints(in, in + 3));
  for (MPI_Comm& c : comms) MPI_Comm_free(&c);
}

CASE(nonblocking_left_pending) {
  // Many, completed by one call at the end.
  constexpr size_t kCount = 300;
  std::vector<MPI_Request> requests(kCount);
  Ints in(kCount, -1);
  Ints out = numbers(kCount, rank());
  for (size_t i = 0; i < kCount; ++i) {
    MPI_Iallreduce(&out[i], &in[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                   &requests[i]);
  }
  MPI_Waitall(kCount, requests.data(), MPI_STATUSES_IGNORE);
  show("values", in);
}

CASE(on_communicators_of_one) {
  MPI_Comm alone;
  MPI_Comm_split(MPI_COMM_WORLD, rank(), 0, &alone);
  for (const MPI_Comm comm : {MPI_COMM_SELF, alone}) {
    int in = -1;
    const int out = rank() + 1;
    MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, comm);
    line("allreduce %d", in);
    MPI_Gather(&out, 1, MPI_INT, &in, 1, MPI_INT, 0, comm);
    MPI_Alltoall(&out, 1, MPI_INT, &in, 1, MPI_INT, comm);
    MPI_Exscan(&out, &in, 1, MPI_INT, MPI_SUM, comm);
    MPI_Request request;
    MPI_Ibcast(&in, 1, MPI_INT, 0, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ibarrier(comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    line("value %d", in);
    MPI_Barrier(comm);
  }
  MPI_Comm_free(&alone);
}

CASE(large_vectors) {
  const int n = 400000;
  const Ints out = numbers(n, rank());
  Ints in(static_cast<size_t>(n), -1);
  MPI_Allreduce(out.data(), in.data(), n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  line("checksum %u", checksum(in));
  MPI_Request request;
  MPI_Iallreduce(out.data(), in.data(), n, MPI_INT, MPI_MAX, MPI_COMM_WORLD,
                 &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  line("checksum %u", checksum(in));
  MPI_Bcast(in.data(), n, MPI_INT, 0, MPI_COMM_WORLD);
  line("checksum %u", checksum(in));
}

CASE(pcontrol) {
  show("0", MPI_Pcontrol(0));
  show("1", MPI_Pcontrol(1));
  show("2", MPI_Pcontrol(2));
  show("3", MPI_Pcontrol(3, 1.5, "text", nullptr));
  show("1", MPI_Pcontrol(1));
  use("afterwards", MPI_COMM_WORLD);
}

}  // namespace
