#include "model/piece.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include "model/bytes.h"
#include "model/plausible.h"

namespace poprt {
namespace {

constexpr uint64_t kCopyMark = 0x316563656970;  // "piece1"

// What a copy begins with.
struct Head {
  uint64_t mark = kCopyMark;
  uint64_t size = 0;  // of what follows
  uint64_t hash = 0;  // of that
};

template <class Stream, class Entries>
void stream_entries(Stream& stream, Entries& entries) {
  stream.list(entries, [&](auto& entry) { stream(entry.key, entry.value); });
}

template <class Stream, class Context>
void stream_context(Stream& stream, Context& context) {
  auto& job = context.job;
  auto& git = context.checkout;
  stream(context.command, context.program, context.start_time,
         context.mpi_library, context.mpi_thread_level, context.openmp_runtime,
         context.clock, context.measured_by, job.system, job.id, job.step,
         job.name, job.queue, job.nodes, job.cpus_on_nodes, job.cpus_per_task,
         git.commit, git.branch);
  stream_entries(stream, context.environment);
}

// All but the totals.
template <class Stream, class AnyPiece>
void stream_facts(Stream& stream, AnyPiece& piece) {
  stream(piece.job, piece.rank, piece.ranks, piece.sequence, piece.code);
  stream_context(stream, piece.context);
}

std::optional<Piece> piece_in(const char* bytes, size_t size) {
  BytesReader reader(bytes, size);
  Piece piece;
  stream_facts(reader, piece);
  uint64_t ending = 0;
  reader(ending);
  std::string totals;
  reader(totals);
  if (!reader.at_end() || ending > static_cast<uint64_t>(Ending::kAbort) ||
      piece.rank < 0 || piece.rank >= piece.ranks ||
      !deserialise(totals, &piece.totals)) {
    return std::nullopt;
  }
  piece.ending = static_cast<Ending>(ending);
  return piece;
}

std::optional<Piece> piece_at(std::string_view file, size_t offset) {
  Head head;
  if (file.size() - offset < sizeof head) return std::nullopt;
  std::memcpy(&head, file.data() + offset, sizeof head);
  const char* const bytes = file.data() + offset + sizeof head;
  if (head.mark != kCopyMark ||
      head.size > file.size() - offset - sizeof head ||
      head.hash != text_hash(bytes, head.size)) {
    return std::nullopt;
  }
  return piece_in(bytes, head.size);
}

int64_t measured_ns(const Piece& piece) {
  for (const RegionTotals& region : piece.totals.regions) {
    if (region.name == kGlobalRegion) return region.elapsed_max_ns;
  }
  return 0;
}

// Of one process of many: its rows have its rank.
void make_piece_plausible(JobTotals* totals) {
  std::vector<ProcessPlace> places = std::move(totals->places);
  std::vector<std::vector<ProcessRow>> rows;
  totals->places.clear();
  std::vector<std::vector<ThreadRow>> thread_rows;
  for (RegionTotals& region : totals->regions) {
    rows.push_back(std::exchange(region.rows, {}));
    thread_rows.push_back(std::exchange(region.thread_rows, {}));
  }
  const size_t count = totals->regions.size();
  make_plausible(totals);
  if (totals->regions.size() != count) return;
  // Those of the whole job are made plausible with its report.
  totals->places = std::move(places);
  for (size_t i = 0; i < count; ++i) {
    totals->regions[i].rows = std::move(rows[i]);
    totals->regions[i].thread_rows = std::move(thread_rows[i]);
  }
}

std::string how_ended(const Piece& piece) {
  switch (piece.ending) {
    case Ending::kExit:
      return "exit without MPI_Finalize";
    case Ending::kAbort:
      return "MPI_Abort(" + std::to_string(piece.code) + ")";
    default:
      return "killed, or ended by a signal, _exit or abort";
  }
}

// The ranks below `count` that are not in `known`, which ascends.
std::vector<int64_t> others(const std::vector<int64_t>& known, int64_t count) {
  // A count that a file claims is not to take memory.
  constexpr size_t kMost = size_t{1} << 20;
  std::vector<int64_t> missing;
  size_t i = 0;
  for (int64_t rank = 0; rank < count && missing.size() < kMost; ++rank) {
    if (i < known.size() && known[i] == rank) {
      ++i;
    } else {
      missing.push_back(rank);
    }
  }
  return missing;
}

std::vector<EndedRanks> endings_of(const std::vector<Piece>& pieces) {
  struct Group {
    std::vector<int64_t> ranks;
    int64_t least_ns = INT64_MAX;
    int64_t most_ns = 0;
  };
  std::map<std::pair<int, std::string>, Group> groups;
  std::vector<int64_t> known;
  for (const Piece& piece : pieces) {
    // Those that say more come first.
    Group& group = groups[{-static_cast<int>(piece.ending), how_ended(piece)}];
    const int64_t ns = std::max<int64_t>(0, measured_ns(piece));
    group.ranks.push_back(piece.rank);
    group.least_ns = std::min(group.least_ns, ns);
    group.most_ns = std::max(group.most_ns, ns);
    known.push_back(piece.rank);
  }
  std::vector<EndedRanks> endings;
  for (const auto& [how, group] : groups) {
    endings.push_back({how.second, text_of_ranks(group.ranks),
                       static_cast<int64_t>(group.ranks.size()), group.least_ns,
                       group.most_ns});
  }
  const std::vector<int64_t> missing = others(known, pieces.front().ranks);
  if (!missing.empty()) {
    endings.push_back({"left nothing", text_of_ranks(missing),
                       static_cast<int64_t>(missing.size()), 0, 0});
  }
  return endings;
}

}  // namespace

std::string piece_bytes(const Piece& piece) {
  BytesWriter writer;
  stream_facts(writer, piece);
  writer(static_cast<uint64_t>(piece.ending), serialise(piece.totals));
  const std::string& bytes = writer.bytes();
  const Head head = {kCopyMark, bytes.size(),
                     text_hash(bytes.data(), bytes.size())};
  return std::string(reinterpret_cast<const char*>(&head), sizeof head) + bytes;
}

std::optional<Piece> newest_piece(std::string_view file) {
  std::optional<Piece> newest;
  for (size_t offset = 0; offset < file.size(); offset += kPieceAlignment) {
    std::optional<Piece> piece = piece_at(file, offset);
    if (piece && (!newest || piece->sequence > newest->sequence)) {
      newest = std::move(piece);
    }
  }
  return newest;
}

std::vector<JobOfPieces> jobs_of(const std::vector<Piece>& pieces) {
  std::vector<JobOfPieces> jobs;
  for (const Piece& piece : pieces) {
    const auto known =
        std::find_if(jobs.begin(), jobs.end(),
                     [&](const auto& each) { return each.job == piece.job; });
    if (known == jobs.end()) {
      jobs.push_back({piece.job, 1});
    } else {
      ++known->pieces;
    }
  }
  std::sort(jobs.begin(), jobs.end(), [](const auto& a, const auto& b) {
    return std::tie(b.pieces, a.job) < std::tie(a.pieces, b.job);
  });
  return jobs;
}

JoinedPieces joined(std::vector<Piece> pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return std::tie(a.rank, b.sequence) < std::tie(b.rank, a.sequence);
  });
  pieces.erase(std::unique(pieces.begin(), pieces.end(),
                           [](const Piece& a, const Piece& b) {
                             return a.rank == b.rank;
                           }),
               pieces.end());
  JoinedPieces job;
  // The first rank describes the job; others only themselves.
  job.context = pieces.front().context;
  job.context.endings = endings_of(pieces);
  const bool all = static_cast<int64_t>(pieces.size()) == pieces[0].ranks;
  for (Piece& piece : pieces) {
    make_piece_plausible(&piece.totals);
    for (Metadata& entry : piece.totals.metadata) entry.process = piece.rank;
    job.totals = combine(std::move(job.totals), piece.totals);
  }
  if (!all) forget_ranks(&job.totals);
  return job;
}

std::string text_of_ranks(const std::vector<int64_t>& ranks) {
  std::string text;
  for (size_t i = 0; i < ranks.size();) {
    size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(ranks[i]);
    if (end - i > 1) text += "-" + std::to_string(ranks[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace poprt
