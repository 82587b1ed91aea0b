#include "wrappers/node.h"

#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "wrappers/node_channel.h"

namespace poprt::mpi {
namespace {

constexpr size_t kMostOnNode = 4096;

// What all processes tell each other.
struct Card {
  uint64_t host;   // hash of its name
  uint64_t proof;  // lies behind the rings: a pid may be one of another node
  int32_t pid;
  int32_t file;  // holds a ring for each process of the host, or -1
};

struct Peer {
  OutgoingChannel to;
  IncomingChannel from;
};

// The processes of this node, this one too; empty: clocks go by message.
std::vector<Peer>& peers() {
  static auto* const list = new std::vector<Peer>;
  return *list;
}

// Their ranks among all processes.
std::vector<int>& ranks_of_peers() {
  static auto* const list = new std::vector<int>;
  return *list;
}

size_t offset_of(size_t place) { return place * kFirstRingBytes; }

uint64_t hash_of_host() {
  utsname names;
  if (uname(&names) != 0) return 0;
  return std::hash<std::string_view>{}(names.nodename);
}

// A file with room for rings to `most` processes, which take no memory before
// they are used.
Card own_card(int most) {
  Card card{hash_of_host(), 0, getpid(), -1};
  if (job().multiple || getrandom(&card.proof, sizeof card.proof,
                                  GRND_NONBLOCK) != sizeof card.proof) {
    return card;
  }
  const size_t bytes = offset_of(static_cast<size_t>(most));
  const int file = new_shared_file(bytes + sizeof card.proof);
  if (file >= 0 && pwrite(file, &card.proof, sizeof card.proof,
                          static_cast<off_t>(bytes)) == sizeof card.proof) {
    card.file = file;
  }
  return card;
}

// The ring that another process writes for this one; null: none.
ClockRing* ring_from(const Card& card, size_t own_place) {
  if (card.file < 0) return nullptr;
  const int file = open_shared_file(card.pid, card.file);
  if (file < 0) return nullptr;
  uint64_t proof = 0;
  const off_t behind = lseek(file, -off_t{sizeof proof}, SEEK_END);
  ClockRing* ring = nullptr;
  if (behind >= 0 &&
      pread(file, &proof, sizeof proof, behind) == sizeof proof &&
      proof == card.proof) {
    ring = map_ring(file, offset_of(own_place), kFirstRingBytes);
  }
  close(file);
  return ring;
}

void meet(const std::vector<Card>& cards, int own_rank) {
  const Card& own = cards[static_cast<size_t>(own_rank)];
  std::vector<int> ranks;
  size_t own_place = 0;
  for (size_t rank = 0; rank < cards.size(); ++rank) {
    if (cards[rank].host != own.host) continue;
    if (static_cast<int>(rank) == own_rank) own_place = ranks.size();
    ranks.push_back(static_cast<int>(rank));
    if (ranks.size() > kMostOnNode) return;
  }
  if (ranks.size() < 2) return;
  for (size_t place = 0; place < ranks.size(); ++place) {
    const Card& card = cards[static_cast<size_t>(ranks[place])];
    ClockRing* const to =
        own.file < 0 ? nullptr
                     : map_ring(own.file, offset_of(place), kFirstRingBytes);
    peers().push_back({OutgoingChannel(to),
                       IncomingChannel(ring_from(card, own_place), card.pid)});
  }
  ranks_of_peers() = ranks;
}

// Local: which of the processes of `comm` are on this node.  From the few of
// the node to the communicator's ranks: the other way round takes some MPIs
// the square of its size.
void find_places(CommInfo& comm) {
  comm.places_known = true;
  MPI_Group group;
  if (pmpi().Comm_group(comm.shadow, &group) != MPI_SUCCESS) return;
  std::vector<int>& ranks = ranks_of_peers();
  std::vector<int> there(ranks.size());
  if (pmpi().Group_translate_ranks(job().world, static_cast<int>(ranks.size()),
                                   ranks.data(), group,
                                   there.data()) == MPI_SUCCESS) {
    comm.places.assign(static_cast<size_t>(comm.size), -1);
    for (size_t place = 0; place < there.size(); ++place) {
      if (there[place] < 0) continue;
      comm.places[static_cast<size_t>(there[place])] =
          static_cast<int16_t>(place);
    }
  }
  pmpi().Group_free(&group);
}

// Null: not a process of this node.
Peer* peer_of(CommInfo& comm, int rank) {
  if (peers().empty() || comm.number == 0) return nullptr;
  if (!comm.places_known) find_places(comm);
  if (static_cast<size_t>(rank) >= comm.places.size()) return nullptr;
  const int16_t place = comm.places[static_cast<size_t>(rank)];
  return place < 0 ? nullptr : &peers()[static_cast<size_t>(place)];
}

}  // namespace

void set_up_node(const CommInfo& world) {
  const Card own = own_card(static_cast<int>(
      std::min<size_t>(static_cast<size_t>(world.size), kMostOnNode)));
  std::vector<Card> cards(static_cast<size_t>(world.size));
  if (pmpi().Allgather(&own, sizeof own, pmpi().byte, cards.data(), sizeof own,
                       pmpi().byte, world.shadow) == MPI_SUCCESS &&
      !job().multiple) {
    meet(cards, world.rank);
  }
}

bool put_on_node(CommInfo& comm, int dest, int tag,
                 const ClockMessage& clocks) {
  Peer* const peer = peer_of(comm, dest);
  return peer != nullptr && peer->to.put({comm.number, tag}, clocks);
}

bool take_on_node(CommInfo& comm, int source, int tag, ClockMessage* clocks) {
  Peer* const peer = peer_of(comm, source);
  return peer != nullptr && peer->from.take({comm.number, tag}, clocks);
}

void taken_by_message(CommInfo& comm, int source) {
  if (Peer* const peer = peer_of(comm, source)) peer->from.taken_by_message();
}

}  // namespace poprt::mpi
