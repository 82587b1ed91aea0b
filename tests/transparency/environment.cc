// Starts and ends of MPI; each case is a run of its own.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <thread>

#include "transparency.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "environment";

ALONE_CASE(init_and_finalize, 3, "") {
  int flag = -1;
  MPI_Initialized(&flag);
  line("initialized %d", flag);
  MPI_Finalized(&flag);
  line("finalized %d", flag);
  show("init", MPI_Init(nullptr, nullptr));
  MPI_Initialized(&flag);
  line("initialized %d", flag);
  int level = -1;
  MPI_Query_thread(&level);
  line("level %d", level);
  use("world", MPI_COMM_WORLD);
  show_outside("finalize", MPI_Finalize());
  MPI_Initialized(&flag);
  line("initialized %d", flag);
  MPI_Finalized(&flag);
  line("finalized %d", flag);
}

void with_level(int wanted) {
  int provided = -1;
  show("init", MPI_Init_thread(nullptr, nullptr, wanted, &provided));
  line("provided %d", provided);
  use("world", MPI_COMM_WORLD);
  show_outside("finalize", MPI_Finalize());
}

ALONE_CASE(thread_single, 2, "") { with_level(MPI_THREAD_SINGLE); }
ALONE_CASE(thread_funneled, 2, "") { with_level(MPI_THREAD_FUNNELED); }
ALONE_CASE(thread_serialized, 2, "") { with_level(MPI_THREAD_SERIALIZED); }
ALONE_CASE(thread_multiple, 2, "") { with_level(MPI_THREAD_MULTIPLE); }

ALONE_CASE(serialized_by_other_threads, 2, "") {
  int provided = -1;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  for (int i = 0; i < 10; ++i) {
    std::thread thread([] { use("in a thread", MPI_COMM_WORLD); });
    thread.join();
    use("in main", MPI_COMM_WORLD);
  }
  MPI_Finalize();
}

ALONE_CASE(one_process, 1, "") {
  MPI_Init(nullptr, nullptr);
  use("world", MPI_COMM_WORLD);
  MPI_Finalize();
}

ALONE_CASE(without_mpi, 1, "") { line("nothing"); }

ALONE_CASE(init_and_nothing, 2, "") {
  MPI_Init(nullptr, nullptr);
  MPI_Finalize();
}

ALONE_CASE(status_of_exit, 2, "dies") {
  MPI_Init(nullptr, nullptr);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  line("finalized");
  // Open MPI's launcher ends the others as soon as one exits with 3.
  meet_outside_mpi(2);
  std::exit(3);
}

// Process 0 aborts when the others have only their waiting left.
ALONE_CASE(abort, 2, "dies") {
  MPI_Init(nullptr, nullptr);
  use("world", MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0) MPI_Abort(MPI_COMM_WORLD, 5);
  for (;;) pause();
}

ALONE_CASE(abort_of_a_part, 2, "dies") {
  MPI_Init(nullptr, nullptr);
  if (rank() == 0) MPI_Abort(MPI_COMM_SELF, 6);
  for (;;) pause();
}

ALONE_CASE(abort_within_a_collective, 3, "dies") {
  MPI_Init(nullptr, nullptr);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 1) MPI_Abort(MPI_COMM_WORLD, 7);
  MPI_Barrier(MPI_COMM_WORLD);
}

ALONE_CASE(exit_without_finalize, 2, "dies") {
  MPI_Init(nullptr, nullptr);
  use("world", MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  std::_Exit(0);
}

ALONE_CASE(exit_without_finalize_of_one_process, 1, "dies") {
  MPI_Init(nullptr, nullptr);
  use("world", MPI_COMM_WORLD);
  std::exit(4);
}

ALONE_CASE(messages_left_at_the_end, 2, "") {
  // Sent and never received; freed, so that nothing is pending for the program.
  MPI_Init(nullptr, nullptr);
  int value = 3;
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT, previous(), 5, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm leaked;
  MPI_Comm_dup(MPI_COMM_WORLD, &leaked);
  use("leaked", leaked);
  MPI_Finalize();
}

ALONE_CASE(leaked_objects, 2, "") {
  MPI_Init(nullptr, nullptr);
  static int value = 3;
  MPI_Request request;
  MPI_Recv_init(&value, 1, MPI_INT, previous(), 5, MPI_COMM_WORLD, &request);
  MPI_Send_init(&value, 1, MPI_INT, next(), 5, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 20; ++i) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, i % 2 == 0 ? 0 : rank(), 0, &comm);
  }
  MPI_Finalize();
  line("finalized");
}

