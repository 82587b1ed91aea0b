// Where a Python interpreter would find mpi4py, without asking it.
#ifndef POPRT_LAUNCH_PYTHON_H_
#define POPRT_LAUNCH_PYTHON_H_

#include <string>

#include "launch/environment.h"

namespace poprt {

// Whether an interpreter of this name is Python's.
bool is_python(const std::string& binary);

// mpi4py's extension module, which needs the MPI library: in PYTHONPATH, beside
// the interpreter (`command`: as it was found, in a virtual environment a
// link; `binary`: the file itself), in the user's own folder; "" for none.
std::string mpi4py_module(const std::string& command, const std::string& binary,
                          const Environment& environment);

}  // namespace poprt

#endif  // POPRT_LAUNCH_PYTHON_H_
