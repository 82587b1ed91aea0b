#include "wrappers/calls/start_end.h"

#include <string>
#include <string_view>

#include "base/own_frames.h"
#include "session/lifecycle.h"
#include "wrappers/calls/mpi_transport.h"
#include "wrappers/calls/sited_call.h"
#include "wrappers/calls/unwrapped.h"
#include "wrappers/edges/clock_exchange.h"
#include "wrappers/state.h"

namespace poprt::mpi {

std::atomic<bool> g_world_model{false};

namespace {

std::string library_name() {
  std::string name(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  pmpi().Get_library_version(name.data(), &length);
  // The library's name and version are the first line, or its part before a
  // comma.
  name = name.substr(0, name.find_first_of(std::string_view(",\n\0", 3)));
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

// This library was compiled for another MPI than the program uses: says so, and
// passes all calls on.
void decline() {
  const MpiWords& found = found_mpi();
  const std::string why = std::string("this libpoprt.so is for ") +
                          compiled_for().name + ", but the program uses " +
                          found.name;
  if (*found.key == '\0') {
    give_up_measurement(why + " (" + mpi_file() + "); nothing is measured");
  } else {
    give_up_measurement(why +
                        "; nothing is measured. Preload the libpoprt.so of "
                        "that (poprt run --mpi=" +
                        found.key + ")");
  }
  step_aside();
}

}  // namespace

bool set_up() {
  int level = MPI_THREAD_SINGLE;
  pmpi().Query_thread(&level);
  job().multiple = level == MPI_THREAD_MULTIPLE;
  if (!set_up_exchange()) {
    give_up_measurement(
        "cannot set up messages of its own; nothing is measured");
    return false;
  }
  mpi_started(library_name(), name_of_thread_level(level), &unwrapped_calls);
  if (call_sites_wanted()) {
    find_passing_libraries();
    tell_sites();
  }
  return true;
}

bool start_before_init() {
  const bool started = start_measurement();
  if (!pmpi().matches) {
    decline();
    return false;
  }
  if (started) mpi_starting();
  return started;
}

void end() {
  if (g_active.exchange(false) && measuring()) {
    Thread& thread = register_thread(ThreadKind::kForeign);
    thread.switch_to(State::kMpi, now_ns());
    finish(thread);
  }
}

}  // namespace poprt::mpi
