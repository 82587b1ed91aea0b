// Where this program is, and what is installed beside it.
#ifndef POPRT_COMMAND_INSTALLED_H_
#define POPRT_COMMAND_INSTALLED_H_

#include <string>

#include "launch/plan.h"

namespace poprt {

// The path of the running program, with links resolved.
std::string own_program();

Installation installation();

// The path of the bundled example's source; "" if it is not installed.
std::string example_source();

}  // namespace poprt

#endif  // POPRT_COMMAND_INSTALLED_H_
