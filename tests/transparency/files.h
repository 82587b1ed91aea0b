// A file of all processes, and what each of them has in it.
#ifndef POPRT_TESTS_TRANSPARENCY_FILES_H_
#define POPRT_TESTS_TRANSPARENCY_FILES_H_

#include <algorithm>

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

}  // namespace transparency

#endif  // POPRT_TESTS_TRANSPARENCY_FILES_H_
