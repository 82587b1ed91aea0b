// Reads files that the user names.
#ifndef POPRT_RUN_FILE_INPUT_H_
#define POPRT_RUN_FILE_INPUT_H_

#include <optional>
#include <string>

namespace poprt {

// The content of the file at `path`, where "-" is standard input. nullopt if
// that fails; then `complaint` is one line that says why.
std::optional<std::string> read_input(const std::string& path,
                                      std::string* complaint);

// The name of the file for complaints.
std::string input_name(const std::string& path);

}  // namespace poprt

#endif  // POPRT_RUN_FILE_INPUT_H_
