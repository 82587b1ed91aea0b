#include "session/checkpoint.h"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <climits>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "base/cell.h"
#include "base/copies_file.h"
#include "base/file_names.h"
#include "base/guard.h"
#include "base/mix.h"
#include "base/mutex.h"
#include "base/new_file.h"
#include "base/no_interruption.h"
#include "base/publish.h"
#include "base/run_word.h"
#include "measure/due_work.h"
#include "measure/events.h"
#include "measure/process.h"
#include "model/noted.h"
#include "session/checkpoint_times.h"
#include "session/output.h"
#include "session/settings.h"
#include "session/unseen.h"

namespace poprt {
namespace {

uint64_t random_number() {
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) {
    number =
        mix(static_cast<uint64_t>(now_ns())) + static_cast<uint64_t>(getpid());
  }
  return number;
}

std::string working_directory() {
  std::string path(PATH_MAX, '\0');
  return getcwd(path.data(), path.size()) == nullptr ? "." : path.c_str();
}

// The folder of this user's run files, which is made if need be; ends in '/'.
// A part of the path with a '%' may be another one for each process, so it ends
// before that.
std::string folder_of_run_files(const std::string& output,
                                const std::string& directory) {
  if (output.empty()) {
    const std::string folder = safe_folder(directory);
    return (folder.empty() ? directory : folder) + "/";
  }
  const std::string start = output[0] == '/' ? "" : directory + "/";
  std::string rest = is_directory(start + output) ? output + "/" : output;
  rest = rest.substr(0, rest.find('%'));
  rest.resize(rest.rfind('/') + 1);
  make_folders_of(start + rest);
  return start + rest;
}

// As a part of a path that is not too long for a file system.
std::string name_in_path(std::string name) {
  constexpr size_t kLongest = 200;
  std::replace(name.begin(), name.end(), '/', '_');
  return cut_to(std::move(name), kLongest);
}

class Checkpoints final : public DueWork, public TotalsPart {
 public:
  void start(const ProcessOfJob& self, RunContext (*context)()) {
    const MutexLock lock(mutex_);
    if (!lock.held()) return;
    (void)outcome_with_room([&] { begin(self, context); });
  }

  int64_t work(int64_t now) override {
    if (!measuring() || getpid() != pid_) return INT64_MAX;
    // `now` is that of the thread's last event, which may have waited since.
    const int64_t begin_ns = now_ns();
    write(now, Ending::kUnknown, 0);
    const MutexLock lock(mutex_);
    if (!lock.held() || !open_) return INT64_MAX;
    const int64_t end_ns = now_ns();
    spent_ns_.add(end_ns - begin_ns);
    return times_.next_ns(begin_ns, end_ns);
  }

  std::string last(Ending ending, int64_t code) {
    if (getpid() != pid_) return "";
    find_unseen();
    write(now_ns(), ending, code);
    const MutexLock lock(mutex_);
    if (!lock.held()) return "";
    open_ = false;
    return file_ != nullptr && file_->exists() ? file_->folder() : "";
  }

  void remove() {
    if (getpid() != pid_) return;
    const MutexLock lock(mutex_);
    // Else another thread is still writing: the file stays.
    if (!lock.held()) return;
    open_ = false;
    drop();
  }

  void add_to(const std::vector<Thread*>&, int64_t,
              JobTotals* job) const override {
    job->quality.overhead_ns += spent_ns_.get();
    job->quality.overhead_max_ns += spent_ns_.get();
  }
  void add_while_running(const std::vector<Thread*>& threads, int64_t now,
                         JobTotals* job) const override {
    add_to(threads, now, job);
  }
  void restart(const std::vector<Thread*>&) const override {}

 private:
  void begin(const ProcessOfJob& self, RunContext (*context)()) {
    drop();
    pid_ = getpid();
    self_ = self;
    if (self_.job == 0) self_.job = random_number();
    context_ = context;
    // Now, because the program may change its working directory, and its
    // environment while it is read.
    directory_ = working_directory();
    described_ = RunContext();
    describe_program(&described_);
    times_ = CheckpointTimes(now_ns(), settings().options.checkpoint_ns,
                             self_.rank, self_.ranks);
    unseen_ = look_for_unseen(/*so_far=*/false);
    open_ = true;
    measured_process().add_part(*this);
    do_when_due(*this, times_.first_ns());
  }

