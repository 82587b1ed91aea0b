// Where in the source a return address is, for the report.
#ifndef POPRT_RUNTIME_SOURCE_LOCATION_H_
#define POPRT_RUNTIME_SOURCE_LOCATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/code_address.h"

namespace poprt {

// The program that reads debug information, as installed with this library: in
// its folder, the folder above, or poprt/ beside it.  "" where there is none.
std::string location_helper();

// The same for a library at `path`.
std::string location_helper_of(const std::string& path);

// One line of text for each address, in their order and never empty: the first
// of these that can be told,
//   solver.c:123 (solve)   the line of the call and its function, by the
//                          file's debug information
//   solve+0x1a             by its symbols
//   near solve+0x1a3f      likewise: the function before it that has a name
//   app+0x1234             module and offset
//   unknown+0x7f0000001234 code of no file; "unknown" for address 0
// The first and the third need `helper`, which runs for `budget_ns` nanoseconds
// at most (0: not at all); what it has not told by then is named by what this
// process has loaded.  Any thread; see output_of() for what the process sees
// of it.
std::vector<std::string> source_locations(
    const std::vector<CodeAddress>& return_addresses, int64_t budget_ns,
    const std::string& helper = location_helper());

}  // namespace poprt

#endif  // POPRT_RUNTIME_SOURCE_LOCATION_H_
