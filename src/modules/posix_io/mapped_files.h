// Files that the program maps into memory: their input and output happens
// without a call, so a note has to say that it is not measured.
#ifndef POPRT_MODULES_POSIX_IO_MAPPED_FILES_H_
#define POPRT_MODULES_POSIX_IO_MAPPED_FILES_H_

#include <string>
#include <vector>

#include "base/entry_slots.h"

namespace poprt::modules::posix_io {

// mmap().
std::vector<Entry> mapping_entries();

// Names the first file that this process has mapped in useful time; empty if
// there was none.
std::string mapped_files_note();

// No file was mapped so far.
void forget_mapped_files();

}  // namespace poprt::modules::posix_io

#endif  // POPRT_MODULES_POSIX_IO_MAPPED_FILES_H_
