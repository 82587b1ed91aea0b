// Names and info of communicators: what a tool must not copy, change or show.
#include "transparency.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "attributes";

CASE(names) {
  char name[MPI_MAX_OBJECT_NAME] = {};
  int length = -1;
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    MPI_Comm_get_name(comm, name, &length);
    line("%d: %s", length, name);
  }
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_get_name(comm, name, &length);
  line("new: %d", length);
  MPI_Comm_set_name(comm, "of my own");
  use("comm", comm);
  MPI_Comm_get_name(comm, name, &length);
  line("%d: %s", length, name);
  MPI_Comm child;
  MPI_Comm_split(comm, 0, 0, &child);
  MPI_Comm_get_name(child, name, &length);
  line("child: %d", length);
  MPI_Comm_free(&child);
  MPI_Comm_free(&comm);
  MPI_Datatype type;
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Type_set_name(type, "three");
  MPI_Type_get_name(type, name, &length);
  line("%d: %s", length, name);
  MPI_Type_free(&type);
}

CASE(comm_info) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_assert_no_any_tag", "false");
  MPI_Comm comm;
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
  MPI_Comm_set_info(comm, info);
  MPI_Info got;
  MPI_Comm_get_info(comm, &got);
  int keys = -1;
  MPI_Info_get_nkeys(got, &keys);
  line("keys %d", keys);
  for (int i = 0; i < keys; ++i) {
    char key[MPI_MAX_INFO_KEY + 1] = {};
    char value[200] = {};
    int found = 0;
    MPI_Info_get_nthkey(got, i, key);
    MPI_Info_get(got, key, 199, value, &found);
    line("%s = %s", key, value);
  }
  MPI_Info_free(&got);
  MPI_Info_free(&info);
  use("comm", comm);
  MPI_Comm_free(&comm);
}

CASE(info_of_the_world) {
  MPI_Info got;
  MPI_Comm_get_info(MPI_COMM_WORLD, &got);
  int keys = -1;
  MPI_Info_get_nkeys(got, &keys);
  line("keys %d", keys);
  MPI_Info_free(&got);
}

}  // namespace
