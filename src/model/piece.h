// Piece: what a process leaves of a job that may not come to its end: its
// totals so far, and which process of which job it is.
//
// A file of pieces has the last two copies of one.  Each begins at a multiple
// of kPieceAlignment and has a sequence number and a hash, so a reader finds
// the newest one that is whole, whatever the writer was doing when it ended.
#ifndef POPRT_MODEL_PIECE_H_
#define POPRT_MODEL_PIECE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/job.h"
#include "model/totals.h"

namespace poprt {

inline constexpr size_t kPieceAlignment = 4096;

// How the process ended, as far as it knew.
enum class Ending : uint8_t {
  kUnknown,  // it was measured when the piece was written
  kExit,     // exit() without MPI_Finalize
  kAbort,    // MPI_Abort
};

struct Piece {
  uint64_t job = 0;  // random; the same on all processes of the job
  int64_t rank = 0;
  int64_t ranks = 1;     // of the whole job
  int64_t sequence = 0;  // the copy with the largest one counts
  Ending ending = Ending::kUnknown;
  int64_t code = 0;  // of MPI_Abort
  RunContext context;
  JobTotals totals;  // of this process, set_rank() included
};

std::string piece_bytes(const Piece& piece);

// The newest copy in the file's content.  nullopt if none is whole, or none is
// of this build's form.
std::optional<Piece> newest_piece(std::string_view file);

// How many pieces each job has, the one with the most first.
struct JobOfPieces {
  uint64_t job;
  size_t pieces;
};
std::vector<JobOfPieces> jobs_of(const std::vector<Piece>& pieces);

// The job of these pieces: its totals, and a context that says which ranks
// ended how.  Values that no run can have are made plausible.
// REQUIRES: there is a piece; all are of one job.
struct JoinedPieces {
  RunContext context;
  JobTotals totals;
};
JoinedPieces joined(std::vector<Piece> pieces);

// "0-3,7"; the ranks ascend.
std::string text_of_ranks(const std::vector<int64_t>& ranks);

}  // namespace poprt

#endif  // POPRT_MODEL_PIECE_H_
