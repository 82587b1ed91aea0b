// The name of the program for reports and files.
#ifndef POPRT_SESSION_PROGRAM_NAME_H_
#define POPRT_SESSION_PROGRAM_NAME_H_

#include <string>
#include <vector>

namespace poprt {

// The base name of the executable.  For an interpreter, the script in its
// command line ("solve.py" for python3.11, "fit.R" for R) or the module
// (python3 -m solver.main).  An interpreter without a script (python3 -c ...)
// has its own name.
std::string program_name(const std::string& executable,
                         const std::vector<std::string>& command);

}  // namespace poprt

#endif  // POPRT_SESSION_PROGRAM_NAME_H_
