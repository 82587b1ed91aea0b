#include "model/piece.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/copies_file.h"
#include "model/metric_table.h"
#include "noted.h"
#include "report/incomplete.h"
#include "run_file/pieces.h"
#include "run_file/reader.h"
#include "run_file/writer.h"
#include "unit/as_text.h"
#include "unit/has.h"
#include "unit/temporary_folder.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

using test::TemporaryFolder;

constexpr int64_t kSecond = 1'000'000'000;

Piece piece_of(int64_t rank, int64_t ranks, int64_t elapsed_ns,
               int64_t sequence = 1) {
  Piece piece;
  piece.job = 7;
  piece.rank = rank;
  piece.ranks = ranks;
  piece.sequence = sequence;
  piece.context.program = "solver";
  piece.context.command = {"./solver", "-n", "5"};
  piece.context.job.id = "81";
  piece.context.environment = {{"OMP_NUM_THREADS", "1", 0}};
  const auto times = test::mpi_process(elapsed_ns / 2, elapsed_ns);
  test::Clocks clocks;
  clocks.pl_cue = clocks.cue = elapsed_ns / 2;
  clocks.com = elapsed_ns / 2;
  clocks.coo = clocks.all = elapsed_ns;
  piece.totals =
      test::job_of(times, {test::region_of("Global", times, clocks)});
  piece.totals.has_mpi = true;
  set_rank(rank, &piece.totals);
  return piece;
}

// At the next place where a copy may begin.
void append(const std::string& copy, std::string* file) {
  file->resize((file->size() + kPieceAlignment - 1) / kPieceAlignment *
               kPieceAlignment);
  *file += copy;
}

TEST(PieceBytes, ComeBackAsTheyWere) {
  std::mt19937 random(1);
  Piece piece = piece_of(2, 4, kSecond, 9);
  piece.ending = Ending::kAbort;
  piece.code = -3;
  piece.totals = test::random_totals(&random);
  const auto read = newest_piece(piece_bytes(piece));
  ASSERT_TRUE(read);
  EXPECT_EQ(7u, read->job);
  EXPECT_EQ(2, read->rank);
  EXPECT_EQ(4, read->ranks);
  EXPECT_EQ(9, read->sequence);
  EXPECT_EQ(Ending::kAbort, read->ending);
  EXPECT_EQ(-3, read->code);
  EXPECT_EQ(piece.context.command, read->context.command);
  EXPECT_EQ("81", read->context.job.id);
  ASSERT_EQ(1u, read->context.environment.size());
  EXPECT_EQ("OMP_NUM_THREADS", read->context.environment[0].key);
  EXPECT_TRUE(test::same(piece.totals, read->totals));
}

TEST(NewestPiece, IsTheOneWithTheLargestSequenceNumber) {
  for (const bool newer_first : {false, true}) {
    std::string file;
    append(piece_bytes(piece_of(0, 1, kSecond, newer_first ? 6 : 5)), &file);
    append(piece_bytes(piece_of(0, 1, kSecond, newer_first ? 5 : 6)), &file);
    ASSERT_TRUE(newest_piece(file));
    EXPECT_EQ(6, newest_piece(file)->sequence);
  }
}

// The process has ended while it wrote the newer copy.
TEST(NewestPiece, IsTheOlderOneWhereTheNewerOneIsTorn) {
  std::string older;
  append(piece_bytes(piece_of(0, 1, kSecond, 5)), &older);
  const std::string newer = piece_bytes(piece_of(0, 1, 2 * kSecond, 6));
  for (size_t size = 0; size < newer.size(); size += 7) {
    std::string file = older;
    append(newer.substr(0, size), &file);
    ASSERT_TRUE(newest_piece(file)) << size;
    EXPECT_EQ(5, newest_piece(file)->sequence) << size;
  }
}

TEST(NewestPiece, IsNoneWhereABitHasChangedOrTheFileIsCut) {
  const std::string whole = piece_bytes(piece_of(0, 1, kSecond));
  EXPECT_FALSE(newest_piece(""));
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    EXPECT_FALSE(newest_piece(changed)) << i;
    EXPECT_FALSE(newest_piece(whole.substr(0, i))) << i;
  }
}

