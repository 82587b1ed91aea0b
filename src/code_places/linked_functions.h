// Functions in a program's file that it does not export.
#ifndef POPRT_CODE_PLACES_LINKED_FUNCTIONS_H_
#define POPRT_CODE_PLACES_LINKED_FUNCTIONS_H_

#include <span>
#include <vector>

#include "code_places/code_address.h"

namespace poprt {

// Where each of these functions is in this process, by the file's full table of
// symbols; null for one that it does not define.  All are null if that table
// was removed, or the file cannot be read.  Reads the names in the file piece
// by piece, and its symbols only where it has one of them, so it is for the end
// of a run.
std::vector<const void*> linked_functions(const LoadedModule& module,
                                          std::span<const char* const> names);

}  // namespace poprt

#endif  // POPRT_CODE_PLACES_LINKED_FUNCTIONS_H_
