#include "wrappers/node/roll_call.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "base/kernel_text.h"
#include "base/launched.h"
#include "base/log.h"
#include "base/mix.h"
#include "base/stream.h"
#include "wrappers/node/job_processes.h"
#include "wrappers/node/node_memory.h"

namespace poprt::mpi {
namespace {

constexpr int kMostProcesses = 4096;
// Room for the totals of a process; what is not used takes no memory.
constexpr size_t kPlaceBytes = size_t{8} << 20;

// A file of this user that others cannot have put there, not even by a link to
// another file.
bool is_own(int file) {
  struct stat facts;
  return fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
         facts.st_uid == geteuid() && (facts.st_mode & 077) == 0 &&
         facts.st_nlink <= 1;
}

// To a number that MPI and the program do not get while the file is open: they
// would get other ones afterwards than without this library.
int moved_away(int file) {
  constexpr int kFar = 500;
  const int moved = fcntl(file, F_DUPFD_CLOEXEC, kFar);
  if (moved < 0) return file;
  close(file);
  return moved;
}

// Using what has no memory yet would raise a signal if there is none left.
bool has_memory(int file, size_t bytes) {
  const NoWriteSignals no_signals;
  int code;
  do {
    code = fallocate(file, 0, 0, static_cast<off_t>(bytes));
  } while (code != 0 && errno == EINTR);
  return code == 0;
}

}  // namespace

struct RollCall::Head {
  std::atomic<uint32_t> outcome;  // a Roll
  std::atomic<uint32_t> inside;   // have answered and not left
  std::atomic<uint64_t> job;
  struct Process {
    std::atomic<uint32_t> has_answered;
    std::atomic<uint32_t> bytes;  // of its totals
  };
  Process& process(int rank) {
    return reinterpret_cast<Process*>(this + 1)[rank];
  }
};

size_t RollCall::head_bytes() const {
  return whole_pages(sizeof(Head) +
                     static_cast<size_t>(processes_) * sizeof(Head::Process));
}

size_t RollCall::place_of(int rank) const {
  return head_bytes() + static_cast<size_t>(rank) * kPlaceBytes;
}

RollCall::RollCall(std::string path, int rank, int processes)
    : path_(std::move(path)), rank_(rank), processes_(processes) {
  if (processes < 2 || processes > kMostProcesses || rank < 0 ||
      rank >= processes) {
    return;
  }
  const int opened =
      open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (opened < 0) return;
  const int file = moved_away(opened);
  if (is_own(file) && has_memory(file, head_bytes())) {
    head_ = static_cast<Head*>(map_shared(file, 0, head_bytes()));
  }
  file_ = KeptFile(file);
}

RollCall::~RollCall() {
  file_.close();
  if (head_ != nullptr) munmap(head_, head_bytes());
}

uint64_t RollCall::job() const { return head_->job.load(); }

void RollCall::answer() {
  uint64_t number = 0;
  uint64_t none = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number) {
    head_->job.compare_exchange_strong(none, number | 1);
  }
  head_->process(rank_).has_answered.store(1);
  if (head_->inside.fetch_add(1) + 1 == static_cast<uint32_t>(processes_)) {
    unlink(path_.c_str());
  }
}

std::vector<int> RollCall::ranks(bool answered) const {
  std::vector<int> found;
  for (int rank = 0; rank < processes_; ++rank) {
    const bool has_answered = head_->process(rank).has_answered.load() != 0;
    if (has_answered == answered) found.push_back(rank);
  }
  return found;
}

Roll RollCall::decided() const {
  return static_cast<Roll>(head_->outcome.load());
}

void RollCall::decide(Roll roll) {
  uint32_t none = 0;
  head_->outcome.compare_exchange_strong(none, static_cast<uint32_t>(roll));
}

void RollCall::hide() {
  // If all have answered, a file there is that of the next program.
  if (!ranks(false).empty()) unlink(path_.c_str());
}

bool RollCall::leave(std::string_view totals) {
  const NoWriteSignals no_signals;
  const int file = file_.descriptor();
  if (totals.size() <= kPlaceBytes && file >= 0 &&
      pwrite(file, totals.data(), totals.size(),
             static_cast<off_t>(place_of(rank_))) ==
          static_cast<ssize_t>(totals.size())) {
    head_->process(rank_).bytes.store(static_cast<uint32_t>(totals.size()));
  }
  return head_->inside.fetch_sub(1) == 1;
}

