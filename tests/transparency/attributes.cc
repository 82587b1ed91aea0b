// Attributes: what belongs to a communicator must not be copied, deleted or
// seen by a tool.
#include "transparency.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "attributes";

int g_copies = 0;
int g_deletes = 0;
MPI_Comm g_copied = MPI_COMM_NULL;
MPI_Comm g_deleted = MPI_COMM_NULL;

int copy(MPI_Comm comm, int, void* extra, void* value, void* copied,
         int* flag) {
  ++g_copies;
  g_copied = comm;
  *static_cast<void**>(copied) =
      static_cast<char*>(value) + *static_cast<int*>(extra);
  *flag = 1;
  return MPI_SUCCESS;
}

int copy_never(MPI_Comm, int, void*, void*, void*, int* flag) {
  ++g_copies;
  *flag = 0;
  return MPI_SUCCESS;
}

int remove(MPI_Comm comm, int, void*, void*) {
  ++g_deletes;
  g_deleted = comm;
  return MPI_SUCCESS;
}

void show_calls(const char* what, MPI_Comm copied, MPI_Comm deleted) {
  line("%s: %d copies, of the right one %s; %d deletes, of the right one %s",
       what, g_copies, yes(g_copied == copied), g_deletes,
       yes(g_deleted == deleted));
  g_copies = g_deletes = 0;
  g_copied = g_deleted = MPI_COMM_NULL;
}

long value_of(MPI_Comm comm, int key) {
  void* value = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, key, &value, &found);
  return found != 0 ? static_cast<long>(reinterpret_cast<intptr_t>(value)) : -1;
}

void set(MPI_Comm comm, int key, intptr_t value) {
  MPI_Comm_set_attr(comm, key, reinterpret_cast<void*>(value));
}

// A key with an attribute on a copy of the world, for which `make` is called.
template <class Make>
void with_attribute(MPI_Comm_copy_attr_function* copy_function, Make make) {
  int one = 1;
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(copy_function, remove, &key, &one);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  show_calls("before", MPI_COMM_NULL, MPI_COMM_NULL);
  set(comm, key, 40);
  make(comm, key);
  show_calls("made", comm, MPI_COMM_NULL);
  MPI_Comm freed = comm;
  MPI_Comm_free(&comm);
  show_calls("freed", MPI_COMM_NULL, freed);
  MPI_Comm_free_keyval(&key);
  line("invalid: %s", yes(key == MPI_KEYVAL_INVALID));
}

void use_and_free(MPI_Comm comm, int key) {
  line("value %ld", value_of(comm, key));
  use("child", comm);
  show_calls("used", MPI_COMM_NULL, MPI_COMM_NULL);
  MPI_Comm freed = comm;
  MPI_Comm_free(&comm);
  show_calls("child freed", MPI_COMM_NULL, freed);
}

CASE(dup) {
  with_attribute(copy, [](MPI_Comm comm, int key) {
    MPI_Comm child;
    MPI_Comm_dup(comm, &child);
    show_calls("dup", comm, MPI_COMM_NULL);
    use_and_free(child, key);
  });
}

CASE(dup_without_copy) {
  with_attribute(copy_never, [](MPI_Comm comm, int key) {
    MPI_Comm child;
    MPI_Comm_dup(comm, &child);
    show_calls("dup", MPI_COMM_NULL, MPI_COMM_NULL);
    use_and_free(child, key);
  });
}

CASE(dup_with_predefined_functions) {
  with_attribute(MPI_COMM_DUP_FN, [](MPI_Comm comm, int key) {
    MPI_Comm child;
    MPI_Comm_dup(comm, &child);
    use_and_free(child, key);
  });
  with_attribute(MPI_COMM_NULL_COPY_FN, [](MPI_Comm comm, int key) {
    MPI_Comm child;
    MPI_Comm_dup(comm, &child);
    use_and_free(child, key);
  });
}

CASE(idup) {
  with_attribute(copy, [](MPI_Comm comm, int key) {
    MPI_Comm child;
    MPI_Request request;
    MPI_Comm_idup(comm, &child, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    show_calls("idup", comm, MPI_COMM_NULL);
    use_and_free(child, key);
  });
}

CASE(dup_with_info) {
  with_attribute(copy, [](MPI_Comm comm, int key) {
    MPI_Comm child;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "poprt_test_key", "value");
    MPI_Comm_dup_with_info(comm, info, &child);
    MPI_Info_free(&info);
    show_calls("dup", comm, MPI_COMM_NULL);
    use_and_free(child, key);
  });
}

CASE(not_by_other_constructors) {
  with_attribute(copy, [](MPI_Comm comm, int key) {
    MPI_Comm child;
    MPI_Comm_split(comm, 0, rank(), &child);
    show_calls("split", MPI_COMM_NULL, MPI_COMM_NULL);
    use_and_free(child, key);
    MPI_Group group;
    MPI_Comm_group(comm, &group);
    MPI_Comm_create(comm, group, &child);
    show_calls("create", MPI_COMM_NULL, MPI_COMM_NULL);
    use_and_free(child, key);
    MPI_Comm_create_group(comm, group, 3, &child);
    show_calls("create_group", MPI_COMM_NULL, MPI_COMM_NULL);
    use_and_free(child, key);
    MPI_Group_free(&group);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank(), MPI_INFO_NULL,
                        &child);
    show_calls("split_type", MPI_COMM_NULL, MPI_COMM_NULL);
    use_and_free(child, key);
    const int dims[1] = {size()};
    const int periods[1] = {1};
    MPI_Cart_create(comm, 1, dims, periods, 0, &child);
    show_calls("cart", MPI_COMM_NULL, MPI_COMM_NULL);
    use_and_free(child, key);
  });
}

