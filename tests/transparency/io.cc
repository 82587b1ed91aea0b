// MPI-IO: all ways to read and to write.
#include "files.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "io";

CASE(at) {
  Access file("at");
  file.show_write(MPI_File_write_at);
  file.show_read(MPI_File_read_at);
  file.show_all();
}

CASE(at_all) {
  Access file("at_all");
  file.show_write(MPI_File_write_at_all);
  file.show_read(MPI_File_read_at_all);
  file.show_all();
}

CASE(individual_pointers) {
  Access file("individual");
  file.seek();
  file.show_write(MPI_File_write);
  MPI_Offset where = -1;
  MPI_File_get_position(file.handle, &where);
  line("position %lld", static_cast<long long>(where));
  MPI_File_seek(file.handle, -kEach * kInt, MPI_SEEK_CUR);
  file.show_read(MPI_File_read);
  file.show_all();
}

CASE(collective_pointers) {
  Access file("collective");
  file.seek();
  file.show_write(MPI_File_write_all);
  file.seek();
  file.show_read(MPI_File_read_all);
  file.show_all();
}

CASE(ordered) {
  Access file("ordered");
  file.show_write(MPI_File_write_ordered);
  file.rewind_shared();
  file.show_read(MPI_File_read_ordered);
  MPI_Offset where = -1;
  MPI_File_get_position_shared(file.handle, &where);
  line("position %lld", static_cast<long long>(where));
  file.show_all();
}

CASE(shared_pointer) {
  Access file("shared");
  file.show_write(MPI_File_write_shared);
  MPI_Barrier(MPI_COMM_WORLD);
  file.rewind_shared();
  show_count("read", file.read(MPI_File_read_shared, &file.status),
             file.status);
  // The order of accesses by the shared file pointer is not determined. So the
  // part that a process reads varies, but the sum over all processes does not.
  int sum = 0;
  const int own = std::accumulate(file.in.begin(), file.in.end(), 0);
  MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  line("sum %d", sum);
}

CASE(split_at_all) {
  Access file("split_at_all");
  file.write(MPI_File_write_at_all_begin);
  use("meanwhile", MPI_COMM_WORLD);
  file.show_end("write", MPI_File_write_at_all_end, file.out.data());
  file.read(MPI_File_read_at_all_begin);
  file.show_end("read", MPI_File_read_at_all_end, file.in.data());
  show("in", file.in);
}

CASE(split_all) {
  Access file("split_all");
  file.seek();
  file.write(MPI_File_write_all_begin);
  file.show_end("write", MPI_File_write_all_end, file.out.data());
  file.seek();
  file.read(MPI_File_read_all_begin);
  file.show_end("read", MPI_File_read_all_end, file.in.data());
  show("in", file.in);
}

CASE(split_ordered) {
  Access file("split_ordered");
  file.write(MPI_File_write_ordered_begin);
  file.show_end("write", MPI_File_write_ordered_end, file.out.data());
  file.rewind_shared();
  file.read(MPI_File_read_ordered_begin);
  file.show_end("read", MPI_File_read_ordered_end, file.in.data());
  show("in", file.in);
}

CASE(nonblocking_at) {
  Access file("iat");
  MPI_Request request;
  file.write(MPI_File_iwrite_at, &request);
  show_count("write", MPI_Wait(&request, &file.status), file.status);
  file.read(MPI_File_iread_at, &request);
  for (int flag = 0; flag == 0;) MPI_Test(&request, &flag, &file.status);
  show_count("read", MPI_SUCCESS, file.status);
  show("in", file.in);
}

CASE(nonblocking_pointers) {
  Access file("individual_nonblocking");
  MPI_Request request;
  file.seek();
  file.write(MPI_File_iwrite, &request);
  show_count("write", MPI_Wait(&request, &file.status), file.status);
  file.seek();
  file.read(MPI_File_iread, &request);
  show("waitall", MPI_Waitall(1, &request, MPI_STATUSES_IGNORE));
  show("in", file.in);
  // All processes have read before the beginning is overwritten.
  MPI_Barrier(MPI_COMM_WORLD);
  file.write(MPI_File_iwrite_shared, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  file.rewind_shared();
  file.read(MPI_File_iread_shared, &request);
  show_count("shared", MPI_Wait(&request, &file.status), file.status);
}

CASE(nonblocking_collective) {
  Access file("iall");
  MPI_Request request;
  file.write(MPI_File_iwrite_at_all, &request);
  show("write", MPI_Wait(&request, MPI_STATUS_IGNORE));
  file.read(MPI_File_iread_at_all, &request);
  show("read", MPI_Wait(&request, MPI_STATUS_IGNORE));
  show("in", file.in);
  file.seek();
  file.write(MPI_File_iwrite_all, &request);
  show("write", MPI_Wait(&request, MPI_STATUS_IGNORE));
  file.seek();
  file.read(MPI_File_iread_all, &request);
  show("read", MPI_Wait(&request, MPI_STATUS_IGNORE));
  show("in", file.in);
}

CASE(requests_mixed_with_messages) {
  Access file("mixed");
  int in = -1;
  const int out = rank() + 2;
  MPI_Request requests[3];
  Status statuses[3];
  file.write(MPI_File_iwrite_at, &requests[0]);
  MPI_Irecv(&in, 1, MPI_INT, previous(), 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&out, 1, MPI_INT, next(), 0, MPI_COMM_WORLD, &requests[2]);
  show("waitall", MPI_Waitall(3, requests, statuses));
  show_count("write", MPI_SUCCESS, statuses[0]);
  show("receive", statuses[1]);
  line("value %d", in);
  file.show_all();
}

CASE(statuses_ignored) {
  Access file("ignored");
  file.write(MPI_File_write_at, MPI_STATUS_IGNORE);
  file.write(MPI_File_write_at_all, MPI_STATUS_IGNORE);
  file.read(MPI_File_read_at_all, MPI_STATUS_IGNORE);
  show("in", file.in);
}

CASE(zero_counts) {
  File file("zero");
  Status status;
  show_count(
      "write",
      MPI_File_write_at_all(file.handle, 0, nullptr, 0, MPI_INT, &status),
      status);
  show_count("read",
             MPI_File_read_at(file.handle, 0, nullptr, 0, MPI_INT, &status),
             status);
}

CASE(large_collective_write) {
  File file("large");
  const int n = 200000;
  const Ints out = numbers(n, rank());
  Ints in(static_cast<size_t>(n), -1);
  const MPI_Offset place = static_cast<MPI_Offset>(rank()) * n * kInt;
  MPI_File_write_at_all(file.handle, place, out.data(), n, MPI_INT,
                        MPI_STATUS_IGNORE);
  MPI_File_sync(file.handle);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file.handle);
  MPI_File_read_at_all(file.handle, static_cast<MPI_Offset>(next()) * n * kInt,
                       in.data(), n, MPI_INT, MPI_STATUS_IGNORE);
  line("checksum %u", checksum(in));
}

}  // namespace