TEST(NewestPiece, HasARankOfTheJob) {
  EXPECT_FALSE(newest_piece(piece_bytes(piece_of(4, 4, kSecond))));
  EXPECT_FALSE(newest_piece(piece_bytes(piece_of(-1, 4, kSecond))));
}

TEST(TextOfRanks, JoinsNeighbours) {
  EXPECT_EQ("", text_of_ranks({}));
  EXPECT_EQ("3", text_of_ranks({3}));
  EXPECT_EQ("0-2,5,7-8", text_of_ranks({0, 1, 2, 5, 7, 8}));
}

TEST(Joined, AddsProcessesAndSaysHowTheyEnded) {
  std::vector<Piece> pieces = {piece_of(2, 4, 3 * kSecond),
                               piece_of(0, 4, 2 * kSecond)};
  pieces[0].ending = Ending::kAbort;
  pieces[0].code = 3;
  const JoinedPieces job = joined(std::move(pieces));
  EXPECT_EQ(2, job.totals.processes);
  ASSERT_EQ(1u, job.totals.regions.size());
  EXPECT_EQ(2, job.totals.regions[0].processes);
  EXPECT_EQ(3 * kSecond, job.totals.regions[0].elapsed_max_ns);
  EXPECT_EQ(5 * kSecond / 2, job.totals.regions[0].useful_sum_ns);
  EXPECT_EQ(
      "incomplete run, recovered from checkpoints: rank 2 MPI_Abort(3) (after "
      "3.000 s); rank 0 killed, or ended by a signal, _exit or abort (after "
      "2.000 s); ranks 1,3 left nothing. Times, counts and clocks are lower "
      "bounds (>=); efficiencies are of the time until then.",
      incomplete_note(job.context));
}

// The text of a recovered run with this many of two ranks.
std::string text_of_pieces(int64_t left) {
  std::vector<Piece> pieces;
  for (int64_t rank = 0; rank < left; ++rank) {
    pieces.push_back(piece_of(rank, 2, (2 + rank) * kSecond));
  }
  return to_text(report_of(std::move(pieces), 0), {Model::kPop}, "");
}

// The first value in the row with this label.
std::string value_in(const std::string& text, const std::string& label) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t row = line.find_first_not_of(' ');
    if (row == std::string::npos || !line.substr(row).starts_with(label)) {
      continue;
    }
    std::istringstream values(line.substr(row + label.size()));
    std::string first;
    values >> first;
    return first;
  }
  return "no row";
}

// Efficiencies of ranks that were measured for unlike times have one base, and
// none is above 1.
TEST(Joined, HasEfficienciesOfOneBase) {
  const JoinedPieces job =
      joined({piece_of(0, 2, kSecond), piece_of(1, 2, 2 * kSecond)});
  const JobReport report = make_report(job.context, job.totals);
  const RegionReport& global = report.regions[0];
  for (const Metric& metric : all_metrics()) {
    if (metric.unit != MetricUnit::kFraction) continue;
    const double value = metric.value(global.metrics);
    EXPECT_FALSE(value > 1) << key_of(metric.model) << metric.key;
    EXPECT_EQ(metric.model == Model::kTalp,
              std::isnan(value) &&
                  global.missing.metrics[metric.place] == Missing::kUnequalEnds)
        << key_of(metric.model) << metric.key;
  }
}

TEST(Joined, RowsThatAreBoundsSaySo) {
  const std::string all = text_of_pieces(2);
  EXPECT_EQ(">=3.000", value_in(all, "run time"));
  EXPECT_EQ(">=41.7", value_in(all, "Parallel Efficiency"));
  // Both of its times are too small.
  EXPECT_EQ("83.3", value_in(all, "Load Balance"));
  // Nobody knows how many threads the other rank had.
  const std::string some = text_of_pieces(1);
  EXPECT_EQ(">=2.000", value_in(some, "run time"));
  EXPECT_EQ("50.0", value_in(some, "Parallel Efficiency"));
}