  void drop() {
    if (file_ != nullptr) file_->remove();
    file_.reset();
    piece_ = Piece();
  }

  // At both ends only: work() may be in a signal handler.
  void find_unseen() {
    const MutexLock lock(mutex_);
    if (!lock.held() || !open_) return;
    (void)outcome_with_room(
        [&] { unseen_ = look_for_unseen(/*so_far=*/true); });
  }

  void write(int64_t now, Ending ending, int64_t code) {
    const NoInterruption undisturbed;
    const MutexLock lock(mutex_);
    // A run that ends before the first one leaves nothing, however it ends.
    if (!lock.held() || !open_ || now < times_.first_ns()) return;
    (void)outcome_with_room([&] { write_piece(now, ending, code); });
  }

  void write_piece(int64_t now, Ending ending, int64_t code) {
    const std::string host = host_name();
    if (file_ == nullptr) describe();
    piece_.sequence += 1;
    piece_.ending = ending;
    piece_.code = code;
    piece_.totals =
        measured_process().totals(now, host, Process::Threads::kRunning);
    piece_.totals.programs = {{described_.program, 1}};
    complete_own(unseen_, self_.rank, &piece_.totals);
    const bool existed = file_->exists();
    const bool written = file_->write(piece_bytes(piece_));
    // One process is enough; `poprt run` hears only those of its node.
    if (written && !existed && self_.rank == 0) {
      tell_run(RunWord::kPieces, file_->folder());
    }
    if (!written && !existed) {
      open_ = false;
      measured_process().note(
          noted<"no_checkpoints">(file_->folder(), std::strerror(errno)));
    }
  }

  // What does not change, and where the file is.
  void describe() {
    piece_.job = self_.job;
    piece_.rank = self_.rank;
    piece_.ranks = self_.ranks;
    RunContext& it = piece_.context;
    it = context_();
    it.program = described_.program;
    it.command = described_.command;
    it.job = described_.job;
    it.environment = described_.environment;
    it.measured_by = described_.measured_by;
    // Of a job once, because it takes a few files to read.
    if (self_.rank == 0) describe_sources(&it);
    char job[17];
    std::snprintf(job, sizeof job, "%016" PRIx64, self_.job);
    file_ = std::make_unique<CopiesFile>(
        folder_of_run_files(settings().options.output, directory_) +
            name_in_path(it.program) + "-" + job + ".poprt-parts",
        "rank" + std::to_string(self_.rank) + ".part", kPieceAlignment);
  }

  Mutex mutex_;
  std::atomic<pid_t> pid_{0};
  // Protected by the mutex.
  bool open_ = false;
  ProcessOfJob self_;
  RunContext (*context_)() = nullptr;
  std::string directory_;
  RunContext described_;  // what is known of the program from the start
  Unseen unseen_;
  CheckpointTimes times_;
  Piece piece_;
  std::unique_ptr<CopiesFile> file_;
  Cell spent_ns_;
};

// Made when first used; never destroyed.
constinit std::atomic<Checkpoints*> g_checkpoints{nullptr};

}  // namespace

void start_checkpoints(const ProcessOfJob& self, RunContext (*context)()) {
  const Options& options = settings().options;
  // Where no run file is wanted, there are no others, either.
  if (options.checkpoint_ns == 0 || !options.json ||
      is_stream(options.output)) {
    return;
  }
  if (g_checkpoints.load() == nullptr) {
    publish(g_checkpoints, new Checkpoints);
  }
  g_checkpoints.load()->start(self, context);
}

std::string last_checkpoint(Ending ending, int64_t code) {
  Checkpoints* const checkpoints = g_checkpoints.load();
  return checkpoints == nullptr ? "" : checkpoints->last(ending, code);
}

void remove_checkpoint() {
  Checkpoints* const checkpoints = g_checkpoints.load();
  if (checkpoints != nullptr) checkpoints->remove();
}

}  // namespace poprt
