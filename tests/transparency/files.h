// A file of all processes, and what each of them has in it.
#ifndef POPRT_TESTS_TRANSPARENCY_FILES_H_
#define POPRT_TESTS_TRANSPARENCY_FILES_H_

#include <algorithm>
#include <type_traits>

#include "transparency.h"

namespace transparency {

inline std::string path(const char* name) { return folder() + "/" + name; }

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

inline void show_count(const char* what, int code, const Status& status) {
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  line("%s: %s, %d", what, name_of_error(code).c_str(), count);
}

constexpr int kEach = 5;
inline const int kInt = sizeof(int);

struct Data {
  Ints out = numbers(kEach, rank() * 100);
  Ints in = Ints(kEach, -1);
  Status status;
  MPI_Offset place = static_cast<MPI_Offset>(rank()) * kEach * kInt;
};

// Each process with its own part of a file. `last` is what a call takes behind
// the data: a status, a request, or nothing.
struct Access : File, Data {
  using File::File;

  template <class Call, class Buffer, class... Last>
  int access(Call call, Buffer buffer, Last... last) {
    if constexpr (std::is_invocable_v<Call, MPI_File, MPI_Offset, Buffer, int,
                                      MPI_Datatype, Last...>) {
      return call(handle, place, buffer, kEach, MPI_INT, last...);
    } else {
      return call(handle, buffer, kEach, MPI_INT, last...);
    }
  }
  template <class Call, class... Last>
  int write(Call call, Last... last) {
    return access(call, out.data(), last...);
  }
  template <class Call, class... Last>
  int read(Call call, Last... last) {
    return access(call, in.data(), last...);
  }
  template <class Call>
  void show_write(Call call) {
    show_count("write", write(call, &status), status);
  }
  template <class Call>
  void show_read(Call call) {
    show_count("read", read(call, &status), status);
    show("in", in);
  }
  template <class Call>
  void show_end(const char* what, Call call, const int* buffer) {
    show_count(what, call(handle, const_cast<int*>(buffer), &status), status);
  }
  void seek() { MPI_File_seek(handle, place, MPI_SEEK_SET); }
  void rewind_shared() { MPI_File_seek_shared(handle, 0, MPI_SEEK_SET); }
  void show_all() { show_content(kEach * size()); }
};

}  // namespace transparency

#endif  // POPRT_TESTS_TRANSPARENCY_FILES_H_
