// Files that are there as a whole or not at all, and never in the place of
// another one.
#ifndef POPRT_RUNTIME_NEW_FILE_H_
#define POPRT_RUNTIME_NEW_FILE_H_

#include <string>
#include <vector>

namespace poprt {

// The n-th alternative for a path that is taken: "a.poprt.json" becomes
// "a.2.poprt.json" for n = 2, "a.csv" "a.2.csv", "a" "a.2".
std::string numbered_path(const std::string& path, int n);

// Writes `content` to a new file at `path`, whose folders are made if they do
// not exist; where the name is taken, to numbered_path().  Returns the path of
// what was written, or "" with errno set; then nothing is left behind.
// A device or a pipe (/dev/null) takes what is written, and so does an open
// file
// (/dev/stdout, whatever it is): behind what is there.
std::string write_new_file(const std::string& path, const std::string& content);

struct SavedFile {
  std::string path;       // empty: not written
  std::string complaint;  // one line, if it is not where it was to be
};

// Writes it at `path`, else under its name in the first of `folders` that
// takes it.
SavedFile save_file(const std::string& path, const std::string& content,
                    const std::vector<std::string>& folders);

// A device, a pipe, or a file that this process has open and that is named by
// its descriptor (/dev/stdout, /dev/stderr, /dev/fd/N, /proc/self/fd/N).
bool is_stream(const std::string& path);

bool is_directory(const std::string& path);

}  // namespace poprt

#endif  // POPRT_RUNTIME_NEW_FILE_H_
