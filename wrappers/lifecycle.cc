// The calls that begin and end MPI: alike in nothing, so written by hand.
#include "runtime/lifecycle.h"

#include <string>

#include "runtime/log.h"
#include "wrappers/clock_exchange.h"
#include "wrappers/comms.h"
#include "wrappers/entry.h"
#include "wrappers/handlers.h"
#include "wrappers/mpi_transport.h"

namespace poprt::mpi {

std::atomic<bool> g_active{false};

Job& job() {
  // Never destroyed: threads may still be in MPI when main() has returned.
  static Job* const j = new Job;
  return *j;
}

MpiThread* new_mpi_thread() {
  Thread& thread = register_thread(ThreadKind::kForeign);
  MpiThread* const mpi = new MpiThread(thread);
  thread.mpi = mpi;
  const std::lock_guard<std::mutex> lock(job().mutex);
  job().threads.push_back(mpi);
  return mpi;
}

namespace {

std::string library_name() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  pmpi().Get_library_version(text, &length);
  // The first line or clause names library and version.
  std::string name(text);
  name = name.substr(0, name.find_first_of(",\n"));
  for (char& c : name) c = c == '\t' ? ' ' : c;
  while (!name.empty() && name.back() == ' ') name.pop_back();
  return name;
}

const char* name_of_thread_level(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

// MPI_Init has succeeded: everything that the tool needs of MPI, then
// measurement.
void begin(bool already_active) {
  if (already_active || !measuring()) return;
  int level = MPI_THREAD_SINGLE;
  pmpi().Query_thread(&level);
  Job& j = job();
  j.multiple = level == MPI_THREAD_MULTIPLE;
  int* tag_bound = nullptr;
  int found = 0;
  pmpi().Comm_get_attr(pmpi().comm_world, MPI_TAG_UB, &tag_bound, &found);
  j.tag_limit = (found != 0 ? *tag_bound : 32767) - kOwnTags;
  if (!set_up_exchange()) {
    say("cannot set up messages of its own; nothing is measured");
    lifecycle::give_up();
    return;
  }
  add_comm(pmpi().comm_world, false);
  lifecycle::mpi_started(library_name(), name_of_thread_level(level));
  g_active.store(true);
}

// This library is for the other MPI: says so, and leaves MPI to itself.
void decline() {
  static std::atomic<bool> said{false};
  if (!said.exchange(true) && lifecycle::is_first_process()) {
    say(std::string("this libpoprt.so is for ") + compiled_for() +
        ", but the program uses another MPI; nothing is measured. Preload "
        "the libpoprt.so of the program's MPI");
  }
  lifecycle::give_up();
  step_aside();
}

// MPI_Pcontrol(1) and (0) open and close the region Pcontrol; other levels
// mean nothing here.
void control_region(int level) {
  constexpr char kName[] = "Pcontrol";
  Thread& thread = register_thread(ThreadKind::kForeign);
  thread.book(now_ns());
  if (level == 1) measured_process().region_start(thread, kName);
  if (level == 0) measured_process().region_stop(thread, kName);
}

template <class Call>
int init(Call call) {
  if (!pmpi().matches) {
    lifecycle::start();
    decline();
    return call();
  }
  const bool started = lifecycle::start();
  if (started) lifecycle::mpi_starting();
  const int code = call();
  if (started && code == MPI_SUCCESS) begin(g_active.load());
  return code;
}

int finalize() {
  if (g_active.exchange(false) && measuring()) {
    Thread& thread = register_thread(ThreadKind::kForeign);
    thread.switch_to(State::kMpi, now_ns());
    finish(thread);
  }
  return pmpi().Finalize();
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

int poprt_MPI_Finalize(void) { return poprt::mpi::finalize(); }

int poprt_MPI_Abort(MPI_Comm comm, int errorcode) {
  poprt::mpi::g_active.store(false);
  poprt::lifecycle::give_up();
  return pmpi().Abort(comm, errorcode);
}

int poprt_MPI_Pcontrol(const int level, ...) {
  if (poprt::mpi::g_active.load(std::memory_order_relaxed)) {
    poprt::mpi::control_region(level);
  }
  // Both libraries ignore the call; further arguments cannot be passed on.
  return pmpi().Pcontrol(level);
}

POPRT_MPI_ENTRY(MPI_Init);
POPRT_MPI_ENTRY(MPI_Init_thread);
POPRT_MPI_ENTRY(MPI_Finalize);
POPRT_MPI_ENTRY(MPI_Abort);
POPRT_MPI_ENTRY(MPI_Pcontrol);

}  // extern "C"
