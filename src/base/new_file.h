// Writes files that appear complete or not at all, and never replace another
// file: a file is written under another name and gets its own in one step, by
// link() or by a rename() that replaces nothing.
#ifndef POPRT_BASE_NEW_FILE_H_
#define POPRT_BASE_NEW_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace poprt {

// The n-th alternative to a name that is taken: for n = 2 "a.poprt.json"
// becomes "a.2.poprt.json", "a.csv" becomes "a.2.csv", "a" becomes "a.2".
std::string numbered_path(const std::string& path, int n);

// Writes `content` to a new file at `path`, and makes its folders if needed.
// If the name is taken, writes to numbered_path().  Returns the path of the
// file, or "" with errno set, and then leaves nothing behind.  Raises no
// signal.
std::string write_new_file(const std::string& path, const std::string& content);

// Replaces the content of a file that write_new_file() has written.
bool rewrite_file(const std::string& path, const std::string& content);

// Makes the folders in a path, up to its last '/'.
void make_folders_of(const std::string& path);

// A folder inside or equal to `folder`, which the user has not named, where no
// other user can interfere: if everybody may write to `folder`, a folder in it
// that only this user may enter (poprt-<user number>), which is made; else
// `folder` itself.  "" with errno set if there is none.
std::string safe_folder(const std::string& folder);

struct SavedFile {
  std::string path;       // empty if the file was not written
  std::string complaint;  // one line, if it is not where it should be
};

// Writes the file at `path`.  If that fails, writes it under the same name to
// the first of `folders`, or rather their safe_folder(), that works.
SavedFile save_file(const std::string& path, const std::string& content,
                    const std::vector<std::string>& folders);

// Whether the path is a device, a pipe, or a file that is named by an open
// descriptor (/dev/stdout, /dev/stderr, /dev/fd/N, /proc/self/fd/N).  Only for
// paths that the user has named: elsewhere another user may have put a pipe.
bool is_stream(const std::string& path);
// Appends to it; false with errno set.  Waits at most `patience_ns` for a
// reader of a pipe.  Raises no signal.
bool write_to_stream(const std::string& path, const std::string& content,
                     int64_t patience_ns);

bool is_directory(const std::string& path);

}  // namespace poprt

#endif  // POPRT_BASE_NEW_FILE_H_