TEST(Joined, TakesTheNewestOfARank) {
  const JoinedPieces job =
      joined({piece_of(0, 1, kSecond, 1), piece_of(0, 1, 2 * kSecond, 2)});
  EXPECT_EQ(1, job.totals.processes);
  EXPECT_EQ(2 * kSecond, job.totals.regions[0].elapsed_max_ns);
}

// A run file of a job whose processes have rows must be one that can be read.
TEST(Joined, HasRowsOnlyOfAWholeJob) {
  for (const bool whole : {true, false}) {
    std::vector<Piece> pieces;
    for (const int64_t rank : {0, whole ? 1 : 2}) {
      pieces.push_back(piece_of(rank, whole ? 2 : 3, kSecond));
      pieces.back().totals.places.resize(1);
      add_rows(rank, &pieces.back().totals);
    }
    JoinedPieces job = joined(std::move(pieces));
    EXPECT_EQ(whole ? 2u : 0u, job.totals.regions[0].rows.size());
    const JobReport report =
        make_report(std::move(job.context), std::move(job.totals));
    std::string complaint;
    const auto again = parse_run_file(to_json(report), "it", &complaint);
    ASSERT_TRUE(again) << complaint;
    EXPECT_EQ(whole ? 1u : 2u, again->context.endings.size());
    EXPECT_EQ(incomplete_note(report.context), incomplete_note(again->context));
  }
}

// Numbers that no run has come from a damaged file or from another's hand.
TEST(Joined, SurvivesAnyNumbers) {
  std::mt19937 random(2);
  for (int i = 0; i < 20; ++i) {
    std::vector<Piece> pieces = {piece_of(0, INT64_MAX, kSecond),
                                 piece_of(1, INT64_MAX, kSecond)};
    for (Piece& piece : pieces) piece.totals = test::random_totals(&random);
    pieces.resize(1);
    EXPECT_FALSE(joined(std::move(pieces)).context.endings.empty());
  }
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(CopiesFile, AlwaysHasAWholeCopy) {
  const TemporaryFolder base;
  CopiesFile file(base.path() + "/a.poprt-parts", "rank0.part",
                  kPieceAlignment);
  const std::string path = file.folder() + "/rank0.part";
  size_t largest = 0;
  for (int64_t i = 1; i <= 40; ++i) {
    // They grow and shrink.
    Piece piece = piece_of(0, 1, kSecond, i);
    piece.context.program.assign(static_cast<size_t>(i * i % 17) * 1000, 'x');
    const std::string before = content_of(path);
    const std::string copy = piece_bytes(piece);
    ASSERT_TRUE(file.write(copy));
    const std::string now = content_of(path);
    ASSERT_EQ(i, newest_piece(now)->sequence);
    largest = std::max(largest, copy.size());
    // Where the new copy is written, the one before it is not.
    if (i == 1) continue;
    std::string torn = now;
    const size_t place = now.find(copy);
    torn.replace(place, copy.size(), copy.size(), '\0');
    ASSERT_EQ(i - 1, newest_piece(torn)->sequence);
  }
  EXPECT_LT(content_of(path).size(), 4 * largest);
  struct stat facts;
  ASSERT_EQ(0, stat(path.c_str(), &facts));
  EXPECT_EQ(0600u, facts.st_mode & 0777u);
  file.remove();
  EXPECT_TRUE(std::filesystem::is_empty(base.path()));
}

TEST(CopiesFile, LeavesOtherFilesAlone) {
  const TemporaryFolder base;
  const std::string folder = base.path() + "/a.poprt-parts";
  CopiesFile file(folder, "rank0.part", kPieceAlignment);
  ASSERT_TRUE(file.write("mine"));
  // Somebody has put another file there.
  const std::string path = folder + "/rank0.part";
  std::filesystem::rename(path, path + ".old");
  std::ofstream(path) << "other";
  EXPECT_FALSE(file.write("more"));
  file.remove();
  EXPECT_EQ("other", content_of(path));
  // A file, or a link, that was there before.
  CopiesFile taken(folder, "rank0.part", kPieceAlignment);
  EXPECT_FALSE(taken.write("mine"));
  std::filesystem::create_symlink(path, folder + "/link");
  CopiesFile link(folder, "link", kPieceAlignment);
  EXPECT_FALSE(link.write("mine"));
  EXPECT_EQ("other", content_of(path));
}

// A file that may not grow raises no signal, and the copies of before stay.
TEST(CopiesFile, MayHaveALargestSize) {
  const TemporaryFolder base;
  CopiesFile file(base.path() + "/a.poprt-parts", "rank0.part",
                  kPieceAlignment);
  rlimit before;
  ASSERT_EQ(0, getrlimit(RLIMIT_FSIZE, &before));
  const rlimit small = {1000, before.rlim_max};
  ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &small));
  EXPECT_FALSE(file.write(std::string(1001, 'x')));
  EXPECT_EQ(EFBIG, errno);
  EXPECT_TRUE(std::filesystem::is_empty(base.path()));
  EXPECT_TRUE(file.write(std::string(1000, 'y')));
  EXPECT_FALSE(file.write(std::string(1000, 'z')));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(std::string(1000, 'y'), content_of(file.folder() + "/rank0.part"));
}

