#include "wrappers/node/job_processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "base/kernel_text.h"

namespace poprt::mpi {
namespace {

struct SeenRank {
  int rank;
  bool has_library = false;
  bool runs_mpi = false;
};

// False if the kernel refuses to show it.  Empty: the process has ended.
bool read_text(const std::string& path, std::string* text) {
  constexpr size_t kMost = size_t{8} << 20;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return errno != EACCES && errno != EPERM;
  *text = rest_of_file(file, kMost);
  close(file);
  return true;
}

// Like getenv().
const char* value_in(const std::string& environment, std::string_view name) {
  for (size_t begin = 0; begin < environment.size();) {
    const char* const entry = environment.c_str() + begin;
    const std::string_view text = entry;
    if (text.size() > name.size() && text.starts_with(name) &&
        text[name.size()] == '=') {
      return entry + name.size() + 1;
    }
    begin += text.size() + 1;
  }
  return nullptr;
}

bool is_below(pid_t process, pid_t launcher, const std::string& folder) {
  constexpr int kDeepest = 64;
  for (int i = 0; i < kDeepest && process > 1; ++i) {
    process = parent_of(folder + '/' + std::to_string(process));
    if (process == launcher) return true;
  }
  return false;
}

// The same for each process of the user; false if it cannot be seen.
bool look_at(pid_t process, const OneNodeJob& job, pid_t launcher,
             const std::string& folder, std::vector<SeenRank>* ranks) {
  const std::string own = folder + '/' + std::to_string(process);
  struct stat facts;
  if (stat(own.c_str(), &facts) != 0 || facts.st_uid != geteuid()) return true;
  std::string environment;
  if (!read_text(own + "/environ", &environment)) {
    // What has started this process is of no other rank.
    return is_below(getpid(), process, folder);
  }
  const OneNodeJob its = one_node_job(
      [&](const char* name) { return value_in(environment, name); });
  const auto rank = std::ranges::find(*ranks, its.rank, &SeenRank::rank);
  if (rank == ranks->end() || its.processes != job.processes ||
      its.name != job.name ||
      (job.name.empty() && !is_below(process, launcher, folder))) {
    return true;
  }
  std::string maps;
  if (!read_text(own + "/maps", &maps)) return false;
  const auto has = [&](const char* part) {
    return maps.find(part) != std::string::npos;
  };
  rank->has_library |= has("/libpoprt");
  rank->runs_mpi |= !maps.empty() && (has("/libmpi") || !has(".so"));
  return true;
}

}  // namespace

bool surely_lack_library(const OneNodeJob& job, pid_t launcher,
                         const std::vector<int>& ranks,
                         const std::string& folder) {
  std::vector<SeenRank> seen;
  for (const int rank : ranks) seen.push_back({rank});
  DIR* const entries = opendir(folder.c_str());
  if (entries == nullptr) return false;
  bool all_seen = true;
  while (const dirent* const entry = readdir(entries)) {
    const pid_t process = std::atoi(entry->d_name);
    all_seen = all_seen &&
               (process <= 0 || look_at(process, job, launcher, folder, &seen));
  }
  closedir(entries);
  return all_seen && std::ranges::all_of(seen, [](const SeenRank& rank) {
           return rank.runs_mpi && !rank.has_library;
         });
}

}  // namespace poprt::mpi
