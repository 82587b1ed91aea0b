// Writes files in the forms of other tools, and run files made from them.
#ifndef POPRT_COMMAND_EXPORTED_FILES_H_
#define POPRT_COMMAND_EXPORTED_FILES_H_

#include <string>
#include <string_view>
#include <vector>

#include "exchange/formats.h"

namespace poprt {

// Saves files where -o says: in one file if `output` ends in `suffix` or is a
// stream, else in a folder; without -o in the folder `usual`.  False, with a
// complaint, if one cannot be written, or if several would have the same name.
bool save_files(const std::vector<ExportedFile>& files,
                const std::string& output, std::string_view suffix,
                const std::string& usual);

}  // namespace poprt

#endif  // POPRT_COMMAND_EXPORTED_FILES_H_
