// The calls that begin and end MPI.  They have nothing in common with others,
// so their entries are written by hand.
#include "session/lifecycle.h"

#include "wrappers/calls/entry.h"
#include "wrappers/calls/handlers.h"
#include "wrappers/calls/mpi_transport.h"
#include "wrappers/calls/sessions.h"
#include "wrappers/calls/start_end.h"
#include "wrappers/edges/comms.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/node/node.h"

namespace poprt::mpi {

namespace {

// After MPI_Init has succeeded.
void begin() {
  if (!measuring()) return;
  Job& j = job();
  const MPI_Comm world = pmpi().comm_world;
  int size = 1;
  int rank = 0;
  pmpi().Comm_size(world, &size);
  pmpi().Comm_rank(world, &rank);
  j.node.roll = take_roll_call(size);
  const bool all_measured = j.node.roll != Roll::kSome;
  int* tag_bound = nullptr;
  int found = 0;
  pmpi().Comm_get_attr(world, MPI_TAG_UB, &tag_bound, &found);
  const bool begun = g_active.load();  // a session has begun before
  bool sessions = begun;
  if (!begun) {
    set_tag_bound(found != 0 ? *tag_bound : kLeastTagBound);
  }
#if defined(POPRT_HAS_MPI_Session_init)
  // Sessions may have begun on some processes only: agree.
  const int mine[2] = {j.tag_bound, sessions ? 0 : 1};
  int least[2] = {mine[0], mine[1]};
  if (all_measured) {
    pmpi().Allreduce(mine, least, 2, pmpi().int_type, pmpi().min, world);
  }
  set_tag_bound(least[0]);
#endif
  if (!begun) {
    if (!set_up()) return;
    pmpi().Comm_group(world, &j.world);
  }
#if defined(POPRT_HAS_MPI_Session_init)
  sessions = least[1] == 0;
#endif
  mpi_world_is(size);
  uint64_t job_number = all_measured ? 0 : roll_call().job();
  measured_process().set_rank(rank);
  add_comm(world, false);
  if (CommInfo* const all = j.edges.comms.by_handle.find(key_of(world))) {
    hold_comm(*all);
    if (CommInfo* const before = j.everybody.exchange(all)) {
      release_comm(before);
    }
    // With sessions, messages may already be under way on their communicators.
    if (!sessions) job_number = set_up_node(*all);
  }
  if (!begun) mpi_begun();
  g_active.store(true);
  if (all_measured) mpi_connected(new_transport());
  mpi_job_is(job_number, rank, size);
}

// MPI_Pcontrol(1) opens the region Pcontrol, MPI_Pcontrol(0) closes it; other
// levels are ignored.
void control_region(int level) {
  constexpr char kName[] = "Pcontrol";
  if (!measured_process().selects_region(kName)) return;
  Thread& thread = register_thread(ThreadKind::kForeign);
  const WorkTime time(thread.cost.region_calls);
  thread.book(now_ns());
  if (level == 1) measured_process().region_start(thread, kName);
  if (level == 0) measured_process().region_stop(thread, kName);
}

template <class Call>
int init(Call call) {
  const bool started = start_before_init();
  // After a session has begun, messages of the tool may be under way.
  if (started && !g_active.load()) answer_roll_call();
  const int code = call();
  if (started && code == MPI_SUCCESS) {
    begin();
    g_world_model.store(true);
  }
  close_roll_call();
  return code;
}

}  // namespace
}  // namespace poprt::mpi

using poprt::mpi::pmpi;

extern "C" {

int poprt_MPI_Init(int* argc, char*** argv) {
  return poprt::mpi::init([&] { return pmpi().Init(argc, argv); });
}

int poprt_MPI_Init_thread(int* argc, char*** argv, int required,
                          int* provided) {
  return poprt::mpi::init(
      [&] { return pmpi().Init_thread(argc, argv, required, provided); });
}

int poprt_MPI_Finalize(void) {
  poprt::mpi::end();
  poprt::mpi::close_own_session_at_end();
  return pmpi().Finalize();
}

int poprt_MPI_Abort(MPI_Comm comm, int errorcode) {
  poprt::mpi::g_active.store(false);
  poprt::mpi_aborting(errorcode);
  return pmpi().Abort(comm, errorcode);
}

int poprt_MPI_Pcontrol(const int level, ...) {
  if (poprt::mpi::g_active.load(std::memory_order_relaxed)) {
    poprt::mpi::control_region(level);
  }
  // Neither MPI library does anything in MPI_Pcontrol; variable arguments
  // cannot be passed on.
  return pmpi().Pcontrol(level);
}

POPRT_MPI_ENTRY(MPI_Init);
POPRT_MPI_ENTRY(MPI_Init_thread);
POPRT_MPI_ENTRY(MPI_Finalize);
POPRT_MPI_ENTRY(MPI_Abort);
POPRT_MPI_ENTRY(MPI_Pcontrol);

}  // extern "C"
