// Names of functions as their authors know them.
#ifndef POPRT_RUNTIME_FUNCTION_NAME_H_
#define POPRT_RUNTIME_FUNCTION_NAME_H_

#include <string>
#include <string_view>

namespace poprt {

// Whether a compiler has made this function out of a part of another one:
// "main.omp_outlined", "solve_._omp_fn.0", "work.cold".
bool is_part(std::string_view symbol);

// The symbol of the function of which this is a part; "" where the name does
// not tell it (".omp_outlined."), the symbol itself if it is no part.
std::string_view whole_of(std::string_view symbol);

// The name in the source of the function that a symbol belongs to or is a part
// of, without parameters, return type and template arguments: "ns::Grid::sweep"
// for "_ZN2ns4GridIdE5sweepEv.omp_outlined".  A lambda is "lambda" of its
// function.  What tells no name stays as it is.  Any thread.
std::string function_name(const std::string& symbol);

// The same of a name in C++ itself: "sweep" for "double sweep<double>(int)".
std::string without_arguments(std::string_view name);

}  // namespace poprt

#endif  // POPRT_RUNTIME_FUNCTION_NAME_H_
