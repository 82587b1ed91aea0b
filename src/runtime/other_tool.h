// A tool of the program's own that the OpenMP runtime reports to (OMPT): it
// takes one only, and the program's has the right of way.
#ifndef POPRT_RUNTIME_OTHER_TOOL_H_
#define POPRT_RUNTIME_OTHER_TOOL_H_

#include <string>

namespace poprt {

// The runtime has asked this library, which gives way to the tool in the image
// (a library or the program) that `path` is.
void give_way_to(const std::string& path);

// "OpenMP is not measured: ..."; empty where there is no such tool.  Also knows
// one in the program itself, which the runtime asks before this library.
std::string other_tool_note();

}  // namespace poprt

#endif  // POPRT_RUNTIME_OTHER_TOOL_H_
