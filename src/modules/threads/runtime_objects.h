// Which of the objects of a process belong to MPI, to an OpenMP runtime or to
// the system: what they do with threads is their own affair.
#ifndef POPRT_MODULES_THREADS_RUNTIME_OBJECTS_H_
#define POPRT_MODULES_THREADS_RUNTIME_OBJECTS_H_

#include <string_view>
#include <vector>

#include "base/entry_slots.h"

namespace poprt::modules::threads {

// By the name of the library, as "libmpi.so.40" or "mca_btl_tcp.so".
bool is_runtime(std::string_view name);

// For each object whether it is a runtime by its name, or is needed by runtimes
// only.  The first object is the program.
std::vector<bool> runtimes_among(const std::vector<LoadedObject>& objects);

}  // namespace poprt::modules::threads

#endif  // POPRT_MODULES_THREADS_RUNTIME_OBJECTS_H_
