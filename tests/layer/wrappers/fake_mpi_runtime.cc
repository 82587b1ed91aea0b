// Stand-ins for the library's runtime layer.
#include "fake_mpi_state.h"
#include "measure/events.h"
#include "session/lifecycle.h"

namespace poprt {

std::atomic<Phase> g_phase{Phase::kDormant};
thread_local constinit Thread* t_thread = nullptr;
Process& measured_process() { return fake::process(); }
Thread& register_thread(ThreadKind kind) {
  if (t_thread == nullptr)
    t_thread = &measured_process().add_thread(kind, now_ns());
  return *t_thread;
}

bool start_measurement() {
  register_thread(ThreadKind::kProgram);
  g_phase.store(Phase::kMeasuring);
  return true;
}
void mpi_starting() {}
void mpi_world_is(int) {}
void mpi_started(const std::string&, const std::string&,
                 std::vector<UnwrappedCall> (*)(bool)) {}
void mpi_begun() {
  Thread& thread = register_thread(ThreadKind::kForeign);
  thread.book(now_ns());
  measured_process().region_start(thread, "Global");
}
void mpi_connected(Transport* transport) {
  // Transports are never freed.
  static auto* const all = new std::vector<Transport*>;
  all->push_back(transport);
  fake::g_transport = transport;
}
void mpi_finishing(Thread&, Transport& transport) {
  g_phase.store(Phase::kFinished);
  JobTotals totals;
  transport.combine_all(&totals);
}
bool is_first_process() { return true; }
void give_up_measurement(const std::string&) {
  g_phase.store(Phase::kFinished);
}
void mpi_finished() {}
void mpi_job_is(uint64_t, int, int) {}
void mpi_aborting(int) { g_phase.store(Phase::kFinished); }

}  // namespace poprt
