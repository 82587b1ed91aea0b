// Where this program is, and what is installed beside it.
#ifndef POPRT_COMMAND_INSTALLED_H_
#define POPRT_COMMAND_INSTALLED_H_

#include <string>

#include "launch/plan.h"

namespace poprt {

// The path of the running program, with links resolved.
std::string own_program();

Installation installation();

// The command that builds the bundled example; "" if its source is not
// installed.
std::string example_command();

}  // namespace poprt

#endif  // POPRT_COMMAND_INSTALLED_H_
