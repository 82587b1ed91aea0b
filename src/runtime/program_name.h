// What a run is called.
#ifndef POPRT_RUNTIME_PROGRAM_NAME_H_
#define POPRT_RUNTIME_PROGRAM_NAME_H_

#include <string>
#include <vector>

namespace poprt {

// The base name of the executable, or where that is an interpreter, of the
// script that its command line names: "solve.py" of python3.11, "fit.R" of R.
// Of a module (python3 -m solver.main) its name.  An interpreter without a
// script (python3 -c ...) is named itself.
std::string program_name(const std::string& executable,
                         const std::vector<std::string>& command);

}  // namespace poprt

#endif  // POPRT_RUNTIME_PROGRAM_NAME_H_
