// Files that the user names.
#ifndef POPRT_RUN_FILE_INPUT_H_
#define POPRT_RUN_FILE_INPUT_H_

#include <optional>
#include <string>

namespace poprt {

// All of the file at `path`, "-" being standard input; or nullopt and in
// `complaint` one line that says why not.
std::optional<std::string> read_input(const std::string& path,
                                      std::string* complaint);

// What complaints call it.
std::string input_name(const std::string& path);

}  // namespace poprt

#endif  // POPRT_RUN_FILE_INPUT_H_
