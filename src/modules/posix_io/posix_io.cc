#include "modules/posix_io/posix_io.h"

#include <string>
#include <utility>
#include <vector>

#include "base/search_entries.h"
#include "measure/events.h"
#include "measure/file_systems.h"
#include "measure/process.h"
#include "model/noted.h"
#include "modules/posix_io/entries.h"
#include "modules/posix_io/mapped_files.h"

namespace poprt::modules::posix_io {

constinit FileSystemSums g_file_systems;

namespace {

// Lives as long as the process.
EntrySlots* g_slots = nullptr;

class PosixIo final : public TotalsPart {
 public:
  void add_to(const std::vector<Thread*>&, int64_t,
              JobTotals* job) const override {
    job->has_posix_io = true;
    job->file_systems = g_file_systems.list();
    if (std::string note = mapped_files_note(); !note.empty()) {
      job->quality.notes.push_back(std::move(note));
    }
  }
  void restart(const std::vector<Thread*>&) const override {
    g_file_systems.forget();
    forget_mapped_files();
  }
};

}  // namespace

void reach_new_objects() {
  if (measuring() && g_slots->has_new_objects()) g_slots->fill();
}

void start(const Options& options, Started* started) {
  if (!options.posix_io) return;
  std::vector<Entry> entries = descriptor_entries();
  for (const auto& more :
       {stream_entries(), mapping_entries(), search_entries()}) {
    entries.insert(entries.end(), more.begin(), more.end());
  }
  g_slots = new EntrySlots(entries);
  if (const int refused = g_slots->fill().refused; refused > 0) {
    started->notes.push_back(noted<"io_of_libraries">(refused));
  }
  before_searches(reach_new_objects);
  started->parts.push_back(new PosixIo);  // lives as long as the process
}

}  // namespace poprt::modules::posix_io
