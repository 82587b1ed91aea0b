#include "wrappers/node/node.h"

#include <sys/mman.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <string_view>

#include "base/mix.h"
#include "base/open_files.h"
#include "wrappers/node/node_board.h"
#include "wrappers/node/node_channel.h"
#include "wrappers/state.h"

namespace poprt::mpi {
namespace {

constexpr size_t kMostOnNode = 4096;

// What each process tells all others.
struct Card {
  uint64_t host;  // hash of the host's name
  // is also in the file: a process number may belong to another node
  uint64_t proof;
  MemoryLimits limits;
  int32_t pid;
  int32_t file;  // open until all have mapped it; or -1
};

struct Peer {
  OutgoingChannel to;
  IncomingChannel from;
  Board* boards = nullptr;  // its boards, if they are mapped
};

// The processes of this node, including this one.
struct Peers {
  std::vector<Peer> list;
  std::vector<int> ranks;  // their ranks in the job
  char* rings = nullptr;   // to each of them; null if there are none
  OwnBlocks blocks;
};
// Never destroyed.  Null: clocks go by message.
constinit Peers* g_peers = nullptr;

// The file of a process has a head, the boards, a ring to each process, and
// blocks for further rings.
struct Head {
  uint64_t proof;
  // What the process at each place does with the ring to it.  Here and not in
  // the rings, so that those of pairs that never talk take no memory.
  std::atomic<uint8_t> readers[kMostOnNode];
};
constexpr uint8_t kReads = 1;
constexpr uint8_t kFollows = 2;  // can also read further rings
constexpr size_t kBoardBytes = kBoards * sizeof(Board);
struct Layout {
  size_t boards() const { return whole_pages(sizeof(Head)); }
  size_t rings() const { return boards() + whole_pages(kBoardBytes); }
  size_t blocks() const {
    return rings() + whole_pages(places * kMostRingBytes);
  }