CASE(not_by_calls_that_communicate) {
  with_attribute(copy, [](MPI_Comm comm, int) {
    use("comm", comm);
    for (int i = 0; i < 20; ++i) {
      int value = i;
      MPI_Bcast(&value, 1, MPI_INT, 0, comm);
      MPI_Barrier(comm);
      MPI_Request request;
      MPI_Ibarrier(comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    int* memory = nullptr;
    MPI_Win window;
    MPI_Win_allocate(8, 1, MPI_INFO_NULL, comm, &memory, &window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
  });
}

int copy_fails(MPI_Comm, int, void*, void*, void*, int*) {
  ++g_copies;
  return MPI_ERR_OTHER;
}

CASE(copy_that_fails) {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(copy_fails, remove, &key, nullptr);
  MPI_Comm comm;
  MPI_Comm child = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  set(comm, key, 5);
  show("dup", MPI_Comm_dup(comm, &child));
  line("copies %d", g_copies);
  g_copies = 0;
  use("afterwards", comm);
  MPI_Comm_delete_attr(comm, key);
  MPI_Comm_dup(comm, &child);
  use("child", child);
  MPI_Comm_free(&child);
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&key);
  g_deletes = 0;
}

int g_delete_result = MPI_ERR_OTHER;
int delete_fails(MPI_Comm, int, void*, void*) { return g_delete_result; }

CASE(delete_that_fails) {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_fails, &key, nullptr);
  ErrorsReturn errors(MPI_COMM_SELF);
  set(MPI_COMM_SELF, key, 5);
  show("delete", MPI_Comm_delete_attr(MPI_COMM_SELF, key));
  use("afterwards", MPI_COMM_WORLD);
  g_delete_result = MPI_SUCCESS;
  MPI_Comm_delete_attr(MPI_COMM_SELF, key);
  MPI_Comm_free_keyval(&key);
}

int delete_and_communicate(MPI_Comm comm, int, void*, void*) {
  int in = -1;
  const int out = 8;
  MPI_Sendrecv(&out, 1, MPI_INT, rank(), 3, &in, 1, MPI_INT, rank(), 3,
               comm == MPI_COMM_SELF ? MPI_COMM_WORLD : comm,
               MPI_STATUS_IGNORE);
  int sum = -1;
  MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, comm);
  line("deleted: %d, sum %d", in, sum);
  return MPI_SUCCESS;
}

CASE(delete_that_communicates) {
  // The delete function communicates on the communicator that is being freed.
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_and_communicate, &key,
                         nullptr);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  set(comm, key, 3);
  show("free", MPI_Comm_free(&comm));
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  set(comm, key, 3);
  show("disconnect", MPI_Comm_disconnect(&comm));
  MPI_Comm_free_keyval(&key);
}

CASE(keyvals_are_numbered_alike) {
  // Keys that a tool creates for itself must not show.
  int keys[3];
  for (int& key : keys) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key,
                           nullptr);
  }
  line("different: %s", yes(keys[0] != keys[1] && keys[1] != keys[2]));
  for (int& key : keys) {
    line("found: %ld", value_of(MPI_COMM_WORLD, key));
    MPI_Comm_free_keyval(&key);
  }
}

CASE(predefined) {
  const auto number = [](int key, const char* name) {
    int* value = nullptr;
    int found = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &found);
    line("%s: found %d, %d", name, found, found != 0 ? *value : -1);
  };
  number(MPI_TAG_UB, "tag bound");
  number(MPI_HOST, "host");
  number(MPI_IO, "io");
  number(MPI_WTIME_IS_GLOBAL, "global time");
  number(MPI_APPNUM, "application");
}

CASE(type_attributes) {
  static int copies = 0;
  static int deletes = 0;
  struct Local {
    static int copy(MPI_Datatype, int, void*, void* value, void* copied,
                    int* flag) {
      ++copies;
      *static_cast<void**>(copied) = value;
      *flag = 1;
      return MPI_SUCCESS;
    }
    static int remove(MPI_Datatype, int, void*, void*) {
      ++deletes;
      return MPI_SUCCESS;
    }
  };
  int key = MPI_KEYVAL_INVALID;
  MPI_Type_create_keyval(Local::copy, Local::remove, &key, nullptr);
  MPI_Datatype type;
  MPI_Datatype child;
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Type_set_attr(type, key, nullptr);
  int data[2] = {1, 2};
  // Communication with the type does not copy its attributes.
  MPI_Bcast(data, 1, type, 0, MPI_COMM_WORLD);
  MPI_Sendrecv_replace(data, 1, type, next(), 0, previous(), 0, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  line("copies %d, deletes %d", copies, deletes);
  MPI_Type_dup(type, &child);
  line("copies %d, deletes %d", copies, deletes);
  MPI_Type_free(&child);
  MPI_Type_free(&type);
  line("copies %d, deletes %d", copies, deletes);
  MPI_Type_free_keyval(&key);
}

CASE(window_attributes) {
  static int deletes = 0;
  struct Local {
    static int remove(MPI_Win, int, void*, void*) {
      ++deletes;
      return MPI_SUCCESS;
    }
  };
  int key = MPI_KEYVAL_INVALID;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, Local::remove, &key, nullptr);
  int* memory = nullptr;
  MPI_Win window;
  MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_set_attr(window, key, nullptr);
  MPI_Win_fence(0, window);
  MPI_Win_fence(0, window);
  line("deletes %d", deletes);
  MPI_Win_free(&window);
  line("deletes %d", deletes);
  MPI_Win_free_keyval(&key);
}

}  // namespace
