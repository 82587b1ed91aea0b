// Reads what the processes of a job left that did not come to its end
// (model/piece.h), and joins it.
#ifndef POPRT_RUN_FILE_PIECES_H_
#define POPRT_RUN_FILE_PIECES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/piece.h"

namespace poprt {

// Whether the folder has pieces (*.part).
bool has_pieces(const std::string& folder);

// The folders with pieces: `path` itself, or those in it, sorted.
std::vector<std::string> folders_of_pieces(const std::string& path);

// The report of the job whose pieces are in the folder; of the one with the
// most if there are several.  nullopt, with one line in `complaint`, if none
// can be read.  The files may come from anywhere.
std::optional<JobReport> read_pieces(const std::string& folder,
                                     std::string* complaint);

// The same of pieces that have been read, and of the number of files that have
// none.  REQUIRES: there is a piece.
JobReport report_of(std::vector<Piece> pieces, int64_t unreadable);

}  // namespace poprt

#endif  // POPRT_RUN_FILE_PIECES_H_
