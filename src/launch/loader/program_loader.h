// The command line of a dynamic loader that is started like a program:
// ld-linux-x86-64.so.2 --library-path /opt/glibc/lib ./app.
#ifndef POPRT_LAUNCH_LOADER_PROGRAM_LOADER_H_
#define POPRT_LAUNCH_LOADER_PROGRAM_LOADER_H_

#include <string>
#include <vector>

#include "launch/loader/program.h"

namespace poprt {

// Whether the program is such a loader.
bool is_program_loader(const Program& program);

struct LoaderLine {
  std::vector<std::string> words;  // the program and its arguments
  std::string library_path;        // in place of LD_LIBRARY_PATH; "" for none
};

// What a loader does with these words, of which it is the first.
LoaderLine loader_line(const std::vector<std::string>& words);

}  // namespace poprt

#endif  // POPRT_LAUNCH_LOADER_PROGRAM_LOADER_H_
