// The schema of the run file.  Its version changes with its keys
// (docs/file_format.md), not with the version of poprt.
#ifndef POPRT_RUN_FILE_SCHEMA_H_
#define POPRT_RUN_FILE_SCHEMA_H_

#include <algorithm>
#include <string>

#include "states/states.h"

namespace poprt {

inline constexpr char kSchema[] = "poprt.run";
inline constexpr unsigned kSchemaMajor = 1;
inline constexpr unsigned kSchemaMinor = std::max(0U, last_since());

// "1.0"
inline std::string schema_version() {
  return std::to_string(kSchemaMajor) + "." + std::to_string(kSchemaMinor);
}

// The JSON Schema (2020-12) of the run file that to_json() writes.
std::string run_file_schema();

}  // namespace poprt

#endif  // POPRT_RUN_FILE_SCHEMA_H_
