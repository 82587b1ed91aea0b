// Callbacks that tell constructs apart by their places in the program
// (POPRT_CALLS).  Each calls the usual one, and then tells ConstructSites; so
// the usual ones know nothing of it.
#ifndef POPRT_OMPT_SITED_CALLBACKS_H_
#define POPRT_OMPT_SITED_CALLBACKS_H_

#include <vector>

#include "ompt/callbacks.h"

namespace poprt::ompt {

// Puts them in the place of the usual ones.
void tell_sites(std::vector<Registration>* rows);

// Worksharing constructs, which nothing else needs.
std::vector<Registration> work_callbacks();

}  // namespace poprt::ompt

#endif  // POPRT_OMPT_SITED_CALLBACKS_H_
