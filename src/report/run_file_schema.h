// Name and version of the run file's schema.  They change with its keys
// (docs/file_format.md), not with the version of poprt.
#ifndef POPRT_REPORT_RUN_FILE_SCHEMA_H_
#define POPRT_REPORT_RUN_FILE_SCHEMA_H_

namespace poprt {

inline constexpr char kSchema[] = "poprt.run";
inline constexpr int kSchemaMajor = 1;
inline constexpr int kSchemaMinor = 7;

}  // namespace poprt

#endif  // POPRT_REPORT_RUN_FILE_SCHEMA_H_
