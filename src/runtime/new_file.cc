#include "runtime/new_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string_view>
#include <system_error>

namespace poprt {
namespace {

// So many names are tried before it is given up.
constexpr int kMostNumbers = 10000;

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
    if (written < 0 && errno == EAGAIN) {
      // The program's own, which does not wait by itself.
      pollfd ready = {file, POLLOUT, 0};
      poll(&ready, 1, -1);
      continue;
    }
    if (written <= 0) return false;
    rest += written;
    left -= static_cast<size_t>(written);
  }
  return true;
}

// In its scope writing to a pipe that nobody reads any more is an error like
// any other, and does not end the program.  Leaves errno as it was.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    const int error = errno;
    const timespec now = {};
    while (!was_pending_ && sigtimedwait(&pipe_, nullptr, &now) < 0 &&
           errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_;
  sigset_t before_;
  bool was_pending_;
};

// The first error counts.
bool write_and_close(int file, const std::string& content) {
  const NoPipeSignal no_signal;
  const bool written = write_to(file, content);
  const int error = errno;
  const bool closed = close(file) == 0;
  if (!written) errno = error;
  return written && closed;
}

// The open file that a path names by its descriptor; -1 where it names none.
int descriptor_of(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.substr(0, folder.size()) != folder) continue;
    const std::string_view number = path.substr(folder.size());
    int file = -1;
    const auto end =
        std::from_chars(number.data(), number.data() + number.size(), file);
    return end.ec == std::errc() && end.ptr == number.data() + number.size()
               ? file
               : -1;
  }
  return -1;
}

// Does not wait for a pipe's reader.
int open_stream(const std::string& path) {
  // Opened anew, a file would be written from its beginning.
  if (const int open_file = descriptor_of(path); open_file >= 0) {
    return fcntl(open_file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  }
  const int file =
      open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file >= 0) fcntl(file, F_SETFL, 0);
  return file;
}

// The n-th name for the file while it is written: in its folder, and short
// whatever its own name is.
std::string draft_name(const std::string& path, int n) {
  return path.substr(0, path.rfind('/') + 1) + ".poprt-" +
         std::to_string(getpid()) + "-" + std::to_string(n) + ".tmp";
}

// Creates an empty file for it; its name, or "".
std::string open_draft(const std::string& path, int* file) {
  for (int n = 1; n < kMostNumbers; ++n) {
    const std::string name = draft_name(path, n);
    *file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (*file >= 0) return name;
    if (errno != EEXIST) break;
  }
  return "";
}

// Where a file system has no way in one step: takes the name by an empty file,
// and then puts the file in its place.
bool publish_in_two_steps(const std::string& draft, const std::string& name) {
  const int file =
      open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return false;
  close(file);
  if (rename(draft.c_str(), name.c_str()) == 0) return true;
  const int error = errno;
  unlink(name.c_str());
  errno = error;
  return false;
}

// NFS repeats a request whose answer was lost, and then says that the name is
// taken: by this file.  Leaves errno as it was.
bool has_two_names(const std::string& draft) {
  const int error = errno;
  struct stat facts;
  const bool two = stat(draft.c_str(), &facts) == 0 && facts.st_nlink == 2;
  errno = error;
  return two;
}

// Gives a complete file its name, if nothing has that.  The first two ways are
// one step for whoever looks; a file system may lack either or both.
bool publish(const std::string& draft, const std::string& name) {
  if (link(draft.c_str(), name.c_str()) == 0 ||
      (errno == EEXIST && has_two_names(draft))) {
    unlink(draft.c_str());
    return true;
  }
  if (errno == EEXIST) return false;
  if (syscall(SYS_renameat2, AT_FDCWD, draft.c_str(), AT_FDCWD, name.c_str(),
              RENAME_NOREPLACE) == 0) {
    return true;
  }
  return errno != EEXIST && publish_in_two_steps(draft, name);
}

// Gives it the first name that is free; that name, or "".
std::string publish_numbered(const std::string& draft,
                             const std::string& path) {
  for (int n = 1; n < kMostNumbers; ++n) {
    const std::string name = n == 1 ? path : numbered_path(path, n);
    if (publish(draft, name)) return name;
    if (errno != EEXIST) break;
  }
  return "";
}

// Where a number goes: before ".poprt.json", else before the last ending.
size_t end_of_stem(const std::string& path) {
  constexpr char kRunFile[] = ".poprt.json";
  const size_t length = sizeof kRunFile - 1;
  if (path.size() >= length &&
      path.compare(path.size() - length, length, kRunFile) == 0) {
    return path.size() - length;
  }
  const size_t name = path.rfind('/') + 1;  // 0 without a '/'
  const size_t dot = path.rfind('.');
  return dot == std::string::npos || dot <= name ? path.size() : dot;
}

}  // namespace

std::string numbered_path(const std::string& path, int n) {
  std::string result = path;
  return result.insert(end_of_stem(path), "." + std::to_string(n));
}

bool is_directory(const std::string& path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

bool is_stream(const std::string& path) {
  struct stat facts;
  if (descriptor_of(path) >= 0) return true;
  return stat(path.c_str(), &facts) == 0 &&
         (S_ISCHR(facts.st_mode) || S_ISFIFO(facts.st_mode));
}

std::string write_new_file(const std::string& path,
                           const std::string& content) {
  if (is_stream(path)) {
    const int stream = open_stream(path);
    return stream >= 0 && write_and_close(stream, content) ? path : "";
  }
  make_folders_of(path);
  int file = -1;
  const std::string draft = open_draft(path, &file);
  if (draft.empty()) return "";
  std::string name;
  if (write_and_close(file, content)) name = publish_numbered(draft, path);
  if (name.empty()) {
    const int error = errno;
    unlink(draft.c_str());
    errno = error;
  }
  return name;
}

SavedFile save_file(const std::string& path, const std::string& content,
                    const std::vector<std::string>& folders) {
  std::string written = write_new_file(path, content);
  if (!written.empty()) return {written, ""};
  const std::string problem =
      "cannot write " + path + " (" + std::strerror(errno) + ")";
  const std::string name = path.substr(path.rfind('/') + 1);
  std::string tried;
  for (const std::string& folder : folders) {
    written = write_new_file(folder + "/" + name, content);
    if (!written.empty()) {
      return {written, problem + "; the run file is " + written};
    }
    tried += (tried.empty() ? "" : ", ") + folder;
  }
  return {"", problem + ", nor a file in " + tried + "; no run file"};
}

}  // namespace poprt
