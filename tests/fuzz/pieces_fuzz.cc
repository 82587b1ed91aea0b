// What the processes of a job left that did not come to its end: any pieces
// make a report, which is written as a run file that is accepted and written
// the same.
//
// An input is some files of such a folder, one at each multiple of kFile. They
// are made here, so that they are always of this build's form; a change inside
// of a piece is followed by a new hash, or no piece would be read to its end.
#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz.h"
#include "model/metric_table.h"
#include "model/piece.h"
#include "run_file/pieces.h"
#include "run_file/reader.h"
#include "run_file/writer.h"
#include "unit/as_text.h"
#include "unit/test_jobs.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

namespace {

using namespace poprt;

constexpr size_t kFile = 4 * kPieceAlignment;

// What a copy of a piece begins with (model/piece.cc).
struct Head {
  uint64_t mark;
  uint64_t size;
  uint64_t hash;
};

std::vector<std::string_view> files_in(std::string_view input) {
  std::vector<std::string_view> files;
  for (size_t at = 0; at < input.size(); at += kFile) {
    files.push_back(input.substr(at, kFile));
  }
  return files;
}

std::string some_text(std::mt19937& random) {
  return random() % 8 == 0 ? "\x1b[2J\n\xc2\x9b<b>" : "solver";
}

std::string new_file(std::mt19937& random) {
  const int64_t rank = random() % 4;
  Piece piece;
  piece.job = random() % 4 == 0 ? 8 : 7;
  piece.rank = rank;
  piece.ranks = 1 + rank + random() % 3;
  piece.ending = static_cast<Ending>(random() % 3);
  piece.context.program = some_text(random);
  piece.context.command = {"./solver", some_text(random)};
  piece.context.job.id = piece.context.job.name = some_text(random);
  piece.context.environment = {{some_text(random), some_text(random), 0}};
  if (random() % 8 == 0) {
    piece.totals = test::random_totals(&random);
  } else {
    const std::vector<test::ProcessTimes> some =
        test::random_processes(&random);
    const test::Clocks clocks = test::random_clocks(some, &random);
    piece.totals = test::job_of(
        some.front(), {test::region_of("Global", some.front(), clocks)});
    set_rank(rank, &piece.totals);
    if (random() % 2 == 0) add_rows(rank, &piece.totals);
  }
  return piece_bytes(piece);
}

// Where a piece of the input begins, and its length with its head; {0, 0} if
// there is none.
struct Place {
  size_t begin = 0;
  size_t size = 0;
};
Place some_piece(std::string_view input, std::mt19937& random) {
  std::vector<Place> places;
  for (size_t at = 0; at < input.size(); at += kPieceAlignment) {
    Head head;
    if (input.size() - at < sizeof head) break;
    std::memcpy(&head, input.data() + at, sizeof head);
    if (head.size <= input.size() - at - sizeof head &&
        newest_piece(input.substr(at, sizeof head + head.size))) {
      places.push_back({at, sizeof head + head.size});
    }
  }
  return places.empty() ? Place() : places[random() % places.size()];
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t most, unsigned seed) {
  std::mt19937 random(seed);
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const Place place = some_piece(input, random);
  const unsigned what = random() % 8;
  if (place.size == 0 || what == 0) {
    // One more file, behind the others if these are any.
    const size_t at = place.size == 0 ? 0 : (size + kFile - 1) / kFile * kFile;
    const std::string file = new_file(random);
    if (at + file.size() > most || file.size() > kFile) return size;
    if (at > size) std::memset(data + size, 0, at - size);
    std::memcpy(data + at, file.data(), file.size());
    return at + file.size();
  }
  if (what == 1) return LLVMFuzzerMutate(data, size, most);
  // Changes the piece, within its room.
  const size_t rest = kFile - place.begin % kFile;
  std::string body(input.substr(place.begin, place.size).substr(sizeof(Head)));
  const size_t room = std::min(rest, most - place.begin) - sizeof(Head);
  if (body.size() > room) return size;
  const size_t before = body.size();
  body.resize(room);
  const size_t after =
      LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(body.data()), before, room);
  Head head;
  std::memcpy(&head, data + place.begin, sizeof head);
  head.size = after;
  head.hash = text_hash(body.data(), after);
  std::memcpy(data + place.begin, &head, sizeof head);
  std::memcpy(data + place.begin + sizeof head, body.data(), after);
  return std::max(size, place.begin + sizeof head + after);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  std::vector<Piece> pieces;
  int64_t unreadable = 0;
  for (const std::string_view file : files_in(input)) {
    if (auto piece = newest_piece(file)) {
      pieces.push_back(*std::move(piece));
    } else {
      ++unreadable;
    }
  }
  if (pieces.empty()) return 0;
  const JobReport report = report_of(std::move(pieces), unreadable);
  const std::vector<Model> models(std::begin(kModels), std::end(kModels));
  const std::string shown = to_text(report, models, "");
  fuzz::require(fuzz::is_harmless(shown), "a report is harmless text", shown);
  const std::string written = to_json(report);
  std::string complaint;
  const auto again = parse_run_file(written, "written.json", &complaint);
  fuzz::require(again.has_value(), "what is written is accepted", complaint);
  fuzz::require(to_json(*again) == written, "what is read is written the same",
                written);
  return 0;
}
