// Finds functions in DWARF.
#ifndef POPRT_CODE_PLACES_HELPER_SCOPES_H_
#define POPRT_CODE_PLACES_HELPER_SCOPES_H_

#include <elfutils/libdw.h>

#include <string>

namespace poprt {

// Where code was written: the file without folders.  "" and 0 if the compiler
// does not tell.
struct Line {
  std::string file;
  int number = 0;
};

// The name (as function_name() has it) of the function in the source that
// contains the code at `address`, which was written at `line`.  The function
// may have been inlined, or split by an OpenMP compiler.  "" if the unit does
// not tell.
std::string function_at(Dwarf_Die* unit, Dwarf_Addr address, const Line& line);

// The file name of a path.
std::string base_name(const char* path);

}  // namespace poprt

#endif  // POPRT_CODE_PLACES_HELPER_SCOPES_H_
