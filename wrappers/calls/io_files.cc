#include "wrappers/calls/io_files.h"

#include <atomic>
#include <cstring>
#include <vector>

#include "measure/process.h"
#include "wrappers/handle_table.h"

namespace poprt::mpi {
namespace {

constinit FileSystemSums g_io_sums;

class MpiIo final : public TotalsPart {
 public:
  void add_to(const std::vector<Thread*>&, int64_t,
              JobTotals* job) const override {
    job->mpi_file_systems = g_io_sums.list();
  }
  void add_while_running(const std::vector<Thread*>& threads, int64_t now,
                         JobTotals* job) const override {
    add_to(threads, now, job);
  }
  void restart(const std::vector<Thread*>&) const override {
    g_io_sums.forget();
  }
};
constinit MpiIo g_io_part;

// Open files.  A search reads them all, or up to the last one that was ever
// used: programs have few files open at once.
struct OpenFile {
  std::atomic<uintptr_t> file;  // 0: free
  std::atomic<int> place;
  std::atomic<bool> shared;
};
constexpr int kMostFiles = 64;
constinit OpenFile g_files[kMostFiles] = {};
constinit std::atomic<int> g_used{0};

OpenFile* find(MPI_File file) {
  const uintptr_t key = key_of(file);
  if (key == 0) return nullptr;  // no file
  const int used = g_used.load(std::memory_order_acquire);
  for (int i = 0; i < used; ++i) {
    if (g_files[i].file.load(std::memory_order_acquire) == key) {
      return &g_files[i];
    }
  }
  return nullptr;
}

// MPI libraries take the type of the file system before a colon
// ("ufs:/home/file").
int place_of_name(const char* name) {
  if (name == nullptr) return kNoFileSystem;
  const int place = place_of_path(name);
  const char* const colon = std::strchr(name, ':');
  return place == kNoFileSystem && colon != nullptr ? place_of_path(colon + 1)
                                                    : place;
}

}  // namespace

int place_of(MPI_File file) {
  const OpenFile* const known = find(file);
  return known == nullptr ? kNoFileSystem
                          : known->place.load(std::memory_order_relaxed);
}

bool is_shared(MPI_File file) {
  const OpenFile* const known = find(file);
  return known == nullptr ? has_other_processes()
                          : known->shared.load(std::memory_order_relaxed);
}

int file_opened(MPI_File file, const char* name, bool shared) {
  const int place = place_of_name(name);
  for (int i = 0; i < kMostFiles; ++i) {
    OpenFile& slot = g_files[i];
    uintptr_t none = 0;
    if (!slot.file.compare_exchange_strong(none, 1)) continue;  // being filled
    slot.place.store(place, std::memory_order_relaxed);
    slot.shared.store(shared, std::memory_order_relaxed);
    slot.file.store(key_of(file), std::memory_order_release);
    int used = g_used.load(std::memory_order_relaxed);
    while (used <= i && !g_used.compare_exchange_weak(used, i + 1)) {
    }
    break;
  }
  return place;
}

int file_closes(MPI_File file) {
  OpenFile* const known = find(file);
  if (known == nullptr) return kNoFileSystem;
  const int place = known->place.load(std::memory_order_relaxed);
  known->file.store(0, std::memory_order_release);
  return place;
}

void IoCall::begin(Thread& thread) {
  const int account = thread.process().account_of(kMpiIo);
  if (account == kNoAccount) return;
  thread.process().add_part(g_io_part);
  thread_ = &thread;
  begin_ns_ = thread.last_event_ns();
  thread.start_timing(State::kMpi, account);
  thread.add_amount(kMpiIoCalls, 1);
}

void IoCall::end() {
  thread_->stop_timing(State::kMpi);
  g_io_sums.add_call(place_, thread_->last_event_ns() - begin_ns_);
}

void IoCall::has_read(int64_t bytes) {
  if (thread_ == nullptr) return;
  thread_->add_amount(kMpiIoRead, bytes);
  g_io_sums.add_bytes(place_, bytes, 0);
}

void IoCall::has_written(int64_t bytes) {
  if (thread_ == nullptr) return;
  thread_->add_amount(kMpiIoWritten, bytes);
  g_io_sums.add_bytes(place_, 0, bytes);
}

}  // namespace poprt::mpi
