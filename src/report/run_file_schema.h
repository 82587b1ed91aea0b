// Name and version of the run file's schema.  They change with its keys
// (docs/file_format.md), not with the version of poprt.
#ifndef POPRT_REPORT_RUN_FILE_SCHEMA_H_
#define POPRT_REPORT_RUN_FILE_SCHEMA_H_

#include <string>

namespace poprt {

inline constexpr char kSchema[] = "poprt.run";
inline constexpr unsigned kSchemaMajor = 1;
inline constexpr unsigned kSchemaMinor = 0;

// "1.0"
inline std::string schema_version() {
  return std::to_string(kSchemaMajor) + "." + std::to_string(kSchemaMinor);
}

}  // namespace poprt

#endif  // POPRT_REPORT_RUN_FILE_SCHEMA_H_
