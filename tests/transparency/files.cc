// MPI-IO: what files are and have, apart from their content.
#include "files.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "io";

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

}  // namespace
