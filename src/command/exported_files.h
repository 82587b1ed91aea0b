// Files of other tools' forms, and of run files made from them, on disk.
#ifndef POPRT_COMMAND_EXPORTED_FILES_H_
#define POPRT_COMMAND_EXPORTED_FILES_H_

#include <string>
#include <string_view>
#include <vector>

#include "exchange/formats.h"

namespace poprt {

// Saves them where -o says: in a file, if `output` ends in `suffix` or is a
// stream, else in a folder, which is `usual` where nothing is said.  false and
// a complaint where one cannot be written, or several would be one file.
bool save_files(const std::vector<ExportedFile>& files,
                const std::string& output, std::string_view suffix,
                const std::string& usual);

}  // namespace poprt

#endif  // POPRT_COMMAND_EXPORTED_FILES_H_
