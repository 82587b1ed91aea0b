// Finds mpi4py without running the Python interpreter.
#ifndef POPRT_LAUNCH_LOADER_PYTHON_H_
#define POPRT_LAUNCH_LOADER_PYTHON_H_

#include <string>

#include "launch/environment.h"

namespace poprt {

// Whether the interpreter's name is one of Python's.
bool is_python(const std::string& binary);

// The path of mpi4py's extension module, which needs the MPI library; "" for
// none.  Looks in PYTHONPATH, beside the interpreter (`command`: as it was
// found, which is a link in a virtual environment; `binary`: the file itself),
// and in the user's own folder.
std::string mpi4py_module(const std::string& command, const std::string& binary,
                          const Environment& environment);

}  // namespace poprt

#endif  // POPRT_LAUNCH_LOADER_PYTHON_H_
