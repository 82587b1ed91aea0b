// Whether a descriptor still leads to the file that it led to.  The program may
// close any descriptor, those of poprt too, and the next file that it opens
// gets the number.
#ifndef POPRT_BASE_OPEN_FILES_H_
#define POPRT_BASE_OPEN_FILES_H_

#include <cstdint>
#include <string_view>

namespace poprt {

// One file, pipe, socket or device, whatever names or descriptors it has.
struct FileIdentity {
  bool is_open = false;
  uint32_t device[2] = {};
  uint64_t inode = 0;
  // Where the file system knows it, else 0: the number of a file that was
  // removed goes to the next one.
  int64_t made_ns = 0;

  bool operator==(const FileIdentity&) const = default;
};

// Of the file that is open there, if any.  Keeps errno.  May be called in
// signal handlers.
FileIdentity identity_of(int descriptor);

// Notes what stdout and stderr are.  To be called when the library is loaded;
// where it never is (in the command), they are not told from others.
void note_standard_files();
// The same for one other descriptor, at the start of measurement.  Does nothing
// for -1, stdout and stderr.
void note_file_of(int descriptor);

// Why nothing may be written to a noted descriptor: "is another file than when
// the program began" and the like.  Null if it is the same file, was not noted,
// or is -1.  May be called in signal handlers.
const char* why_not_written(int descriptor);

// The number of the open file that a path names by its descriptor (/dev/stdout,
// /dev/stderr, /dev/fd/N, /proc/self/fd/N); -1 if it names none.
int descriptor_named_by(std::string_view path);

// A descriptor that poprt has opened and keeps for a while.
class KeptFile {
 public:
  KeptFile() = default;
  explicit KeptFile(int descriptor)
      : descriptor_(descriptor), file_(identity_of(descriptor)) {}

  // -1 if it is not open any more, or is another file now.
  int descriptor() const;
  // Closes it, unless it is another file now.
  void close() const;

 private:
  int descriptor_ = -1;
  FileIdentity file_;
};

}  // namespace poprt

#endif  // POPRT_BASE_OPEN_FILES_H_