std::string RollCall::left_by(int rank) const {
  std::string totals(
      std::min(head_->process(rank).bytes.load() + size_t{0}, kPlaceBytes),
      '\0');
  const int file = file_.descriptor();
  const ssize_t length = file < 0 ? 0
                                  : pread(file, totals.data(), totals.size(),
                                          static_cast<off_t>(place_of(rank)));
  totals.resize(static_cast<size_t>(std::max(length, ssize_t{0})));
  return totals;
}

namespace {

// Between answering and close_roll_call(); from then on only if some processes
// lack the library.
std::atomic<RollCall*> g_roll_call{nullptr};

// The process at the other end of the launcher's socket: hydra's proxy, which
// starts all processes of a job on a node.  0 if that is not known.
pid_t proxy() {
  const char* const descriptor = std::getenv("PMI_FD");
  ucred peer{};
  socklen_t length = sizeof peer;
  return descriptor != nullptr && getsockopt(std::atoi(descriptor), SOL_SOCKET,
                                             SO_PEERCRED, &peer, &length) == 0
             ? peer.pid
             : 0;
}

// A process and the time of its start.
std::string name_of(pid_t process) {
  if (process <= 0) return "";
  const std::string pid = std::to_string(process);
  const std::string stat = kernel_text("/proc/" + pid + "/stat");
  constexpr int kStartTime = 22;
  const char* const start = stat_field(stat, kStartTime);
  return start == nullptr ? "" : pid + " " + std::to_string(std::atoll(start));
}

std::string path_of(const OneNodeJob& job) {
  const std::string name = job.name.empty() ? name_of(proxy()) : job.name;
  if (name.empty()) return "";
  char path[64];
  std::snprintf(path, sizeof path, "/dev/shm/poprt-%u-%016" PRIx64, geteuid(),
                poprt::mix(std::hash<std::string>{}(name)));
  return path;
}

void decide(RollCall& roll) {
  if (roll.decided() != Roll::kUndecided) return;
  const std::vector<int> missing = roll.ranks(false);
  const auto surely_lack = [&] {
    const OneNodeJob job = one_node_job(std::getenv);
    return surely_lack_library(job, job.name.empty() ? proxy() : 0, missing);
  };
  roll.decide(missing.empty() ? Roll::kAll
              : surely_lack() ? Roll::kSome
                              : Roll::kNotKnown);
}

// One line for the job.
void say_missing(const RollCall& roll) {
  const std::vector<int> present = roll.ranks(true);
  if (present.front() != roll.rank()) return;
  say("only " + std::to_string(present.size()) + " of " +
      std::to_string(roll.processes()) +
      " processes have this library: their times are measured, and rows that "
      "need clocks of all are '-'. Preload it into every program of the job "
      "(poprt run mpirun ...)");
}

}  // namespace

void answer_roll_call() {
  if (g_roll_call.load() != nullptr) return;
  const OneNodeJob job = one_node_job(std::getenv);
  const std::string path = job.processes < 2 ? "" : path_of(job);
  if (path.empty()) return;
  auto* const roll = new RollCall(path, job.rank, job.processes);
  if (!roll->is_possible()) {
    delete roll;
    return;
  }
  roll->answer();
  g_roll_call.store(roll);
}

Roll take_roll_call(int size) {
  RollCall* const roll = g_roll_call.load();
  // An MPI that does not know the launcher makes a world of each process.
  if (roll == nullptr || roll->processes() != size) return Roll::kNotKnown;
  decide(*roll);
  roll->hide();
  if (roll->decided() == Roll::kSome) say_missing(*roll);
  return roll->decided();
}

void close_roll_call() {
  RollCall* const roll = g_roll_call.load();
  if (roll == nullptr) return;
  roll->hide();
  if (roll->decided() == Roll::kSome) return;
  g_roll_call.store(nullptr);
  delete roll;
}

RollCall& roll_call() { return *g_roll_call.load(); }

}  // namespace poprt::mpi
