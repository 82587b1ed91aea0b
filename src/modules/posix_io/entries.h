// The entries that stand in front of the C library's functions for files.
#ifndef POPRT_MODULES_POSIX_IO_ENTRIES_H_
#define POPRT_MODULES_POSIX_IO_ENTRIES_H_

#include <vector>

#include "base/entry_slots.h"

namespace poprt::modules::posix_io {

// open(), read(), write(), ...
std::vector<Entry> descriptor_entries();
// fopen(), fread(), fprintf(), ...
std::vector<Entry> stream_entries();

// Puts the entries in front of the functions in objects that were loaded since
// the last time.  Not in signal handlers.
void reach_new_objects();

}  // namespace poprt::modules::posix_io

#endif  // POPRT_MODULES_POSIX_IO_ENTRIES_H_
