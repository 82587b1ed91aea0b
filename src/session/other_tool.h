// Another OMPT tool that the program brings.  An OpenMP runtime accepts only
// one tool, and the program's own comes first.
#ifndef POPRT_SESSION_OTHER_TOOL_H_
#define POPRT_SESSION_OTHER_TOOL_H_

#include <string>

namespace poprt {

// The runtime has asked this library, which leaves OpenMP to the tool in the
// image `path` (a library or the program).
void give_way_to(const std::string& path);

// "OpenMP is not measured: ..."; empty if there is no such tool.  Also finds a
// tool in the program itself, which the runtime asks before this library.
std::string other_tool_note();

}  // namespace poprt

#endif  // POPRT_SESSION_OTHER_TOOL_H_
