// Processes that are spawned, and groups that meet.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "transparency.h"

namespace {

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

}  // namespace
