// Short texts that the kernel offers as files.
#ifndef POPRT_BASE_KERNEL_TEXT_H_
#define POPRT_BASE_KERNEL_TEXT_H_

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace poprt {

// The first `most` bytes of the file, without white space at the end; empty if
// it cannot be read.
std::string kernel_text(const std::string& path, size_t most = 4096);

// What can be read from an open file, at most `most` bytes.
std::string rest_of_file(int file, size_t most);

// Where the field begins in the text of /proc/PID/stat, fields numbered as in
// proc(5); of those behind the second one, a name in brackets that may contain
// anything.  Null: there is none.
const char* stat_field(const std::string& stat, int field);

// The file that this process executes: of a program that was started through
// the loader (`ld.so ./program`), the loader's.  Empty: not known.
std::string own_executable();

// The words with which this process was started, all of them, with the loader.
std::vector<std::string> own_command();

// The parent of the process with this folder ("/proc/PID").  0: not known.
pid_t parent_of(const std::string& folder);

}  // namespace poprt

#endif  // POPRT_BASE_KERNEL_TEXT_H_
