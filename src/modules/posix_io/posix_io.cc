#include "modules/posix_io/posix_io.h"

#include <string>
#include <vector>

#include "measure/process.h"
#include "modules/kernel_text.h"
#include "modules/posix_io/entry_slots.h"
#include "modules/posix_io/file_systems.h"

namespace poprt::modules::posix_io {
namespace {

// Lives as long as the process.
const std::vector<Entry>* g_entries = nullptr;

// On machines with very many mounts the last ones have no name.
constexpr size_t kLongestMountinfo = size_t{1} << 20;

class PosixIo final : public TotalsPart {
 public:
  void add_to(const std::vector<Thread*>&, int64_t,
              JobTotals* job) const override {
    job->has_posix_io = true;
    job->file_systems =
        file_systems(kernel_text("/proc/self/mountinfo", kLongestMountinfo));
  }
  int64_t overhead_ps(const Thread&) const override { return 0; }
  void restart(const std::vector<Thread*>&) const override { forget_calls(); }
};

}  // namespace

void reach_new_objects() {
  if (has_new_objects()) fill_slots(*g_entries);
}

void start(const Options& options, Started* started) {
  if (!options.posix_io) return;
  auto* const entries = new std::vector<Entry>(descriptor_entries());
  for (const Entry& entry : stream_entries()) entries->push_back(entry);
  g_entries = entries;
  find_functions(*entries);
  if (const int refused = fill_slots(*entries); refused > 0) {
    started->notes.push_back("POSIX I/O is not measured in " +
                             std::to_string(refused) +
                             " libraries of a process: the system does not let "
                             "their tables be changed");
  }
  started->parts.push_back(new PosixIo);  // lives as long as the process
}

}  // namespace poprt::modules::posix_io
