// MPI-IO: all ways to read and to write.
#include "files.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "io";

CASE(at) {
  File file("at");
  Data d;
  show_count("write",
             MPI_File_write_at(file.handle, d.place, d.out.data(), kEach,
                               MPI_INT, &d.status),
             d.status);
  show_count("read",
             MPI_File_read_at(file.handle, d.place, d.in.data(), kEach, MPI_INT,
                              &d.status),
             d.status);
  show("in", d.in);
  file.show_content(kEach * size());
}

CASE(at_all) {
  File file("at_all");
  Data d;
  show_count("write",
             MPI_File_write_at_all(file.handle, d.place, d.out.data(), kEach,
                                   MPI_INT, &d.status),
             d.status);
  show_count("read",
             MPI_File_read_at_all(file.handle, d.place, d.in.data(), kEach,
                                  MPI_INT, &d.status),
             d.status);
  show("in", d.in);
  file.show_content(kEach * size());
}

CASE(individual_pointers) {
  File file("individual");
  Data d;
  MPI_File_seek(file.handle, d.place, MPI_SEEK_SET);
  show_count(
      "write",
      MPI_File_write(file.handle, d.out.data(), kEach, MPI_INT, &d.status),
      d.status);
  MPI_Offset where = -1;
  MPI_File_get_position(file.handle, &where);
  line("position %lld", static_cast<long long>(where));
  MPI_File_seek(file.handle, -kEach * kInt, MPI_SEEK_CUR);
  show_count("read",
             MPI_File_read(file.handle, d.in.data(), kEach, MPI_INT, &d.status),
             d.status);
  show("in", d.in);
  file.show_content(kEach * size());
}

CASE(collective_pointers) {
  File file("collective");
  Data d;
  MPI_File_seek(file.handle, d.place, MPI_SEEK_SET);
  show_count(
      "write",
      MPI_File_write_all(file.handle, d.out.data(), kEach, MPI_INT, &d.status),
      d.status);
  MPI_File_seek(file.handle, d.place, MPI_SEEK_SET);
  show_count(
      "read",
      MPI_File_read_all(file.handle, d.in.data(), kEach, MPI_INT, &d.status),
      d.status);
  show("in", d.in);
  file.show_content(kEach * size());
}

CASE(ordered) {
  File file("ordered");
  Data d;
  show_count("write",
             MPI_File_write_ordered(file.handle, d.out.data(), kEach, MPI_INT,
                                    &d.status),
             d.status);
  MPI_File_seek_shared(file.handle, 0, MPI_SEEK_SET);
  show_count("read",
             MPI_File_read_ordered(file.handle, d.in.data(), kEach, MPI_INT,
                                   &d.status),
             d.status);
  show("in", d.in);
  MPI_Offset where = -1;
  MPI_File_get_position_shared(file.handle, &where);
  line("position %lld", static_cast<long long>(where));
  file.show_content(kEach * size());
}

CASE(shared_pointer) {
  File file("shared");
  Data d;
  show_count("write",
             MPI_File_write_shared(file.handle, d.out.data(), kEach, MPI_INT,
                                   &d.status),
             d.status);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek_shared(file.handle, 0, MPI_SEEK_SET);
  show_count(
      "read",
      MPI_File_read_shared(file.handle, d.in.data(), kEach, MPI_INT, &d.status),
      d.status);
  // The order of accesses by the shared file pointer is not determined. So the
  // part that a process reads varies, but the sum over all processes does not.
  int sum = 0;
  const int own = std::accumulate(d.in.begin(), d.in.end(), 0);
  MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  line("sum %d", sum);
}

CASE(split_at_all) {
  File file("split_at_all");
  Data d;
  MPI_File_write_at_all_begin(file.handle, d.place, d.out.data(), kEach,
                              MPI_INT);
  use("meanwhile", MPI_COMM_WORLD);
  show_count("write",
             MPI_File_write_at_all_end(file.handle, d.out.data(), &d.status),
             d.status);
  MPI_File_read_at_all_begin(file.handle, d.place, d.in.data(), kEach, MPI_INT);
  show_count("read",
             MPI_File_read_at_all_end(file.handle, d.in.data(), &d.status),
             d.status);
  show("in", d.in);
}

CASE(split_all) {
  File file("split_all");
  Data d;
  MPI_File_seek(file.handle, d.place, MPI_SEEK_SET);
  MPI_File_write_all_begin(file.handle, d.out.data(), kEach, MPI_INT);
  show_count("write",
             MPI_File_write_all_end(file.handle, d.out.data(), &d.status),
             d.status);
  MPI_File_seek(file.handle, d.place, MPI_SEEK_SET);
  MPI_File_read_all_begin(file.handle, d.in.data(), kEach, MPI_INT);
  show_count("read", MPI_File_read_all_end(file.handle, d.in.data(), &d.status),
             d.status);
  show("in", d.in);
}

