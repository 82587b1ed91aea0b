// Puts entries in front of functions of the C library, in the objects that are
// loaded: in the slots through which their code calls other libraries (the
// global offset table).  So nothing stands in front of a call until somebody
// asks for it, calls that the C library makes itself are not seen, and no
// symbol is taken from the program or from another preloaded library: the entry
// calls whichever function the slot would have led to.
#ifndef POPRT_MODULES_POSIX_IO_ENTRY_SLOTS_H_
#define POPRT_MODULES_POSIX_IO_ENTRY_SLOTS_H_

#include <vector>

#include "modules/posix_io/entries.h"

namespace poprt::modules::posix_io {

// Fills in Entry::function: what a call from a library leads to.
void find_functions(const std::vector<Entry>& entries);

// In all objects except the C library, the loader and this library.  Objects
// that were loaded later are reached by the next call.  Returns the number of
// objects whose slots could not be changed.
//
// REQUIRES: find_functions().
int fill_slots(const std::vector<Entry>& entries);

// Whether objects were loaded since fill_slots().
bool has_new_objects();

}  // namespace poprt::modules::posix_io

#endif  // POPRT_MODULES_POSIX_IO_ENTRY_SLOTS_H_
