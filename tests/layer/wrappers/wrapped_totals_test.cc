// The totals of all processes, while the program runs.
#include "model/totals.h"
#include "noted.h"
#include "session/transport.h"
#include "wrapped_program.h"
#include "wrappers/calls/mpi_transport.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/state.h"

namespace {

using poprt::JobTotals;
using WrappedTotals = WrappedProgram;

JobTotals totals_of(int64_t processes, const std::string& value) {
  JobTotals totals;
  totals.processes = processes;
  totals.threads = 10 * processes;
  totals.metadata = {{"key", value, 0}};
  return totals;
}

// The messages that carry the totals, with `rank` as the first rank.
std::vector<std::string> messages_of(JobTotals totals, int64_t rank,
                                     size_t piece_bytes) {
  totals.metadata[0].process = rank;
  const std::string bytes = serialise(totals);
  const long long length = static_cast<long long>(bytes.size());
  std::vector<std::string> list = {
      std::string(reinterpret_cast<const char*>(&length), sizeof length)};
  for (size_t i = 0; i < bytes.size(); i += piece_bytes) {
    list.push_back(bytes.substr(i, piece_bytes));
  }
  return list;
}

// Delivers the totals as another process sends them.
void deliver(int source, const JobTotals& totals, int64_t rank,
             size_t piece_bytes = poprt::mpi::kPieceBytes) {
  const int tag = poprt::mpi::job().before_own_tags + poprt::mpi::kOwnTags;
  for (const std::string& message : messages_of(totals, rank, piece_bytes)) {
    fake::deliver(fake::shadow_of(MPI_COMM_WORLD), source, tag, message.data(),
                  message.size());
  }
}

// A transport that sends in pieces of this many bytes.
poprt::Transport& transport_of_pieces(int piece_bytes) {
  static std::vector<poprt::Transport*>* const all =
      new std::vector<poprt::Transport*>;
  all->push_back(poprt::mpi::new_transport(piece_bytes));
  return *all->back();
}

// The ranks of the messages that were sent and received, in order.
std::vector<std::pair<std::string, int>> messages() {
  std::vector<std::pair<std::string, int>> list;
  for (const fake::Call& call : fake::calls()) {
    EXPECT_EQ(fake::shadow_of(MPI_COMM_WORLD), call.comm);
    list.emplace_back(call.name, call.peer);
  }
  return list;
}

using Messages = std::vector<std::pair<std::string, int>>;

TEST_F(WrappedTotals, TheFirstProcessHasThemAndGivesThemToAll) {
  start(0, 5);
  deliver(1, totals_of(1, "one"), 1);
  deliver(2, totals_of(2, "two"), 2);
  deliver(4, totals_of(1, "four"), 4);
  JobTotals totals = totals_of(1, "zero");
  fake::transport().combine_for_all(&totals);
  EXPECT_EQ(5, totals.processes);
  EXPECT_EQ(50, totals.threads);
  EXPECT_EQ("zero", totals.metadata[0].value);
  EXPECT_EQ((Messages{{"Recv", 1},
                      {"Recv", 1},
                      {"Recv", 2},
                      {"Recv", 2},
                      {"Recv", 4},
                      {"Recv", 4},
                      {"Send", 4},
                      {"Send", 4},
                      {"Send", 2},
                      {"Send", 2},
                      {"Send", 1},
                      {"Send", 1}}),
            messages());
}

TEST_F(WrappedTotals, OneInTheMiddlePassesThemOnBothWays) {
  start(2, 4);
  deliver(3, totals_of(1, "three"), 3);
  deliver(0, totals_of(4, "zero"), 0);
  JobTotals totals = totals_of(1, "two");
  fake::transport().combine_for_all(&totals);
  EXPECT_EQ(4, totals.processes);
  EXPECT_EQ("zero", totals.metadata[0].value);
  EXPECT_EQ((Messages{{"Recv", 3},
                      {"Recv", 3},
                      {"Send", 0},
                      {"Send", 0},
                      {"Recv", 0},
                      {"Recv", 0},
                      {"Send", 3},
                      {"Send", 3}}),
            messages());
}

TEST_F(WrappedTotals, AreSentInPiecesWhereAMessageCannotHoldThem) {
  JobTotals totals = totals_of(1, std::string(1000, 'x'));
  const int size = static_cast<int>(serialise(totals).size());
  for (int piece_bytes : {1, 100, size - 1, size / 2, size, size + 1}) {
    start(1, 2);
    JobTotals own = totals;
    EXPECT_FALSE(transport_of_pieces(piece_bytes).combine_all(&own));
    EXPECT_EQ(messages_of(totals, 1, piece_bytes), fake::sent())
        << piece_bytes << " of " << size;
  }
}

TEST_F(WrappedTotals, AreReceivedInTheSamePieces) {
  for (int piece_bytes : {1, 100, 1 << 30}) {
    start(0, 2);
    deliver(1, totals_of(3, std::string(1000, 'x')), 1, piece_bytes);
    JobTotals totals = totals_of(1, "zero");
    EXPECT_TRUE(transport_of_pieces(piece_bytes).combine_all(&totals));
    EXPECT_EQ(4, totals.processes);
    EXPECT_NOT_NOTED("totals_unreadable", totals.quality.notes);
    EXPECT_EQ(0u, fake::unread(fake::shadow_of(MPI_COMM_WORLD)));
  }
}

TEST_F(WrappedTotals, WhatIsNoTotalsIsNone) {
  start(1, 2);
  const long long length = 0;
  const int tag = poprt::mpi::job().before_own_tags + poprt::mpi::kOwnTags;
  for (int i = 0; i < 2; ++i) {
    fake::deliver(fake::shadow_of(MPI_COMM_WORLD), 0, tag, &length,
                  i == 0 ? sizeof length : 0);
  }
  JobTotals totals = totals_of(1, "one");
  fake::transport().combine_for_all(&totals);
  EXPECT_EQ(0, totals.processes);
}

TEST_F(WrappedTotals, OfALengthThatNoTextHasAreMissing) {
  start(0, 2);
  const long long length = -1;
  fake::deliver(fake::shadow_of(MPI_COMM_WORLD), 1,
                poprt::mpi::job().before_own_tags + poprt::mpi::kOwnTags,
                &length, sizeof length);
  JobTotals totals = totals_of(1, "zero");
  EXPECT_TRUE(fake::transport().combine_all(&totals));
  EXPECT_EQ(1, totals.processes);
  EXPECT_EQ(1u, totals.quality.notes.size());
  EXPECT_NOTED("totals_unreadable", totals.quality.notes);
}

TEST_F(WrappedTotals, WhatCouldNotBeAddedIsNotedWithItsCause) {
  JobTotals totals;
  poprt::mpi::note_lost(poprt::Outcome::kDone, &totals);
  EXPECT_NOT_NOTED("totals_no_room", totals.quality.notes);
  poprt::mpi::note_lost(poprt::Outcome::kNoMemory, &totals);
  EXPECT_NOTED("totals_no_room", totals.quality.notes);
  EXPECT_TRUE(totals.quality.notes[0].ends_with(": there was no memory"));
}

TEST_F(WrappedTotals, OneProcessIsTheJob) {
  start(0, 1);
  JobTotals totals = totals_of(1, "zero");
  fake::transport().combine_for_all(&totals);
  fake::transport().synchronise();
  EXPECT_EQ(1, totals.processes);
}

TEST_F(WrappedTotals, SynchronisingIsABarrierOfTheProgram) {
  fake::set_others(fake::clocks(700));
  fake::transport().synchronise();
  EXPECT_EQ(700, clock_ns());
}

}  // namespace