CASE(split_ordered) {
  File file("split_ordered");
  Data d;
  MPI_File_write_ordered_begin(file.handle, d.out.data(), kEach, MPI_INT);
  show_count("write",
             MPI_File_write_ordered_end(file.handle, d.out.data(), &d.status),
             d.status);
  MPI_File_seek_shared(file.handle, 0, MPI_SEEK_SET);
  MPI_File_read_ordered_begin(file.handle, d.in.data(), kEach, MPI_INT);
  show_count("read",
             MPI_File_read_ordered_end(file.handle, d.in.data(), &d.status),
             d.status);
  show("in", d.in);
}

CASE(nonblocking_at) {
  File file("iat");
  Data d;
  MPI_Request request;
  MPI_File_iwrite_at(file.handle, d.place, d.out.data(), kEach, MPI_INT,
                     &request);
  show_count("write", MPI_Wait(&request, &d.status), d.status);
  MPI_File_iread_at(file.handle, d.place, d.in.data(), kEach, MPI_INT,
                    &request);
  for (int flag = 0; flag == 0;) MPI_Test(&request, &flag, &d.status);
  show_count("read", MPI_SUCCESS, d.status);
  show("in", d.in);
}

CASE(nonblocking_pointers) {
  File file("individual_nonblocking");
  Data d;
  MPI_Request request;
  MPI_File_seek(file.handle, d.place, MPI_SEEK_SET);
  MPI_File_iwrite(file.handle, d.out.data(), kEach, MPI_INT, &request);
  show_count("write", MPI_Wait(&request, &d.status), d.status);
  MPI_File_seek(file.handle, d.place, MPI_SEEK_SET);
  MPI_File_iread(file.handle, d.in.data(), kEach, MPI_INT, &request);
  show("waitall", MPI_Waitall(1, &request, MPI_STATUSES_IGNORE));
  show("in", d.in);
  // All processes have read before the beginning is overwritten.
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_iwrite_shared(file.handle, d.out.data(), kEach, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek_shared(file.handle, 0, MPI_SEEK_SET);
  MPI_File_iread_shared(file.handle, d.in.data(), kEach, MPI_INT, &request);
  show_count("shared", MPI_Wait(&request, &d.status), d.status);
}

CASE(nonblocking_collective) {
  File file("iall");
  Data d;
  MPI_Request request;
  MPI_File_iwrite_at_all(file.handle, d.place, d.out.data(), kEach, MPI_INT,
                         &request);
  show("write", MPI_Wait(&request, MPI_STATUS_IGNORE));
  MPI_File_iread_at_all(file.handle, d.place, d.in.data(), kEach, MPI_INT,
                        &request);
  show("read", MPI_Wait(&request, MPI_STATUS_IGNORE));
  show("in", d.in);
  MPI_File_seek(file.handle, d.place, MPI_SEEK_SET);
  MPI_File_iwrite_all(file.handle, d.out.data(), kEach, MPI_INT, &request);
  show("write", MPI_Wait(&request, MPI_STATUS_IGNORE));
  MPI_File_seek(file.handle, d.place, MPI_SEEK_SET);
  MPI_File_iread_all(file.handle, d.in.data(), kEach, MPI_INT, &request);
  show("read", MPI_Wait(&request, MPI_STATUS_IGNORE));
  show("in", d.in);
}

CASE(requests_mixed_with_messages) {
  File file("mixed");
  Data d;
  int in = -1;
  const int out = rank() + 2;
  MPI_Request requests[3];
  Status statuses[3];
  MPI_File_iwrite_at(file.handle, d.place, d.out.data(), kEach, MPI_INT,
                     &requests[0]);
  MPI_Irecv(&in, 1, MPI_INT, previous(), 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&out, 1, MPI_INT, next(), 0, MPI_COMM_WORLD, &requests[2]);
  show("waitall", MPI_Waitall(3, requests, statuses));
  show_count("write", MPI_SUCCESS, statuses[0]);
  show("receive", statuses[1]);
  line("value %d", in);
  file.show_content(kEach * size());
}

CASE(statuses_ignored) {
  File file("ignored");
  Data d;
  MPI_File_write_at(file.handle, d.place, d.out.data(), kEach, MPI_INT,
                    MPI_STATUS_IGNORE);
  MPI_File_write_at_all(file.handle, d.place, d.out.data(), kEach, MPI_INT,
                        MPI_STATUS_IGNORE);
  MPI_File_read_at_all(file.handle, d.place, d.in.data(), kEach, MPI_INT,
                       MPI_STATUS_IGNORE);
  show("in", d.in);
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