  size_t places;  // the most processes that a node may have
};

// Boards that are not used for a communicator yet.
uint32_t g_free_boards = ~uint32_t{0};
static_assert(kBoards == 32, "one bit each");

uint64_t hash_of_host() {
  utsname names;
  if (uname(&names) != 0) return 0;
  return std::hash<std::string_view>{}(names.nodename);
}

// Makes the file, without blocks.  Its pages take no memory before they are
// used.
Card own_card(const Layout& layout, KeptFile* own_file) {
  Card card{hash_of_host(), 0, memory_limits(), getpid(), -1};
  if (getrandom(&card.proof, sizeof card.proof, GRND_NONBLOCK) !=
          sizeof card.proof ||
      job().multiple) {
    return card;
  }
  const int file = new_shared_file(layout.blocks());
  if (file < 0) return card;
  if (pwrite(file, &card.proof, sizeof card.proof, offsetof(Head, proof)) ==
      sizeof card.proof) {
    card.file = file;
    *own_file = KeptFile(file);
  } else {
    close(file);
  }
  return card;
}

// Tells the owner of the file what this process does with the ring to it.
void tell_reader(int file, size_t own_place, uint8_t what) {
  auto* const head = static_cast<Head*>(map_shared(file, 0, sizeof(Head)));
  if (head == nullptr) return;
  head->readers[own_place].store(what, std::memory_order_release);
  munmap(head, sizeof(Head));
}

// What all processes of the node map alike.
struct NodeShape {
  size_t own_place;
  size_t ring_bytes;
  size_t block_bytes;
};

// Maps what this process reads of another one, at neighbouring addresses.
void map_file_of(const Card& card, const Layout& layout, const NodeShape& shape,
                 AddressRange* addresses, Peer* peer) {
  if (card.file < 0) return;
  const int file = open_shared_file(card.pid, card.file);
  if (file < 0) return;
  uint64_t proof = 0;
  if (pread(file, &proof, sizeof proof, offsetof(Head, proof)) ==
          sizeof proof &&
      proof == card.proof) {
    const size_t ring = layout.rings() + shape.own_place * shape.ring_bytes;
    const size_t in_page = ring % page_bytes();
    const size_t bytes = whole_pages(shape.ring_bytes);
    auto* const page = static_cast<char*>(
        map_shared(file, ring - in_page, bytes, addresses->next(bytes)));
    peer->boards = static_cast<Board*>(
        map_shared(file, layout.boards(), kBoardBytes,
                   addresses->next(whole_pages(kBoardBytes))));
    BlockArea blocks;
    if (shape.block_bytes != 0) {
      blocks = BlockArea(file, layout.blocks(), shape.block_bytes);
    }
    if (page != nullptr) {
      peer->from = IncomingChannel(reinterpret_cast<ClockRing*>(page + in_page),
                                   shape.ring_bytes, blocks);
      tell_reader(file, shape.own_place,
                  blocks.bytes() != 0 ? kReads | kFollows : kReads);
    }
  }
  close(file);
}

void connect_peers(const std::vector<Card>& cards, const Layout& layout,
                   int own_rank, const KeptFile& kept) {
  const Card& own = cards[static_cast<size_t>(own_rank)];
  std::vector<int> ranks;
  NodeShape shape{};
  MemoryLimits limits = own.limits;
  for (size_t rank = 0; rank < cards.size(); ++rank) {
    if (cards[rank].host != own.host) continue;
    if (static_cast<int>(rank) == own_rank) shape.own_place = ranks.size();
    ranks.push_back(static_cast<int>(rank));
    const MemoryLimits& its = cards[rank].limits;
    limits.address_bytes = std::min(limits.address_bytes, its.address_bytes);
    limits.file_bytes = std::min(limits.file_bytes, its.file_bytes);
    if (ranks.size() > kMostOnNode) return;
  }
  if (ranks.size() < 2) return;
  delete g_peers;  // null, but in tests that begin anew
  g_peers = new Peers;
  // The same values on all processes of the node.
  shape.ring_bytes = first_ring_bytes(ranks.size());
  shape.block_bytes = block_bytes(limits, ranks.size());
  if (const int file = kept.descriptor(); file >= 0) {
    g_peers->rings = static_cast<char*>(
        map_shared(file, layout.rings(), ranks.size() * shape.ring_bytes));
    if (shape.block_bytes != 0 &&
        extend_shared_file(file, layout.blocks() + shape.block_bytes)) {
      g_peers->blocks =
          OwnBlocks(BlockArea(file, layout.blocks(), shape.block_bytes));
    }
  }
  g_peers->list = std::vector<Peer>(ranks.size());
  AddressRange addresses(ranks.size() * (whole_pages(shape.ring_bytes) +
                                         whole_pages(kBoardBytes)));
  for (size_t place = 0; place < ranks.size(); ++place) {
    map_file_of(cards[static_cast<size_t>(ranks[place])], layout, shape,
                &addresses, &g_peers->list[place]);
  }
  g_peers->ranks = ranks;
}

// When all have mapped this process's file: sends through the rings that are
// read.
void open_channels(int own_file) {
  if (g_peers == nullptr || g_peers->rings == nullptr) return;
  std::vector<Peer>& list = g_peers->list;
  const size_t bytes = first_ring_bytes(list.size());
  std::vector<uint8_t> readers(list.size());
  if (pread(own_file, readers.data(), readers.size(),
            offsetof(Head, readers)) != static_cast<ssize_t>(readers.size())) {
    return;
  }
  for (size_t place = 0; place < list.size(); ++place) {
    if ((readers[place] & kReads) == 0) continue;
    list[place].to = OutgoingChannel(
        reinterpret_cast<ClockRing*>(g_peers->rings + place * bytes), bytes,
        (readers[place] & kFollows) != 0 ? &g_peers->blocks : nullptr);
  }
}

// A local function: the place on this node of each rank of `comm`, or -1.
// Translates from the few ranks of the node to the communicator's, because the
// other direction takes some MPI libraries quadratic time.
std::vector<int16_t> places_of(MPI_Comm comm, int size) {
  std::vector<int16_t> places;
  MPI_Group group;
  if (pmpi().Comm_group(comm, &group) != MPI_SUCCESS) return places;
  std::vector<int>& ranks = g_peers->ranks;
  std::vector<int> there(ranks.size());
  if (pmpi().Group_translate_ranks(job().world, static_cast<int>(ranks.size()),
                                   ranks.data(), group,
                                   there.data()) == MPI_SUCCESS) {
    places.assign(static_cast<size_t>(size), -1);
    for (size_t place = 0; place < there.size(); ++place) {
      if (there[place] < 0) continue;
      places[static_cast<size_t>(there[place])] = static_cast<int16_t>(place);
    }
  }
  pmpi().Group_free(&group);
  return places;
}

[[gnu::noinline]] void find_places(CommInfo& comm) {
  if (comm.node.places_known) return;
  comm.node.places_known = true;
  if (comm.carrier == nullptr) {
    comm.node.places = places_of(comm.shadow, comm.size);
    return;
  }
  find_places(*comm.carrier);
  const std::vector<int16_t>& places = comm.carrier->node.places;
  for (int rank = 0; rank < comm.size && !places.empty(); ++rank) {
    comm.node.places.push_back(
        places[static_cast<size_t>(comm.rank_there(rank))]);
  }
}

// Null if it is not a process of this node.
inline Peer* peer_of(CommInfo& comm, int rank) {
  if (g_peers == nullptr || comm.node.number == 0) return nullptr;
  if (!comm.node.places_known) [[unlikely]]
    find_places(comm);
  if (static_cast<size_t>(rank) >= comm.node.places.size()) return nullptr;
  const int16_t place = comm.node.places[static_cast<size_t>(rank)];
  return place < 0 ? nullptr : &g_peers->list[static_cast<size_t>(place)];
}

}  // namespace

uint64_t set_up_node(CommInfo& world) {
  const Layout layout{
      std::min<size_t>(static_cast<size_t>(world.size), kMostOnNode)};
  KeptFile own_file;
  const Card own = own_card(layout, &own_file);
  std::vector<Card> cards(static_cast<size_t>(world.size));
  const bool told =
      pmpi().Allgather(&own, sizeof own, pmpi().byte, cards.data(), sizeof own,
                       pmpi().byte, world.shadow) == MPI_SUCCESS;
  if (told && !job().multiple) {
    connect_peers(cards, layout, world.rank, own_file);
  }
  // The cards tell all processes the same; only what they could map may differ.
  const bool one_node =
      told && std::all_of(cards.begin(), cards.end(), [&](const Card& card) {
        return card.host == cards[0].host && card.file >= 0;
      });
  constexpr int kBoardOfWorld = 0;
  const int mine =
      one_node ? (free_boards(world.comm, world.size) >> kBoardOfWorld) & 1 : 0;
  int all = 0;
  const int code = pmpi().Allreduce(&mine, &all, 1, pmpi().int_type, pmpi().min,
                                    world.shadow);
  // All have mapped it by now.
  if (code == MPI_SUCCESS) open_channels(own_file.descriptor());
  own_file.close();
  if (code == MPI_SUCCESS && all != 0) use_board(world, kBoardOfWorld);
  return told && cards[0].proof != 0 ? mix(cards[0].proof, cards[0].host) : 0;
}

uint32_t free_boards(MPI_Comm comm, int size) {
  if (g_peers == nullptr || size > kMostAtBoards ||
      static_cast<size_t>(size) > g_peers->list.size()) {
    return 0;
  }
  const std::vector<int16_t> places = places_of(comm, size);
  if (places.empty()) return 0;
  for (const int16_t place : places) {
    if (place < 0 ||
        g_peers->list[static_cast<size_t>(place)].boards == nullptr) {
      return 0;
    }
  }
  return g_free_boards;
}

void use_board(CommInfo& comm, int board) {
  g_free_boards &= ~(uint32_t{1} << board);
  find_places(comm);
  comm.node.boards = std::make_unique<BoardsOfComm>();
  // The parts of a longest path would need more room.
  if (!measured_process().path_choice().composition()) {
    comm.node.boards->capacity = regions_at_boards(comm.size);
  }
  for (int rank = 0; rank < comm.size; ++rank) {
    const size_t place =
        static_cast<size_t>(comm.node.places[static_cast<size_t>(rank)]);
    Board* const found = g_peers->list[place].boards + board;
    if (rank == comm.rank) {
      comm.node.boards->own = found;
    } else {
      comm.node.boards->others.push_back({found});
    }
  }
}

Sent put_on_node(CommInfo& comm, int dest, int tag, const ClockMessage& clocks,
                 const SentClocks* all) {
  Peer* const peer = peer_of(comm, dest);
  return peer == nullptr ? Sent::kByMessage
                         : peer->to.put({comm.node.number, tag}, clocks, all);
}

bool put_packed_on_node(CommInfo& comm, int dest, int tag, Thread& thread,
                        int reply_tag) {
  Peer* const peer = peer_of(comm, dest);
  return peer != nullptr &&
         peer->to.put_packed({comm.node.number, tag}, thread, reply_tag);
}

Taken take_on_node(CommInfo& comm, int source, int tag, ClockMessage* clocks) {
  Peer* const peer = peer_of(comm, source);
  return peer == nullptr ? Taken::kNo
                         : peer->from.take({comm.node.number, tag}, clocks);
}

bool take_packed_on_node(CommInfo& comm, int source, int tag,
                         ClockMessage* clocks, const Thread& thread) {
  Peer* const peer = peer_of(comm, source);
  return peer != nullptr &&
         peer->from.take_packed({comm.node.number, tag}, clocks, thread);
}

void taken_by_message(CommInfo& comm, int source) {
  if (Peer* const peer = peer_of(comm, source)) peer->from.taken_by_message();
}

bool give_up_on_node(CommInfo& comm, int source, int tag) {
  Peer* const peer = peer_of(comm, source);
  return peer != nullptr && peer->from.give_up({comm.node.number, tag});
}

}  // namespace poprt::mpi
