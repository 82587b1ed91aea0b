// How long the MPI calls of each thread waited for late partners, and the clock
// COOW, from the history alone.
//
// The clock ALL of Global is followed through the history in the order of its
// actions. Clocks that come late raise it where they come, so it is what a
// thread can know at each action. A call that began when that clock was t and
// took d, and whose partners' clocks were s at most, has waited for s - t: at
// least 0, at most d. It counts in the regions that are open when the clocks
// belong to it, and of no thread there is more than its time in MPI.
//
// COOW of a region grows with useful time and time in MPI, and shrinks by what
// a call has waited. At the end of the call it is at least the partners' COOW
// with the rest of the call's time.
#include <algorithm>
#include <map>
#include <utility>

#include "oracle/expected.h"
#include "oracle/graph_builder.h"

namespace poprt::oracle {
namespace {

// What travels with messages and along OpenMP's edges.
struct Clocks {
  int64_t global_ns = 0;  // ALL of Global
  int64_t all_ns = 0;     // of the region
  int64_t cue_ns = 0;
  int64_t coow_ns = 0;

  void raise(const Clocks& other) {
    global_ns = std::max(global_ns, other.global_ns);
    all_ns = std::max(all_ns, other.all_ns);
    cue_ns = std::max(cue_ns, other.cue_ns);
    coow_ns = std::max(coow_ns, other.coow_ns);
  }
};

// What calls waited before the region was opened is not taken from its path.
void limit(Clocks* clocks) {
  clocks->coow_ns = std::max(clocks->coow_ns, clocks->cue_ns);
}

class WaitsOfHistory {
 public:
  WaitsOfHistory(const ExecutionGraph& graph, int region)
      : graph_(graph),
        region_(at(region)),
        sent_(at(graph.history.messages)),
        at_node_(graph.nodes.size()) {
    for (const ProcessLine& process : graph.processes) {
      threads_.emplace_back(process.threads.size());
      open_.push_back(0);
      waits_.emplace_back(process.threads.size());
    }
  }

  Waits run() {
    int index = 0;
    for (const Action& action : graph_.history.actions) add(index++, action);
    for (size_t p = 0; p < threads_.size(); ++p) {
      for (size_t t = 0; t < threads_[p].size(); ++t) {
        const Stretch& last = graph_.processes[p].threads[t].stretches.back();
        waits_[p][t].coow_ns = threads_[p][t].now.coow_ns + weight_of(p, last);
      }
    }
    return std::move(waits_);
  }

 private:
  struct Line {
    Clocks now;  // as of ns
    Clocks own;  // without those of others
    int64_t ns = 0;
    bool in_call = false;
    int64_t began_ns = 0;
    int64_t polled_ns = 0;
    int64_t last_poll_ns = 0;
  };
  struct Completed {
    Line line;
    int64_t began_ns = 0;
    bool open = false;
  };

  Line& line_of(const Action& a) {
    return threads_[at(a.process)][at(a.thread)];
  }
  bool is_open(const Action& a) const { return open_[at(a.process)] > 0; }
  void count(const Action& a, int64_t ns) {
    waits_[at(a.process)][at(a.thread)].waiting_ns += ns;
  }
  Clocks latest(const std::vector<int>& messages) const {
    Clocks latest;
    for (const int m : messages) latest.raise(sent_[at(m)]);
    return latest;
  }
  int64_t inside(size_t process, size_t region, int64_t from_ns,
                 int64_t to_ns) const {
    return graph_.processes[process].inside[region].overlap(from_ns, to_ns);
  }
  // What COOW of the region grows by in this time.
  int64_t weight_of(size_t process, const Stretch& stretch) const {
    return in_openmp(stretch.activity)
               ? 0
               : inside(process, region_, stretch.begin_ns, stretch.end_ns);
  }

  void add(int index, const Action& a);
  void go_to(int index, const Action& a, Line* line) const;
  void receive(const Action& a, Line* line);
  void receive_late(const Action& a, Line* line);