int g_deletes = 0;
int delete_at_finalize(MPI_Comm comm, int, void*, void*) {
  ++g_deletes;
  int finalized = -1;
  int in = -1;
  const int out = 4;
  MPI_Finalized(&finalized);
  MPI_Sendrecv(&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
  line("delete %d: on self %s, finalized %d, %d", g_deletes,
       yes(comm == MPI_COMM_SELF), finalized, in);
  return MPI_SUCCESS;
}

ALONE_CASE(delete_callbacks_of_self, 3, "") {
  // MPI_Finalize deletes the attributes of MPI_COMM_SELF first, in the reverse
  // order of their making, while MPI still works.
  MPI_Init(nullptr, nullptr);
  for (int i = 0; i < 3; ++i) {
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_at_finalize, &key,
                           nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  }
  MPI_Finalize();
  line("deletes %d", g_deletes);
}

int delete_with_a_collective(MPI_Comm, int, void*, void*) {
  int sum = -1;
  const int one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  use("made in finalize", comm);
  MPI_Comm_free(&comm);
  line("sum %d", sum);
  return MPI_SUCCESS;
}

ALONE_CASE(collectives_in_delete_callbacks, 3, "") {
  MPI_Init(nullptr, nullptr);
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_with_a_collective, &key,
                         nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  MPI_Finalize();
}

ALONE_CASE(before_init_and_after_finalize, 2, "") {
  int version = 0;
  int subversion = 0;
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  for (int i = 0; i < 2; ++i) {
    MPI_Get_version(&version, &subversion);
    MPI_Get_library_version(text, &length);
    line("%d.%d %s", version, subversion, yes(length > 0));
    if (i == 0) {
      MPI_Init(nullptr, nullptr);
      MPI_Finalize();
    }
  }
}

ALONE_CASE(arguments, 2, "") {
  char name[] = "program";
  char first[] = "first";
  char* words[] = {name, first, nullptr};
  int count = 2;
  char** list = words;
  MPI_Init(&count, &list);
  line("%d %s %s", count, list[0], list[1]);
  MPI_Finalize();
}

ALONE_CASE(time, 2, "") {
  MPI_Init(nullptr, nullptr);
  double last = MPI_Wtime();
  bool grows = true;
  for (int i = 0; i < 1000; ++i) {
    const double now = MPI_Wtime();
    grows = grows && now >= last;
    last = now;
    if (i % 100 == 0) MPI_Barrier(MPI_COMM_WORLD);
  }
  line("grows %s, tick %s", yes(grows), yes(MPI_Wtick() > 0));
  char name[MPI_MAX_PROCESSOR_NAME] = {};
  int length = 0;
  MPI_Get_processor_name(name, &length);
  line("named %s", yes(length > 0));
  MPI_Finalize();
}

ALONE_CASE(default_error_handler, 2, "") {
  MPI_Init(nullptr, nullptr);
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(comm, &handler);
    line("fatal %s", yes(handler == MPI_ERRORS_ARE_FATAL));
  }
  MPI_Errhandler handler;
  MPI_File_get_errhandler(MPI_FILE_NULL, &handler);
  line("return %s", yes(handler == MPI_ERRORS_RETURN));
  MPI_Finalize();
}

ALONE_CASE(eight_processes, 8, "") {
  MPI_Init(nullptr, nullptr);
  use("world", MPI_COMM_WORLD);
  {
    const Halves halves;
    use("half", halves.half);
    use_inter("inter", halves.inter);
  }
  int value = rank() == 3 ? 8 : -1;
  MPI_Bcast(&value, 1, MPI_INT, 3, MPI_COMM_WORLD);
  Ints all(8, -1);
  MPI_Allgather(&value, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
  show("all", all);
  MPI_Win window;
  int* memory = nullptr;
  MPI_Win_allocate(4096, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&value, 1, MPI_INT, next(), 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  line("memory %d", memory[0]);
  MPI_Win_free(&window);
  MPI_Finalize();
}

ALONE_CASE(finalize_after_halves, 4, "") {
  MPI_Init(nullptr, nullptr);
  {
    const Halves halves;
    use_inter("inter", halves.inter);
  }
  MPI_Finalize();
}

// MPI_T and other functions that do not need MPI_Init.
ALONE_CASE(tool_interface, 2, "") {
  int provided = -1;
  int count = -1;
  show_outside("init", MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
  MPI_T_cvar_get_num(&count);
  line("cvars %s", yes(count >= 0));
  MPI_Init(nullptr, nullptr);
  MPI_T_pvar_get_num(&count);
  line("pvars %s", yes(count >= 0));
  MPI_T_category_get_num(&count);
  line("categories %s", yes(count >= 0));
  use("world", MPI_COMM_WORLD);
  // Open MPI 4.1 crashes when it comes last.
  show_outside("finalize", MPI_T_finalize());
  MPI_Finalize();
}

}  // namespace