TEST(CopiesFile, MayVanish) {
  const TemporaryFolder base;
  CopiesFile file(base.path() + "/a.poprt-parts", "rank0.part",
                  kPieceAlignment);
  ASSERT_TRUE(file.write("one"));
  std::filesystem::remove_all(file.folder());
  EXPECT_FALSE(file.write("two"));
  file.remove();
  CopiesFile nowhere(base.path() + "/no/folder", "x", kPieceAlignment);
  EXPECT_FALSE(nowhere.write("one"));
  EXPECT_FALSE(nowhere.exists());
}

TEST(ReadPieces, JoinsTheFilesOfAFolder) {
  const TemporaryFolder base;
  const std::string folder = base.path() + "/a.poprt-parts";
  std::string complaint;
  using Folders = std::vector<std::string>;
  EXPECT_EQ(Folders(), folders_of_pieces(base.path()));
  EXPECT_FALSE(read_pieces(base.path(), &complaint));
  EXPECT_HAS(complaint, "no checkpoint (*.part)");
  for (const int64_t rank : {0, 1}) {
    CopiesFile file(folder, "rank" + std::to_string(rank) + ".part",
                    kPieceAlignment);
    ASSERT_TRUE(file.write(piece_bytes(piece_of(rank, 3, kSecond))));
  }
  std::ofstream(folder + "/rank2.part") << "half a fi";
  EXPECT_EQ(Folders({folder}), folders_of_pieces(base.path()));
  EXPECT_EQ(Folders({folder}), folders_of_pieces(folder));
  const auto report = read_pieces(folder, &complaint);
  ASSERT_TRUE(report) << complaint;
  EXPECT_EQ(2, report->totals.processes);
  ASSERT_EQ(1u, report->totals.quality.notes.size());
  EXPECT_NOTED("pieces_unreadable", report->totals.quality.notes);
  EXPECT_NOT_NOTED("pieces_of_others", report->totals.quality.notes);
  std::filesystem::remove(folder + "/rank2.part");
  EXPECT_NOT_NOTED("pieces_unreadable",
                   read_pieces(folder, &complaint)->totals.quality.notes);
  Piece other = piece_of(1, 4, kSecond);
  other.job += 1;
  const JobReport mixed =
      report_of({piece_of(0, 3, kSecond), piece_of(1, 3, kSecond), other}, 0);
  EXPECT_EQ(2, mixed.totals.processes);
  EXPECT_NOTED("pieces_of_others", mixed.totals.quality.notes);
  // Several jobs in one folder of runs.
  std::filesystem::copy(folder, base.path() + "/b.poprt-parts");
  EXPECT_EQ(Folders({folder, base.path() + "/b.poprt-parts"}),
            folders_of_pieces(base.path()));
}

}  // namespace
}  // namespace poprt
