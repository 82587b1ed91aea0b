#include "wrappers/state.h"

#include "base/publish.h"

namespace poprt::mpi {

std::atomic<bool> g_active{false};

constinit std::atomic<Job*> g_job{nullptr};

Job& new_job() { return publish(g_job, new Job); }

MpiThread* new_mpi_thread() {
  Thread& thread = register_thread(ThreadKind::kForeign);
  // The Thread of an ended one has it.
  if (MpiThread* const known = mpi_thread(thread)) return known;
  MpiThread* const mpi = new MpiThread(thread);
  mpi->next = job().threads.load();
  while (!job().threads.compare_exchange_weak(mpi->next, mpi)) {
  }
  thread.set_layer(EventLayer::kMpi, mpi);
  return mpi;
}

}  // namespace poprt::mpi
