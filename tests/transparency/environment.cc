// Starts and ends of MPI; each case is a run of its own.
#include <netinet/in.h>
#include <sys/socket.h>
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

namespace dynamic {

using namespace transparency;
constexpr char kGroup[] = "dynamic";

#if defined(OPEN_MPI)  // Debian's MPICH 4.0 does none of this

// ---- spawned processes ------------------------------------------------------

void child_main() {
  MPI_Init(nullptr, nullptr);
  MPI_Comm parent;
  MPI_Comm_get_parent(&parent);
  line("has a parent: %s", yes(parent != MPI_COMM_NULL));
  use("world of the children", MPI_COMM_WORLD);
  use_inter("to the parents", parent);
  MPI_Comm merged;
  MPI_Intercomm_merge(parent, 1, &merged);
  use("merged", merged);
  MPI_Comm_free(&merged);
  MPI_Comm_disconnect(&parent);
  MPI_Finalize();
}
const ChildRegistration child("spawn", child_main);
const ChildRegistration child_of_self("spawn_of_self", child_main);
const ChildRegistration child_multiple("spawn_multiple", child_main);

void with_children(MPI_Comm children) {
  use_inter("to the children", children);
  MPI_Comm merged;
  MPI_Intercomm_merge(children, 0, &merged);
  use("merged", merged);
  MPI_Comm_free(&merged);
  MPI_Comm_disconnect(&children);
  use("world", MPI_COMM_WORLD);
}

struct Arguments {
  explicit Arguments(const char* case_name)
      : place(folder()),
        name(case_name),
        words{option, place.data(), name.data(), nullptr} {}
  char option[8] = "--child";
  std::string place;
  std::string name;
  char* words[4];
};

ALONE_CASE(spawn, 2, "") {
  MPI_Init(nullptr, nullptr);
  MPI_Comm parent;
  MPI_Comm_get_parent(&parent);
  line("has a parent: %s", yes(parent != MPI_COMM_NULL));
  Arguments arguments("spawn");
  MPI_Comm children;
  int codes[2] = {-1, -1};
  show("spawn", MPI_Comm_spawn(program(), arguments.words, 2, MPI_INFO_NULL, 0,
                               MPI_COMM_WORLD, &children, codes));
  line("codes %d %d", codes[0], codes[1]);
  with_children(children);
  MPI_Finalize();
}

ALONE_CASE(spawn_of_self, 1, "") {
  MPI_Init(nullptr, nullptr);
  Arguments arguments("spawn_of_self");
  MPI_Comm children;
  show("spawn", MPI_Comm_spawn(program(), arguments.words, 1, MPI_INFO_NULL, 0,
                               MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE));
  with_children(children);
  MPI_Finalize();
}

ALONE_CASE(spawn_multiple, 2, "") {
  MPI_Init(nullptr, nullptr);
  Arguments arguments("spawn_multiple");
  char* commands[2] = {const_cast<char*>(program()),
                       const_cast<char*>(program())};
  char** argvs[2] = {arguments.words, arguments.words};
  const int counts[2] = {1, 1};
  const MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
  MPI_Comm children;
  show("spawn",
       MPI_Comm_spawn_multiple(2, commands, argvs, counts, infos, 0,
                               MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE));
  with_children(children);
  MPI_Finalize();
}

// ---- two groups that meet ---------------------------------------------------

ALONE_CASE(accept_and_connect, 4, "") {
  // Within one world: the halves connect as if they did not know each other.
  MPI_Init(nullptr, nullptr);
  const bool low = rank() < size() / 2;
  MPI_Comm half;
  MPI_Comm inter;
  MPI_Comm_split(MPI_COMM_WORLD, low ? 0 : 1, rank(), &half);
  char port[MPI_MAX_PORT_NAME] = {};
  if (rank() == 0) {
    show("open", MPI_Open_port(MPI_INFO_NULL, port));
  }
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  show("meet", low ? MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &inter)
                   : MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &inter));
  use_inter("inter", inter);
  MPI_Comm_disconnect(&inter);
  if (rank() == 0) show("close", MPI_Close_port(port));
  MPI_Comm_free(&half);
  MPI_Finalize();
}

// Through a connection that the program itself has made.
ALONE_CASE(join, 2, "") {
  MPI_Init(nullptr, nullptr);
  int socket_of_both = -1;
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (rank() == 0) {
    const int listening = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t length = sizeof address;
    bind(listening, reinterpret_cast<sockaddr*>(&address), length);
    listen(listening, 1);
    getsockname(listening, reinterpret_cast<sockaddr*>(&address), &length);
    int port = address.sin_port;
    MPI_Send(&port, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    socket_of_both = accept(listening, nullptr, nullptr);
    close(listening);
  } else {
    int port = -1;
    MPI_Recv(&port, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    address.sin_port = static_cast<in_port_t>(port);
    socket_of_both = socket(AF_INET, SOCK_STREAM, 0);
    connect(socket_of_both, reinterpret_cast<sockaddr*>(&address),
            sizeof address);
  }
  MPI_Comm inter = MPI_COMM_NULL;
  show("join", MPI_Comm_join(socket_of_both, &inter));
  if (inter != MPI_COMM_NULL) {
    use_inter("inter", inter);
    MPI_Comm_disconnect(&inter);
  }
  close(socket_of_both);
  MPI_Finalize();
}

// A name that nobody has published.
ALONE_CASE(names, 1, "") {
  MPI_Init(nullptr, nullptr);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  char port[MPI_MAX_PORT_NAME] = {};
  show("lookup", MPI_Lookup_name("poprt-no-such-name", MPI_INFO_NULL, port));
  show("unpublish",
       MPI_Unpublish_name("poprt-no-such-name", MPI_INFO_NULL, port));
  use("world", MPI_COMM_WORLD);
  MPI_Finalize();
}

#endif

ALONE_CASE(no_parent, 2, "") {
  MPI_Init(nullptr, nullptr);
  MPI_Comm parent = MPI_COMM_WORLD;
  show("get_parent", MPI_Comm_get_parent(&parent));
  line("null: %s", yes(parent == MPI_COMM_NULL));
  int* universe = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &found);
  line("universe %d", found);
  MPI_Finalize();
}

}  // namespace dynamic
