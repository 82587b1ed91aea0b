// Windows of all kinds: made, described, freed, in great number.
#include "windows.h"

namespace {

using namespace transparency;

namespace windows {
constexpr char kGroup[] = "rma_windows";

CASE(create) {
  std::vector<int> memory(10, rank());
  MPI_Win window;
  show("create", MPI_Win_create(memory.data(), 10 * sizeof(int), sizeof(int),
                                MPI_INFO_NULL, MPI_COMM_WORLD, &window));
  MPI_Win_fence(0, window);
  const int value = rank() + 40;
  MPI_Put(&value, 1, MPI_INT, next(), 4, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  show("memory", memory);
  show("free", MPI_Win_free(&window));
}

CASE(create_of_nothing) {
  MPI_Win window;
  MPI_Win_create(nullptr, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  // Only one process has memory.
  int memory = 0;
  MPI_Win_create(rank() == 0 ? &memory : nullptr,
                 rank() == 0 ? sizeof memory : 0, 1, MPI_INFO_NULL,
                 MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  const int one = 1;
  MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  line("memory %d", memory);
  MPI_Win_free(&window);
}

CASE(allocate_shared) {
  int* memory = nullptr;
  MPI_Win window;
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank(),
                      MPI_INFO_NULL, &node);
  MPI_Win_allocate_shared(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, node,
                          &memory, &window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  memory[0] = rank() + 100;
  MPI_Win_sync(window);
  MPI_Barrier(node);
  MPI_Win_sync(window);
  MPI_Aint bytes = -1;
  int unit = -1;
  int* theirs = nullptr;
  MPI_Win_shared_query(window, next(), &bytes, &unit, &theirs);
  line("bytes %ld, unit %d, value %d", static_cast<long>(bytes), unit,
       theirs[0]);
  MPI_Win_shared_query(window, MPI_PROC_NULL, &bytes, &unit, &theirs);
  line("bytes %ld, unit %d, value %d", static_cast<long>(bytes), unit,
       theirs[0]);
  MPI_Barrier(node);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Comm_free(&node);
}

CASE(dynamic) {
  std::vector<int> memory(10, rank());
  MPI_Win window;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  show("attach", MPI_Win_attach(window, memory.data(), 10 * sizeof(int)));
  MPI_Aint mine;
  MPI_Aint theirs;
  MPI_Get_address(memory.data(), &mine);
  MPI_Sendrecv(&mine, 1, MPI_AINT, previous(), 0, &theirs, 1, MPI_AINT, next(),
               0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const int value = rank() + 70;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next(), 0, window);
  MPI_Put(&value, 1, MPI_INT, next(), MPI_Aint_add(theirs, 3 * sizeof(int)), 1,
          MPI_INT, window);
  MPI_Win_unlock(next(), window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_fence(0, window);
  show("memory", memory);
  show("detach", MPI_Win_detach(window, memory.data()));
  MPI_Win_free(&window);
}

CASE(attributes) {
  Window window(10);
  void* base = nullptr;
  MPI_Aint* bytes = nullptr;
  int* unit = nullptr;
  int* flavor = nullptr;
  int* model = nullptr;
  int found = 0;
  MPI_Win_get_attr(window.handle, MPI_WIN_BASE, &base, &found);
  line("base %s", yes(found != 0 && base == window.memory));
  MPI_Win_get_attr(window.handle, MPI_WIN_SIZE, &bytes, &found);
  line("size %ld", static_cast<long>(*bytes));
  MPI_Win_get_attr(window.handle, MPI_WIN_DISP_UNIT, &unit, &found);
  line("unit %d", *unit);
  MPI_Win_get_attr(window.handle, MPI_WIN_CREATE_FLAVOR, &flavor, &found);
  line("allocated %s", yes(*flavor == MPI_WIN_FLAVOR_ALLOCATE));
  MPI_Win_get_attr(window.handle, MPI_WIN_MODEL, &model, &found);
  line("model found %d", found);
  MPI_Group group;
  int n = -1;
  MPI_Win_get_group(window.handle, &group);
  MPI_Group_size(group, &n);
  MPI_Group_free(&group);
  line("group of %d", n);
}

CASE(names_and_info) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  {
    Window window(4, MPI_COMM_WORLD, info);
    char name[MPI_MAX_OBJECT_NAME] = {};
    int length = -1;
    MPI_Win_set_name(window.handle, "a window");
    MPI_Win_get_name(window.handle, name, &length);
    line("%d %s", length, name);
    MPI_Info got;
    MPI_Win_get_info(window.handle, &got);
    char value[20] = {};
    int found = 0;
    MPI_Info_get(got, "no_locks", 19, value, &found);
    line("no_locks: %d %s", found, value);
    MPI_Info_free(&got);
    MPI_Win_set_info(window.handle, info);
    MPI_Win_fence(0, window.handle);
  }
  MPI_Info_free(&info);
}

CASE(on_parts_of_the_world) {
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, 0, &part);
  int own = -1;
  int all = -1;
  MPI_Comm_rank(part, &own);
  MPI_Comm_size(part, &all);
  int* memory = nullptr;
  MPI_Win window;
  MPI_Win_allocate(4096, sizeof(int), MPI_INFO_NULL, part, &memory, &window);
  // The window outlives its communicator.
  MPI_Comm_free(&part);
  MPI_Win_fence(0, window);
  const int value = rank() + 9;
  MPI_Put(&value, 1, MPI_INT, (own + 1) % all, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  line("memory %d", memory[0]);
  MPI_Win_free(&window);
  // A window of one process alone.
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF,
                   &memory, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  line("memory %d", memory[0]);
  MPI_Win_free(&window);
}

int g_handled = 0;
MPI_Win g_handled_window = MPI_WIN_NULL;
void handle(MPI_Win* window, int*, ...) {
  ++g_handled;
  g_handled_window = *window;
}

CASE(errors) {
  Window window(4);
  const MPI_Win w = window.handle;
  MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN);
  int value = 0;
  MPI_Win_fence(0, w);
  show("rank", MPI_Put(&value, 1, MPI_INT, 1000, 0, 1, MPI_INT, w));
  show("count", MPI_Put(&value, -1, MPI_INT, 0, 0, 1, MPI_INT, w));
  show("type", MPI_Get(&value, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, w));
  show("op",
       MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, w));
  MPI_Win_fence(0, w);
  show("lock type", MPI_Win_lock(99, 0, 0, w));
  show("lock rank", MPI_Win_lock(MPI_LOCK_SHARED, 1000, 0, w));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_fence(0, w);
  MPI_Errhandler handler;
  MPI_Win_create_errhandler(handle, &handler);
  MPI_Win_set_errhandler(w, handler);
  MPI_Put(&value, 1, MPI_INT, 1000, 0, 1, MPI_INT, w);
  line("handled %d, right one %s", g_handled, yes(g_handled_window == w));
  MPI_Win_call_errhandler(w, MPI_ERR_OTHER);
  line("handled %d", g_handled);
  MPI_Errhandler_free(&handler);
  MPI_Win_fence(0, w);
}

#if defined(OPEN_MPI)  // which does not look at the group; MPICH ends the run
CASE(start_without_group) {
  Window window(4);
  MPI_Win_set_errhandler(window.handle, MPI_ERRORS_RETURN);
  show("start", MPI_Win_start(MPI_GROUP_NULL, 0, window.handle));
  show("complete", MPI_Win_complete(window.handle));
  use("afterwards", MPI_COMM_WORLD);
}
#endif

CASE(alloc_mem) {
  int* memory = nullptr;
  show("alloc", MPI_Alloc_mem(4000, MPI_INFO_NULL, &memory));
  memory[999] = 3;
  show("free", MPI_Free_mem(memory));
}

}  // namespace windows

namespace many {
constexpr char kGroup[] = "many_windows";

CASE(many_windows_at_once) {
  std::vector<MPI_Win> windows(60);
  std::vector<int*> memory(windows.size());
  for (size_t i = 0; i < windows.size(); ++i) {
    MPI_Win_allocate(4096, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &memory[i], &windows[i]);
  }
  for (size_t i = 0; i < windows.size(); ++i) {
    MPI_Win_fence(0, windows[i]);
    const int value = static_cast<int>(i) + rank();
    MPI_Put(&value, 1, MPI_INT, next(), 0, 1, MPI_INT, windows[i]);
    MPI_Win_fence(0, windows[i]);
    if (i % 10 == 0) line("memory %d", memory[i][0]);
  }
  for (MPI_Win& w : windows) MPI_Win_free(&w);
}

CASE(windows_one_after_the_other) {
  for (int i = 0; i < 150; ++i) {
    int memory = 0;
    MPI_Win window;
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &window);
    MPI_Win_free(&window);
  }
  use("world", MPI_COMM_WORLD);
}

}  // namespace many

}  // namespace
