// Sessions of MPI 4.0. MPICH 4.0 crashes when it begins a second time, and
// where only some processes begin.
#include "transparency.h"

#if defined(POPRT_HAS_MPI_Session_init)

namespace {

using namespace transparency;
constexpr char kGroup[] = "mpi4_sessions";

MPI_Comm comm_of(MPI_Session session, const char* set, const char* tag) {
  MPI_Group group;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Group_from_session_pset(session, set, &group);
  MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN,
                             &comm);
  MPI_Group_free(&group);
  return comm;
}

ALONE_CASE(without_init, 3, "") {
  MPI_Session session;
  show_outside("init",
               MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
  int initialized = -1;
  MPI_Initialized(&initialized);
  line("initialized %d", initialized);
  MPI_Comm comm = comm_of(session, "mpi://WORLD", "world");
  use("world", comm);
  MPI_Comm copy;
  MPI_Comm_dup(comm, &copy);
  use("dup", copy);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
  show_outside("finalize", MPI_Session_finalize(&session));
  line("null: %s", yes(session == MPI_SESSION_NULL));
}

ALONE_CASE(several_at_once, 2, "") {
  MPI_Session sessions[2];
  for (MPI_Session& s : sessions) {
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s);
  }
  MPI_Comm a = comm_of(sessions[0], "mpi://WORLD", "a");
  MPI_Comm b = comm_of(sessions[1], "mpi://WORLD", "b");
  use("a", a);
  use("b", b);
  MPI_Comm_free(&a);
  MPI_Session_finalize(&sessions[0]);
  use("b", b);
  MPI_Comm_free(&b);
  MPI_Session_finalize(&sessions[1]);
}

ALONE_CASE(with_init, 2, "") {
  MPI_Init(nullptr, nullptr);
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Comm comm = comm_of(session, "mpi://WORLD", "beside");
  use("session", comm);
  use("world", MPI_COMM_WORLD);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  use("world", MPI_COMM_WORLD);
  MPI_Finalize();
}

ALONE_CASE(session_first, 2, "") {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Comm comm = comm_of(session, "mpi://WORLD", "first");
  use("session", comm);
  MPI_Init(nullptr, nullptr);
  use("world", MPI_COMM_WORLD);
  use("session", comm);
  MPI_Finalize();
  use("after finalize", comm);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
}

ALONE_CASE(only_self, 2, "") {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Comm comm = comm_of(session, "mpi://SELF", "self");
  use("self", comm);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
}

ALONE_CASE(nothing_but_the_session, 2, "") {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  int sets = -1;
  MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
  line("sets %d", sets);
  for (int i = 0; i < sets; ++i) {
    int length = 0;
    char name[200] = {};
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, nullptr);
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name);
    line("%s", name);
  }
  MPI_Info info;
  MPI_Session_get_info(session, &info);
  char level[40] = {};
  int length = 40;
  int found = 0;
  MPI_Info_get_string(info, "thread_level", &length, level, &found);
  line("%d %s", found, level);
  MPI_Info_free(&info);
  MPI_Session_finalize(&session);
}

}  // namespace

#endif
