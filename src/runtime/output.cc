#include "runtime/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "report/writers.h"
#include "runtime/log.h"
#include "runtime/options.h"
#include "runtime/source_location.h"

extern char** environ;

namespace poprt {
namespace {

// Looking up the places may take this long, once per job.
constexpr int64_t kLocationBudgetNs = 3'000'000'000;

// The place in the source of each.
std::vector<std::string> construct_locations(
    const std::vector<ConstructTotals>& constructs) {
  std::vector<CodeAddress> addresses;
  for (const ConstructTotals& c : constructs) {
    addresses.push_back({c.module, c.offset});
  }
  return source_locations(addresses, kLocationBudgetNs);
}

std::string read_all(const char* path) {
  std::string content;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return content;
  char buffer[4096];
  ssize_t length;
  while ((length = read(file, buffer, sizeof buffer)) > 0) {
    content.append(buffer, static_cast<size_t>(length));
  }
  close(file);
  return content;
}

std::vector<std::string> own_variables() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const char* const end = std::strchr(*entry, '=');
    if (end != nullptr && std::strncmp(*entry, "POPRT_", 6) == 0) {
      names.emplace_back(*entry, static_cast<size_t>(end - *entry));
    }
  }
  return names;
}

bool is_directory(const std::string& path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

void make_folders_of(const std::string& path) {
  for (size_t i = path.find('/', 1); i != std::string::npos;
       i = path.find('/', i + 1)) {
    mkdir(path.substr(0, i).c_str(), 0777);
  }
}

bool write_to(int file, const std::string& content) {
  const char* rest = content.data();
  size_t left = content.size();
  while (left > 0) {
    const ssize_t written = write(file, rest, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    rest += written;
    left -= static_cast<size_t>(written);
  }
  return true;
}

// A device or a pipe (/dev/null, /dev/stdout) takes what is written.
bool is_stream(const std::string& path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 &&
         (S_ISCHR(facts.st_mode) || S_ISFIFO(facts.st_mode));
}

// Does not wait for a pipe's reader.
int open_stream(const std::string& path) {
  const int file =
      open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file >= 0) fcntl(file, F_SETFL, 0);
  return file;
}

// Writes a new file, never over an existing one: a number is added.  Returns
// its path, or "" with errno set.
std::string write_new_file(const std::string& path,
                           const std::string& content) {
  constexpr int kMostNumbers = 10000;
  if (is_stream(path)) {
    const int stream = open_stream(path);
    if (stream < 0) return "";
    const bool written = write_to(stream, content);
    return close(stream) == 0 && written ? path : "";
  }
  make_folders_of(path);
  for (int n = 1; n < kMostNumbers; ++n) {
    const std::string name = n == 1 ? path : numbered_path(path, n);
    const int file =
        open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return "";
    const bool written = write_to(file, content);
    const int error = errno;
    const bool closed = close(file) == 0;
    if (written && closed) return name;
    unlink(name.c_str());
    errno = written ? errno : error;
    return "";
  }
  errno = EEXIST;
  return "";
}

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string save(const std::string& path, const std::string& content) {
  std::string written = write_new_file(path, content);
  if (!written.empty()) return written;
  const std::string reason = std::strerror(errno);
  const char* const tmp = std::getenv("TMPDIR");
  for (const std::string& folder :
       {std::string("."), std::string(tmp == nullptr ? "/tmp" : tmp)}) {
    written = write_new_file(folder + "/" + base_name(path), content);
    if (!written.empty()) {
      say("cannot write " + path + " (" + reason + "); the run file is " +
          written);
      return written;
    }
  }
  say("cannot write " + path + " (" + reason +
      "), nor a file in . or the temporary folder; no run file");
  return "";
}

Options options_of_environment(std::vector<std::string>* complaints) {
  return read_options(
      [](const char* name) -> const char* { return std::getenv(name); },
      own_variables(), complaints);
}

// The command line of this process and the base name of its executable.
void describe_program(RunContext* context) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  context->program =
      length > 0 ? base_name(std::string(path, static_cast<size_t>(length)))
                 : std::string(program_invocation_short_name);
  const std::string line = read_all("/proc/self/cmdline");
  for (size_t i = 0; i < line.size();) {
    size_t end = line.find('\0', i);
    if (end == std::string::npos) end = line.size();
    context->command.push_back(line.substr(i, end - i));
    i = end + 1;
  }
}

}  // namespace

std::string host_name() {
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) return "unknown";
  return name;
}

bool report_wanted() {
  std::vector<std::string> complaints;
  const Options options = options_of_environment(&complaints);
  return options.text || options.json;
}

void write_report(RunContext context, JobTotals totals) {
  std::vector<std::string> complaints;
  const Options options = options_of_environment(&complaints);
  for (const std::string& line : complaints) write_stderr(line + "\n");
  if (options.help) write_stderr(options_help());

  describe_program(&context);
  const JobReport report =
      make_report(std::move(context), std::move(totals), construct_locations);
  std::string run_file;
  if (options.json) {
    const std::string path =
        is_stream(options.output)
            ? options.output
            : run_file_path(options.output, is_directory(options.output),
                            report.context.program, report.totals.processes,
                            report.totals.threads_max, host_name(), getpid());
    run_file = save(path, to_json(report));
  }
  if (options.text) write_stderr(to_text(report, options.models, run_file));
}

}  // namespace poprt
