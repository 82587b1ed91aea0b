#include "session/modules_start.h"

#include <string>

#include "devices/cuda/cuda.h"
#include "measure/events.h"
#include "modules/modules.h"
#include "session/settings.h"

namespace poprt {

void start_modules() {
  const modules::Started started = modules::start(settings().options);
  int64_t outside_counts[CounterSource::kMost];
  measure_call_cost(started.counters, outside_counts);
  Process& process = process_of_program();
  if (started.counters != nullptr && process.count_with(*started.counters)) {
    process.set_outside_counts(outside_counts);
  }
  for (const TotalsPart* const part : started.parts) process.add_part(*part);
  for (const std::string& note : started.notes) process.note(note);
  cuda::start(settings().options);
  cuda::join(process);
}

void count_until(int64_t end_ns) {
  Thread* const thread = t_thread;
  if (thread != nullptr && thread->has_counters()) thread->book(end_ns);
}

}  // namespace poprt