  const ExecutionGraph& graph_;
  const size_t region_;
  std::vector<Clocks> sent_;  // by message
  std::vector<Clocks> at_node_;
  std::map<int, Completed> completed_;
  std::vector<std::vector<Line>> threads_;
  std::vector<int> open_;  // depth of the region, by process
  Waits waits_;
};

void WaitsOfHistory::receive(const Action& a, Line* line) {
  const Clocks sent = latest(a.messages);
  if (!line->in_call) {
    line->now.global_ns = std::max(line->now.global_ns, sent.global_ns);
    line->now.all_ns = std::max(line->now.all_ns, sent.all_ns);
    line->now.cue_ns = std::max(line->now.cue_ns, sent.cue_ns);
    return;
  }
  const int64_t took = line->ns - line->began_ns;
  const int64_t entered = line->now.global_ns - took;
  const int64_t waited = std::clamp<int64_t>(sent.global_ns - entered, 0, took);
  line->began_ns += waited;
  const int64_t polled = line->polled_ns;
  int64_t polls = 0;
  if (polled > 0) {
    const int64_t behind = entered + (line->last_poll_ns - line->began_ns) +
                           waited - sent.global_ns;
    polls = std::max<int64_t>(0, polled - std::max<int64_t>(0, behind));
    line->polled_ns = 0;
  }
  Clocks arrived = sent;
  if (is_open(a)) {
    count(a, waited + polls);
    // Polls weigh nothing until it is known that they did not wait.
    line->now.coow_ns += polled - polls - waited;
    if (sent.coow_ns > 0) arrived.coow_ns += took - waited;
  }
  arrived.coow_ns =
      std::min(arrived.coow_ns, std::max(line->now.all_ns, sent.all_ns));
  line->now.raise(arrived);
  limit(&line->now);
}

void WaitsOfHistory::receive_late(const Action& a, Line* line) {
  const Completed& call = completed_.at(a.object);
  const Clocks sent = latest(a.messages);
  const int64_t took = call.line.ns - call.began_ns;
  const int64_t waited = std::clamp<int64_t>(
      sent.global_ns - (call.line.now.global_ns - took), 0, took);
  Clocks arrived = sent;
  if (call.open) {
    count(a, waited);
    line->now.coow_ns -= waited;
    if (sent.coow_ns > 0) arrived.coow_ns += took - waited;
  }
  // The path of this thread since then.
  const Clocks& then = call.line.own;
  const int64_t since_ns = line->own.all_ns - then.all_ns;
  arrived.coow_ns = std::min(
      arrived.coow_ns, std::max(line->now.all_ns - since_ns, sent.all_ns));
  arrived.global_ns += line->own.global_ns - then.global_ns;
  arrived.all_ns += since_ns;
  arrived.cue_ns += line->own.cue_ns - then.cue_ns;
  if (sent.coow_ns > 0) {
    arrived.coow_ns += line->own.coow_ns - then.coow_ns;
  }
  line->now.raise(arrived);
  if (sent.global_ns > 0) limit(&line->now);
}

void WaitsOfHistory::go_to(int index, const Action& a, Line* line) const {
  const Node& node = graph_.nodes[at(index)];
  if (!node.exists) return;
  const auto process = at(a.process);
  const Clocks step = {
      inside(process, 0, line->ns, a.ns),
      inside(process, region_, line->ns, a.ns),
      node.before.activity == Activity::kUseful
          ? inside(process, region_, line->ns, a.ns)
          : 0,
      weight_of(process, node.before),
  };
  for (Clocks* clocks : {&line->now, &line->own}) {
    clocks->global_ns += step.global_ns;
    clocks->all_ns += step.all_ns;
    clocks->cue_ns += step.cue_ns;
    clocks->coow_ns += step.coow_ns;
  }
  line->ns = a.ns;
}

void WaitsOfHistory::add(int index, const Action& a) {
  Line& line = line_of(a);
  go_to(index, a, &line);
  switch (a.kind) {
    case Kind::kRegionOpen:
      if (at(a.object) == region_) ++open_[at(a.process)];
      break;
    case Kind::kRegionClose:
      if (at(a.object) == region_) --open_[at(a.process)];
      break;
    case Kind::kMpiBegin:
      line.in_call = true;
      line.began_ns = a.ns;
      break;
    case Kind::kMpiEnd:
      line.in_call = false;
      if (a.flag) {
        line.polled_ns += a.ns - line.began_ns;
        if (is_open(a)) line.now.coow_ns -= a.ns - line.began_ns;
        line.last_poll_ns = a.ns;
      }
      break;
    case Kind::kSend:
      sent_[at(a.object)] = line.now;
      break;
    case Kind::kReceive:
      receive(a, &line);
      break;
    case Kind::kComplete:
      completed_[index] = {line, line.in_call ? line.began_ns : line.ns,
                           is_open(a)};
      break;
    case Kind::kReceiveLate:
      receive_late(a, &line);
      break;
    default:
      for (const Edge& edge : graph_.nodes[at(index)].in) {
        // An own earlier COOW may be larger: its waits were not known then.
        const Action& from = graph_.history.actions[at(edge.from)];
        if (from.process == a.process && from.thread == a.thread) continue;
        line.now.raise(at_node_[at(edge.from)]);
      }
  }
  at_node_[at(index)] = line.now;
}

}  // namespace

Waits mpi_waits(const ExecutionGraph& graph, int region) {
  return WaitsOfHistory(graph, region).run();
}

}  // namespace poprt::oracle
