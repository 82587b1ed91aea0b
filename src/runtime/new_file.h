// Files that are there as a whole or not at all, and never in the place of
// another one.
#ifndef POPRT_RUNTIME_NEW_FILE_H_
#define POPRT_RUNTIME_NEW_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace poprt {

// The n-th alternative for a path that is taken: "a.poprt.json" becomes
// "a.2.poprt.json" for n = 2, "a.csv" "a.2.csv", "a" "a.2".
std::string numbered_path(const std::string& path, int n);

// Writes `content` to a new file at `path`, whose folders are made if they do
// not exist; where the name is taken, whatever by, to numbered_path().  Returns
// the path of what was written, or "" with errno set; then nothing is left
// behind.  Raises no signal.
std::string write_new_file(const std::string& path, const std::string& content);

// Puts other content in the place of a file that write_new_file() has written.
bool rewrite_file(const std::string& path, const std::string& content);

// Where in a folder that the user has not named files are safe from others: in
// one where anybody may write, a folder of our own in it that only we may enter
// (poprt-<user number>), which is made; else the folder itself.  "", with errno
// set: there is none.
std::string safe_folder(const std::string& folder);

struct SavedFile {
  std::string path;       // empty: not written
  std::string complaint;  // one line, if it is not where it was to be
};

// Writes it at `path`, else under its name in the first of `folders` that
// takes it, or rather in their safe_folder().
SavedFile save_file(const std::string& path, const std::string& content,
                    const std::vector<std::string>& folders);

// A device, a pipe, or a file that this process has open and that is named by
// its descriptor (/dev/stdout, /dev/stderr, /dev/fd/N, /proc/self/fd/N).  Only
// for a path that the user has named: under any other name anybody may have
// put a pipe there.
bool is_stream(const std::string& path);
// Writes it there, behind what is there; false with errno set.  Waits for a
// reader of a pipe at most so long, in all; raises no signal.
bool write_to_stream(const std::string& path, const std::string& content,
                     int64_t patience_ns);

bool is_directory(const std::string& path);

}  // namespace poprt

#endif  // POPRT_RUNTIME_NEW_FILE_H_
