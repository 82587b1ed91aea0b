// Finds the place in the source for return addresses in the report.
#ifndef POPRT_CODE_PLACES_SOURCE_LOCATION_H_
#define POPRT_CODE_PLACES_SOURCE_LOCATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "code_places/code_address.h"

namespace poprt {

// The path of the installed program that reads debug information; "" if there
// is none.
std::string location_helper();

// One line of text for each address, in the given order and never empty: the
// first of these that can be found,
//   solver.c:123 (solve)   the line of the call and its function, from the
//                          file's debug information
//   solve+0x1a             from its symbols
//   near solve+0x1a3f      the closest function before it that has a name, if
//                          that ends within 4 KiB
//   app+0x1234             module and offset
//   unknown+0x7f0000001234 code in no file; "unknown" for address 0
// The first and the third need `helper`, which runs for at most `budget_ns`
// nanoseconds (0: not at all).  Addresses that it has not resolved by then are
// looked up in what this process has loaded.  If it cannot be started,
// `why_not` is the cause, if given.  Can be called by any thread; output_of()
// says how the process is affected.
std::vector<std::string> source_locations(
    const std::vector<CodeAddress>& return_addresses, int64_t budget_ns,
    const std::string& helper = location_helper(),
    std::string* why_not = nullptr);

}  // namespace poprt

#endif  // POPRT_CODE_PLACES_SOURCE_LOCATION_H_
