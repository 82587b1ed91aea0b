// Functions in DWARF.
#ifndef POPRT_LOCATIONS_SCOPES_H_
#define POPRT_LOCATIONS_SCOPES_H_

#include <elfutils/libdw.h>

#include <string>

namespace poprt {

// Where code was written: file without folders; "" and 0 where the compiler
// does not tell it.
struct Line {
  std::string file;
  int number = 0;
};

// The name (as function_name()) of the function in the source that the code at
// `address`, which was written at `line`, stands in, be it inlined or made into
// a function by an OpenMP compiler; "" where the unit does not tell it.
std::string function_at(Dwarf_Die* unit, Dwarf_Addr address, const Line& line);

// The name of a path's file.
std::string base_name(const char* path);

}  // namespace poprt

#endif  // POPRT_LOCATIONS_SCOPES_H_
