#include "run_file/pieces.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "document/format.h"
#include "model/noted.h"
#include "model/piece.h"
#include "run_file/input.h"

namespace poprt {
namespace {

namespace fs = std::filesystem;

template <class Wanted>
std::vector<std::string> entries_of(const std::string& folder, Wanted wanted) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (wanted(*it)) names.push_back(it->path().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> files_of_pieces(const std::string& folder) {
  return entries_of(folder, [](const fs::directory_entry& entry) {
    std::error_code error;
    return entry.path().extension() == ".part" && entry.is_regular_file(error);
  });
}

}  // namespace

bool has_pieces(const std::string& folder) {
  return !files_of_pieces(folder).empty();
}

std::vector<std::string> folders_of_pieces(const std::string& path) {
  if (has_pieces(path)) return {path};
  return entries_of(path, [](const fs::directory_entry& entry) {
    std::error_code error;
    return entry.path().extension() == ".poprt-parts" &&
           entry.is_directory(error) && has_pieces(entry.path().string());
  });
}

std::optional<JobReport> read_pieces(const std::string& folder,
                                     std::string* complaint) {
  std::vector<Piece> pieces;
  int64_t unreadable = 0;
  for (const std::string& file : files_of_pieces(folder)) {
    std::string why;
    const auto content = read_input(file, &why);
    auto piece = content ? newest_piece(*content) : std::nullopt;
    if (piece) {
      pieces.push_back(*std::move(piece));
    } else {
      ++unreadable;
    }
  }
  if (pieces.empty()) {
    *complaint = printable(folder) +
                 (unreadable == 0
                      ? ": no checkpoint (*.part)"
                      : ": no checkpoint that is whole and of this version of "
                        "poprt");
    return std::nullopt;
  }
  return report_of(std::move(pieces), unreadable);
}

JobReport report_of(std::vector<Piece> pieces, int64_t unreadable) {
  const uint64_t job = jobs_of(pieces).front().job;
  const size_t others = std::erase_if(
      pieces, [&](const Piece& piece) { return piece.job != job; });
  JoinedPieces whole = joined(std::move(pieces));
  std::vector<std::string>& notes = whole.totals.quality.notes;
  if (unreadable > 0) {
    notes.push_back(noted<"pieces_unreadable">(unreadable));
  }
  if (others > 0) {
    notes.push_back(noted<"pieces_of_others">(others));
  }
  complete_job(&whole.totals);
  return make_report(std::move(whole.context), std::move(whole.totals));
}

}  // namespace poprt
