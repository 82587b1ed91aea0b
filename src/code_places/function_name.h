// Turns symbols into the names of functions in the source.
#ifndef POPRT_CODE_PLACES_FUNCTION_NAME_H_
#define POPRT_CODE_PLACES_FUNCTION_NAME_H_

#include <string>
#include <string_view>

namespace poprt {

// Whether a compiler has split this function off another one:
// "main.omp_outlined", "solve_._omp_fn.0", "work.cold".
bool is_part(std::string_view symbol);

// The symbol of the function that this is a part of.  "" if the name does not
// tell (".omp_outlined."); the symbol itself if it is no part.
std::string_view whole_of(std::string_view symbol);

// The name in the source of the function to which a symbol belongs, without
// parameters, return type and template arguments: "ns::Grid::sweep" for
// "_ZN2ns4GridIdE5sweepEv.omp_outlined".  A lambda is called "lambda" in its
// function.  A symbol that cannot be decoded is returned unchanged.  Can be
// called by any thread.
std::string function_name(const std::string& symbol);

// Like function_name(), for a demangled name: "sweep" for "double
// sweep<double>(int)".
std::string without_arguments(std::string_view name);

}  // namespace poprt

#endif  // POPRT_CODE_PLACES_FUNCTION_NAME_H_
