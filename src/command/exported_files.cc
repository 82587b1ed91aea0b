#include "command/exported_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/new_file.h"
#include "command/arguments.h"
#include "document/format.h"

namespace poprt {
namespace {

bool names_file(const std::string& output, std::string_view suffix) {
  if (is_directory(output)) return false;
  return output == "-" || is_stream(output) ||
         std::string_view(output).ends_with(suffix);
}

std::string in_folder(const std::string& folder, const std::string& path) {
  return folder.empty() || folder.back() == '/' ? folder + path
                                                : folder + "/" + path;
}

}  // namespace

bool save_files(const std::vector<ExportedFile>& files,
                const std::string& output, std::string_view suffix,
                const std::string& usual) {
  const bool one_file = names_file(output, suffix);
  if (one_file && files.size() > 1) {
    complain(fmt::format("-o {} must be a folder: there are {} files.",
                         printable(output), files.size()));
    return false;
  }
  const std::string& folder = output.empty() ? usual : output;
  return std::all_of(files.begin(), files.end(), [&](const ExportedFile& file) {
    return save(one_file ? output : in_folder(folder, file.path), file.text,
                one_file);
  });
}

}  // namespace poprt
