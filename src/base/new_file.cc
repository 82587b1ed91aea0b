#include "base/new_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/open_files.h"
#include "base/stream.h"

namespace poprt {
namespace {

// How many names are tried.
constexpr int kMostNumbers = 10000;

// errno is that of the first error.
bool write_and_close(int file, const std::string& content,
                     int64_t patience_ns) {
  const NoWriteSignals no_signals;  // close() may write too
  const bool written =
      write_stream(file, content, &patience_ns) == content.size();
  const int error = errno;
  const bool closed = close(file) == 0;
  if (!written) errno = error;
  return written && closed;
}

// Whether the content exceeds the limit for files: writing it would raise a
// signal.
bool is_too_large(const std::string& content) {
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 ||
      content.size() <= limit.rlim_cur) {
    return false;
  }
  errno = EFBIG;
  return true;
}

// Does not wait for a reader of a pipe.
int open_stream(const std::string& path) {
  // A file opened again would be written from its beginning.
  if (const int open_file = descriptor_named_by(path); open_file >= 0) {
    if (why_not_written(open_file) != nullptr) {
      errno = ESTALE;
      return -1;
    }
    return fcntl(open_file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  }
  return open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

// The n-th name for the file while it is being written: in the same folder, and
// short, however long its final name is.
std::string draft_name(const std::string& path, int n) {
  return path.substr(0, path.rfind('/') + 1) + ".poprt-" +
         std::to_string(getpid()) + "-" + std::to_string(n) + ".tmp";
}

int create(const std::string& name) {
  return open(name.c_str(),
              O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

// Creates an empty file for the draft; returns its name or "".
std::string open_draft(const std::string& path, int* file) {
  for (int n = 1; n < kMostNumbers; ++n) {
    const std::string name = draft_name(path, n);
    *file = create(name);
    if (*file >= 0) return name;
    if (errno != EEXIST) break;
  }
  return "";
}

// For file systems that cannot do it in one step: takes the name with an empty
// file, then moves the draft over it.
bool publish_in_two_steps(const std::string& draft, const std::string& name) {
  const int file = create(name);
  if (file < 0) return false;
  close(file);
  if (rename(draft.c_str(), name.c_str()) == 0) return true;
  const int error = errno;
  unlink(name.c_str());
  errno = error;
  return false;
}

// NFS repeats a request whose answer was lost, and then reports that the name
// is taken, by this very file.  Keeps errno.
bool has_two_names(const std::string& draft) {
  const int error = errno;
  struct stat facts;
  const bool two = stat(draft.c_str(), &facts) == 0 && facts.st_nlink == 2;
  errno = error;
  return two;
}

// Gives a complete file its name if no other file has it.  The first two ways
// do that in one step; a file system may lack either or both.
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

// Gives it the first free name; returns that name or "".
std::string publish_numbered(const std::string& draft,
                             const std::string& path) {
  for (int n = 1; n < kMostNumbers; ++n) {
    const std::string name = n == 1 ? path : numbered_path(path, n);
    if (publish(draft, name)) return name;
    if (errno != EEXIST) break;
  }
  return "";
}

// Writes a draft of the file; returns its name or "".
std::string write_draft(const std::string& path, const std::string& content) {
  if (is_too_large(content)) return "";
  int file = -1;
  const std::string draft = open_draft(path, &file);
  if (draft.empty() || write_and_close(file, content, kForever)) return draft;
  const int error = errno;
  unlink(draft.c_str());
  errno = error;
  return "";
}

// Like write_new_file(), in a folder that exists.
std::string write_in_folder(const std::string& path,
                            const std::string& content) {
  const std::string draft = write_draft(path, content);
  if (draft.empty()) return "";
  std::string name = publish_numbered(draft, path);
  if (name.empty()) {
    const int error = errno;
    unlink(draft.c_str());
    errno = error;
  }
  return name;
}

// Whether the folder belongs to this user and no other user may do anything in
// it.
bool is_private(const std::string& folder) {
  struct stat facts;
  return lstat(folder.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
         facts.st_uid == geteuid() && (facts.st_mode & 077) == 0;
}

// The position for the number: before ".poprt.json", else before the last
// suffix.
size_t end_of_stem(const std::string& path) {
  constexpr char kRunFile[] = ".poprt.json";
  const size_t length = sizeof kRunFile - 1;
  if (path.size() >= length &&
      path.compare(path.size() - length, length, kRunFile) == 0) {
    return path.size() - length;
  }
  const size_t name = path.rfind('/') + 1;  // 0 if there is no '/'
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
  if (descriptor_named_by(path) >= 0) return true;
  return stat(path.c_str(), &facts) == 0 &&
         (S_ISCHR(facts.st_mode) || S_ISFIFO(facts.st_mode));
}

bool write_to_stream(const std::string& path, const std::string& content,
                     int64_t patience_ns) {
  const int stream = open_stream(path);
  return stream >= 0 && write_and_close(stream, content, patience_ns);
}

std::string write_new_file(const std::string& path,
                           const std::string& content) {
  make_folders_of(path);
  return write_in_folder(path, content);
}

bool rewrite_file(const std::string& path, const std::string& content) {
  const std::string draft = write_draft(path, content);
  if (draft.empty()) return false;
  if (rename(draft.c_str(), path.c_str()) == 0) return true;
  unlink(draft.c_str());
  return false;
}

void make_folders_of(const std::string& path) {
  for (size_t i = path.find('/', 1); i != std::string::npos;
       i = path.find('/', i + 1)) {
    mkdir(path.substr(0, i).c_str(), 0777);
  }
}

std::string safe_folder(const std::string& folder) {
  struct stat facts;
  if (stat(folder.c_str(), &facts) != 0) return "";
  if (!S_ISDIR(facts.st_mode)) {
    errno = ENOTDIR;
    return "";
  }
  if ((facts.st_mode & S_IWOTH) == 0) return folder;
  std::string own = folder + "/poprt-" + std::to_string(geteuid());
  mkdir(own.c_str(), 0700);
  if (is_private(own)) return own;
  // Another user has taken the name.
  own += "-XXXXXX";
  return mkdtemp(own.data()) == nullptr ? "" : own;
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
    const std::string place = safe_folder(folder);
    if (!place.empty()) written = write_in_folder(place + "/" + name, content);
    if (!written.empty()) {
      return {written, problem + "; the run file is " + written};
    }
    if (place != folder) rmdir(place.c_str());  // fails if it is not empty
    tried += (tried.empty() ? "" : ", ") + folder;
  }
  return {"", problem + ", nor a file in " + tried + "; no run file"};
}

}  // namespace poprt
