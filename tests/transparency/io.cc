// MPI-IO.
#include <algorithm>

#include "transparency.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "io";

std::string path(const char* name) { return folder() + "/" + name; }

// A file of all processes, deleted when the case is over.
class File {
 public:
  explicit File(const char* name,
                int mode = MPI_MODE_CREATE | MPI_MODE_RDWR |
                           MPI_MODE_DELETE_ON_CLOSE,
                MPI_Comm comm = MPI_COMM_WORLD) {
    show("open",
         MPI_File_open(comm, path(name).c_str(), mode, MPI_INFO_NULL, &handle));
  }
  ~File() {
    show("close", MPI_File_close(&handle));
    line("null: %s", yes(handle == MPI_FILE_NULL));
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // The file's numbers, as the first process sees them when all have written.
  void show_content(int count) {
    MPI_File_sync(handle);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(handle);
    Ints data(static_cast<size_t>(count), -1);
    Status status;
    MPI_File_set_view(handle, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_read_at(handle, 0, data.data(), count, MPI_INT, &status);
    if (rank() == 0) {
      int got = -1;
      MPI_Get_count(&status, MPI_INT, &got);
      data.resize(static_cast<size_t>(std::max(0, got)));
      show("content", data);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  MPI_File handle = MPI_FILE_NULL;
};

void show_count(const char* what, int code, const Status& status) {
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  line("%s: %s, %d", what, name_of_error(code).c_str(), count);
}

constexpr int kEach = 5;
const int kInt = sizeof(int);

struct Data {
  Ints out = numbers(kEach, rank() * 100);
  Ints in = Ints(kEach, -1);
  Status status;
  MPI_Offset place = static_cast<MPI_Offset>(rank()) * kEach * kInt;
};

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

CASE(views) {
  File file("views");
  // Every process writes each size()-th number.
  MPI_Datatype strided;
  MPI_Datatype type;
  MPI_Type_contiguous(1, MPI_INT, &strided);
  MPI_Type_create_resized(strided, 0, size() * kInt, &type);
  MPI_Type_commit(&type);
  Data d;
  MPI_File_set_view(file.handle, rank() * kInt, MPI_INT, type, "native",
                    MPI_INFO_NULL);
  MPI_File_write_all(file.handle, d.out.data(), kEach, MPI_INT, &d.status);
  MPI_File_read_at_all(file.handle, 0, d.in.data(), kEach, MPI_INT, &d.status);
  show("in", d.in);
  MPI_Offset bytes = -1;
  MPI_File_get_byte_offset(file.handle, 2, &bytes);
  line("byte offset %lld", static_cast<long long>(bytes));
  MPI_Offset disp = -1;
  MPI_Datatype etype;
  MPI_Datatype filetype;
  char representation[MPI_MAX_DATAREP_STRING] = {};
  MPI_File_get_view(file.handle, &disp, &etype, &filetype, representation);
  line("view at %lld, %s", static_cast<long long>(disp), representation);
  if (filetype != type) MPI_Type_free(&filetype);
  file.show_content(kEach * size());
  MPI_Type_free(&strided);
  MPI_Type_free(&type);
}

CASE(size_and_preallocate) {
  File file("size");
  MPI_Offset bytes = -1;
  show("set_size", MPI_File_set_size(file.handle, 1000));
  MPI_File_get_size(file.handle, &bytes);
  line("%lld", static_cast<long long>(bytes));
#if !defined(OPEN_MPI)  // 4.1 may hang in the end
  MPI_Barrier(MPI_COMM_WORLD);
  show("preallocate", MPI_File_preallocate(file.handle, 2000));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_get_size(file.handle, &bytes);
  line("%lld", static_cast<long long>(bytes));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_size(file.handle, 10);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_get_size(file.handle, &bytes);
  line("%lld", static_cast<long long>(bytes));
#endif
#if !defined(OPEN_MPI)  // 4.1 may hang
  int atomic = -1;
  show("set_atomicity", MPI_File_set_atomicity(file.handle, 1));
  MPI_File_get_atomicity(file.handle, &atomic);
  line("atomic %d", atomic);
#endif
  show("sync", MPI_File_sync(file.handle));
  int mode = -1;
  MPI_File_get_amode(file.handle, &mode);
  line("read and write %s", yes((mode & MPI_MODE_RDWR) != 0));
  MPI_Group group;
  int n = -1;
  MPI_File_get_group(file.handle, &group);
  MPI_Group_size(group, &n);
  MPI_Group_free(&group);
  line("group of %d", n);
  MPI_Aint extent = -1;
  MPI_File_get_type_extent(file.handle, MPI_INT, &extent);
  line("extent %ld", static_cast<long>(extent));
}

CASE(end_of_file) {
  File file("end");
  Data d;
  MPI_File_write_at_all(file.handle, d.place, d.out.data(), kEach, MPI_INT,
                        &d.status);
  MPI_File_sync(file.handle);
  MPI_Barrier(MPI_COMM_WORLD);
  const MPI_Offset last = static_cast<MPI_Offset>(size()) * kEach * kInt;
  show_count("beyond",
             MPI_File_read_at(file.handle, last + 100, d.in.data(), kEach,
                              MPI_INT, &d.status),
             d.status);
  show_count("partly",
             MPI_File_read_at_all(file.handle, last - 2 * kInt, d.in.data(),
                                  kEach, MPI_INT, &d.status),
             d.status);
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

CASE(open_of_a_missing_file) {
  MPI_File handle = MPI_FILE_NULL;
  for (int i = 0; i < 3; ++i) {
    show("open", MPI_File_open(MPI_COMM_WORLD, path("missing").c_str(),
                               MPI_MODE_RDONLY, MPI_INFO_NULL, &handle));
    line("null: %s", yes(handle == MPI_FILE_NULL));
    use("afterwards", MPI_COMM_WORLD);
  }
  show("delete", MPI_File_delete(path("missing").c_str(), MPI_INFO_NULL));
}

CASE(open_with_wrong_modes) {
  MPI_File handle = MPI_FILE_NULL;
  show("open",
       MPI_File_open(MPI_COMM_WORLD, path("modes").c_str(),
                     MPI_MODE_RDONLY | MPI_MODE_RDWR, MPI_INFO_NULL, &handle));
  use("afterwards", MPI_COMM_WORLD);
}

int g_handled = 0;
MPI_File g_handled_file = MPI_FILE_NULL;
void handle_file(MPI_File* file, int*, ...) {
  ++g_handled;
  g_handled_file = *file;
}

CASE(errors_of_files) {
  File file("errors");
  Data d;
  show("count",
       MPI_File_write_at(file.handle, 0, d.out.data(), -1, MPI_INT, &d.status));
  show("type", MPI_File_read_at(file.handle, 0, d.in.data(), 1,
                                MPI_DATATYPE_NULL, &d.status));
  show("offset",
       MPI_File_write_at(file.handle, -5, d.out.data(), 1, MPI_INT, &d.status));
  MPI_Errhandler handler;
  MPI_File_create_errhandler(handle_file, &handler);
  MPI_File_set_errhandler(file.handle, handler);
  MPI_File_write_at(file.handle, 0, d.out.data(), -1, MPI_INT, &d.status);
  line("handled %d, right one %s", g_handled,
       yes(g_handled_file == file.handle));
  MPI_File_call_errhandler(file.handle, MPI_ERR_OTHER);
  line("handled %d", g_handled);
  MPI_Errhandler_free(&handler);
  use("afterwards", MPI_COMM_WORLD);
}

CASE(file_of_one_process) {
  const std::string name = "own" + std::to_string(rank());
  File file(name.c_str(),
            MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
            MPI_COMM_SELF);
  Data d;
  MPI_File_write_at_all(file.handle, 0, d.out.data(), kEach, MPI_INT,
                        &d.status);
  MPI_File_read_at(file.handle, 0, d.in.data(), kEach, MPI_INT, &d.status);
  show("in", d.in);
}

CASE(append_and_reopen) {
  {
    File file("append", MPI_MODE_CREATE | MPI_MODE_WRONLY);
    Data d;
    MPI_File_write_at_all(file.handle, d.place, d.out.data(), kEach, MPI_INT,
                          &d.status);
  }
  {
    File file("append", MPI_MODE_RDWR | MPI_MODE_APPEND);
    MPI_Offset where = -1;
    MPI_File_get_position(file.handle, &where);
    line("position %lld", static_cast<long long>(where));
    file.show_content(kEach * size());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0) {
    show("delete", MPI_File_delete(path("append").c_str(), MPI_INFO_NULL));
  }
}

CASE(info_of_files) {
  File file("info");
  MPI_Info info;
  int keys = -1;
  MPI_File_get_info(file.handle, &info);
  MPI_Info_get_nkeys(info, &keys);
  line("keys %s", yes(keys >= 0));
  show("set_info", MPI_File_set_info(file.handle, info));
  MPI_Info_free(&info);
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
