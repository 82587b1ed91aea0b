// The functions of the MPI library, by their PMPI names.
//
// They are looked up at run time, not linked: this library is preloaded into
// launchers and shells, which must not load MPI because of it, and into
// programs that load MPI late (Python).  For the same reason predefined handles
// that are addresses (Open MPI) are looked up by name.  Nothing here may be
// used before the program calls MPI.
#ifndef POPRT_WRAPPERS_PMPI_H_
#define POPRT_WRAPPERS_PMPI_H_

#include <mpi.h>
#include <mpi_has.h>

#include <atomic>

// Local functions that the tool calls and does not wrap.
#define POPRT_LOCAL_MPI_FUNCTIONS(X) \
  X(Cart_get)                        \
  X(Cart_shift)                      \
  X(Cartdim_get)                     \
  X(Comm_get_attr)                   \
  X(Comm_get_errhandler)             \
  X(Comm_group)                      \
  X(Comm_rank)                       \
  X(Comm_remote_group)               \
  X(Comm_remote_size)                \
  X(Comm_set_errhandler)             \
  X(Comm_size)                       \
  X(Comm_test_inter)                 \
  X(Dist_graph_neighbors)            \
  X(Dist_graph_neighbors_count)      \
  X(Errhandler_free)                 \
  X(Error_class)                     \
  X(Get_library_version)             \
  X(Get_elements_x)                  \
  X(Graph_neighbors)                 \
  X(Graph_neighbors_count)           \
  X(Group_free)                      \
  X(Group_rank)                      \
  X(Group_size)                      \
  X(Group_translate_ranks)           \
  X(Info_get)                        \
  X(Initialized)                     \
  X(Op_create)                       \
  X(Op_free)                         \
  X(Query_thread)                    \
  X(Test_cancelled)                  \
  X(Topo_test)                       \
  X(Type_commit)                     \
  X(Type_contiguous)                 \
  X(Type_free)                       \
  X(Type_size)                       \
  X(Type_size_x)

#if defined(POPRT_HAS_MPI_Session_init)
#define POPRT_LOCAL_SESSION_FUNCTIONS(X) X(Group_from_session_pset)
#else
#define POPRT_LOCAL_SESSION_FUNCTIONS(X)
#endif

namespace poprt::mpi {

struct Pmpi {
#define POPRT_MPI_FUNCTION(name) decltype(&::PMPI_##name) name = nullptr;
  POPRT_LOCAL_MPI_FUNCTIONS(POPRT_MPI_FUNCTION)
  POPRT_LOCAL_SESSION_FUNCTIONS(POPRT_MPI_FUNCTION)
#include "mpi_functions.inc"
#undef POPRT_MPI_FUNCTION

  MPI_Comm comm_world{};
  MPI_Comm comm_self{};
  MPI_Comm comm_null{};
  MPI_Request request_null{};
  MPI_Info info_null{};
  MPI_Group group_null{};
  MPI_Datatype byte{};
  MPI_Datatype int_type{};
  MPI_Datatype datatype_null{};
  MPI_Op min{};
  MPI_Errhandler errors_return{};

  // Whether the MPI library in the process is the one whose mpi.h this was
  // compiled with.
  bool matches = false;
};

extern Pmpi g_pmpi;
extern std::atomic<bool> g_resolved;

// Looks all functions up.  Idempotent and thread-safe.
void resolve_pmpi();

// The functions; also before MPI_Init.
inline const Pmpi& pmpi() {
  if (!g_resolved.load(std::memory_order_acquire)) [[unlikely]] {
    resolve_pmpi();
  }
  return g_pmpi;
}

// A function or object of the MPI library; null: it has none of this name.
void* look_up(const char* name);

// From now on the program's calls go directly to its MPI library.
void step_aside();

// An MPI: for `poprt run --mpi` ("" for one that is not known), and for people.
struct MpiWords {
  const char* key;
  const char* name;
};
const MpiWords& compiled_for();
// The one in the process.  REQUIRES: resolve_pmpi() was called.
const MpiWords& found_mpi();
// The name of its library's file.
const char* mpi_file();

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_PMPI_H_
