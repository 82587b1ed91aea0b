// What the longest path is made of, and how long it is without the useful time
// in a region, from the history alone.
//
// A thread's path is followed through the history in the order of its actions.
// Where it comes to a point that it could not have come to before another
// thread's event, the time since that event is on its path, and before it that
// thread's path, if the event is later than the thread began to wait: when it
// entered the MPI call, or when it last worked, or let others go on, before it
// came to OpenMP.
#include <algorithm>
#include <map>
#include <utility>

#include "oracle/expected.h"
#include "oracle/graph_builder.h"

namespace poprt::oracle {
namespace {

class PathOfHistory {
 public:
  PathOfHistory(const ExecutionGraph& graph, int left_out, bool constructs)
      : graph_(graph),
        left_out_(at(left_out)),
        constructs_(constructs),
        sent_(at(graph.history.messages)),
        at_node_(graph.nodes.size()) {
    for (const ProcessLine& process : graph.processes) {
      lines_.emplace_back(process.threads.size());
    }
    find_innermost();
  }

  Path run() {
    int index = 0;
    for (const Action& action : graph_.history.actions) add(index++, action);
    Path longest;
    for (size_t p = 0; p < lines_.size(); ++p) {
      for (size_t t = 0; t < lines_[p].size(); ++t) {
        const ThreadLine& thread = graph_.processes[p].threads[t];
        if (!thread.member) continue;
        Line& line = lines_[p][t];
        const Stretch& last = thread.stretches.back();
        pass(static_cast<int>(p), last, &line);
        // A worker that still waits waits for nothing.
        if (t > 0 && in_openmp(last.activity)) {
          for (const auto& [what, ns] : line.waited_ns) {
            line.now.add(what, static_cast<int>(p), -ns);
          }
          line.now.all_ns = line.wait_ns;
          line.now.without_ns = line.wait_without_ns;
        }
        const int64_t without_ns =
            std::max(longest.without_ns, line.now.without_ns);
        if (line.now.all_ns == longest.all_ns) longest.is_tied = true;
        if (line.now.all_ns > longest.all_ns) longest = line.now;
        longest.without_ns = without_ns;
      }
    }
    return longest;
  }

 private:
  struct Line {
    Path now;
    // When its wait began: the lengths of the paths.
    int64_t wait_ns = 0;
    int64_t wait_without_ns = 0;
    // What it has added to the path, and what it is in now.
    std::map<int, int64_t> waited_ns;
    int construct = Path::kOpenMp;
    int64_t ns = 0;
    bool in_call = false;
    int64_t began_ns = 0;
    int64_t useful_ns = 0;
    int64_t polled_ns = 0;
    int64_t last_poll_ns = 0;
    int64_t useful_at_first_poll_ns = -1;
  };

  Line& line_of(const Action& a) { return lines_[at(a.process)][at(a.thread)]; }

  // In which times each region was the innermost one of its process.
  void find_innermost() {
    const size_t regions = at(graph_.history.regions);
    struct Open {
      std::vector<int> stack;
      std::map<int, int> depth;
      int64_t since_ns = 0;
    };
    std::vector<Open> open(graph_.processes.size());
    innermost_.resize(graph_.processes.size(),
                      std::vector<IntervalSet>(regions));
    const auto settle = [&](size_t p, int64_t ns) {
      if (!open[p].stack.empty()) {
        innermost_[p][at(open[p].stack.back())].add(open[p].since_ns, ns);
      }
      open[p].since_ns = std::max(open[p].since_ns, ns);
    };
    for (const Action& a : graph_.history.actions) {
      const bool opens = a.kind == Kind::kRegionOpen;
      if ((!opens && a.kind != Kind::kRegionClose) || a.object == 0) continue;
      const size_t p = at(a.process);
      int& depth = open[p].depth[a.object];
      if (opens ? depth++ != 0 : depth == 0 || --depth != 0) continue;
      settle(p, std::max(a.ns, open[p].since_ns));
      if (opens) {
        open[p].stack.push_back(a.object);
      } else {
        std::erase(open[p].stack, a.object);
      }
    }
    for (size_t p = 0; p < open.size(); ++p) {
      settle(p, graph_.processes[p].end_ns);
    }
  }

  static void begin_wait(Line* line) {
    line->wait_ns = line->now.all_ns;
    line->wait_without_ns = line->now.without_ns;
    line->waited_ns.clear();
  }
  void pass(int process, const Stretch& stretch, Line* line);
  void take(const Path& partner, int64_t all_ns, int what, int process,
            Path* path);
  void merge(const Path& partner, int process, Line* line);
  void receive(const Action& a, Line* line);
  void add(int index, const Action& a);

  const ExecutionGraph& graph_;
  const size_t left_out_;
  const bool constructs_;
  std::vector<Path> sent_;  // by message
  std::vector<Path> at_node_;
  std::vector<std::vector<Line>> lines_;
  std::vector<std::vector<IntervalSet>> innermost_;  // by process and region
};

void PathOfHistory::pass(int process, const Stretch& stretch, Line* line) {
  const int64_t from = line->ns;
  const int64_t to = stretch.end_ns;
  const std::vector<IntervalSet>& inside = graph_.processes[at(process)].inside;
  int64_t rest = inside[0].overlap(from, to);
  line->now.all_ns += rest;
  line->now.without_ns += rest;
  if (stretch.activity == Activity::kUseful) {
    line->useful_ns += to - from;
    line->now.without_ns -= inside[left_out_].overlap(from, to);
    for (size_t r = 1; r < inside.size(); ++r) {
      const int64_t part = innermost_[at(process)][r].overlap(from, to);
      line->now.add(static_cast<int>(r), process, part);
      rest -= part;
    }
    line->now.add(0, process, rest);
  } else if (in_mpi(stretch.activity)) {
    line->now.add(Path::kMpi, process, rest);
  } else {
    line->now.add(line->construct, process, rest);
    line->waited_ns[line->construct] += rest;
  }
  if (!in_openmp(stretch.activity)) begin_wait(line);
  line->ns = to;
}

void PathOfHistory::take(const Path& partner, int64_t all_ns, int what,
                         int process, Path* path) {
  path->parts = partner.parts;
  path->most_parts = partner.most_parts;
  path->is_tied = partner.is_tied;
  path->add(what, process, all_ns - partner.all_ns);
}

void PathOfHistory::merge(const Path& partner, int process, Line* line) {
  if (partner.all_ns == 0) return;
  Path& now = line->now;
  const int64_t all_ns = std::max(now.all_ns, partner.all_ns);
  if (partner.all_ns > line->wait_ns) {
    take(partner, all_ns, line->construct, process, &now);
    line->wait_ns = partner.all_ns;
    line->waited_ns = {{line->construct, all_ns - partner.all_ns}};
  } else if (partner.all_ns == line->wait_ns) {
    now.is_tied = true;
  }
  line->wait_without_ns = std::max(line->wait_without_ns, partner.without_ns);
  now.without_ns = line->wait_without_ns + all_ns - line->wait_ns;
  now.all_ns = all_ns;
}

void PathOfHistory::receive(const Action& a, Line* line) {
  Path sent;
  bool is_tied = false;
  for (const int m : a.messages) {
    const Path& its = sent_[at(m)];
    const int64_t without_ns = std::max(sent.without_ns, its.without_ns);
    is_tied =
        its.all_ns == sent.all_ns || (is_tied && its.all_ns < sent.all_ns);
    if (its.all_ns > sent.all_ns) sent = its;
    sent.without_ns = without_ns;
  }
  sent.is_tied = sent.is_tied || is_tied;
  Path& now = line->now;
  const int64_t took = line->in_call ? line->ns - line->began_ns : 0;
  const int64_t entered = now.all_ns - took;
  const int64_t waited = std::clamp<int64_t>(sent.all_ns - entered, 0, took);
  bool rather_waited = false;
  if (line->in_call) {
    line->began_ns += waited;
    if (line->polled_ns > 0) {
      // Those that ended after the clocks were sent did not wait for them.
      const int64_t behind = std::clamp<int64_t>(
          line->last_poll_ns - (line->ns + sent.all_ns - now.all_ns), 0,
          line->polled_ns);
      now.without_ns += behind;
      rather_waited = line->polled_ns - behind >
                      line->useful_ns - line->useful_at_first_poll_ns;
      line->polled_ns = 0;
      line->useful_at_first_poll_ns = -1;
    }
  }
  if (sent.all_ns == 0) return;
  const int64_t all_ns = std::max(now.all_ns, sent.all_ns);
  now.without_ns = std::max(now.without_ns - took, sent.without_ns) + all_ns -
                   std::max(entered, sent.all_ns);
  if (sent.all_ns > entered || rather_waited) {
    take(sent, all_ns, Path::kMpi, a.process, &now);
  }
  now.all_ns = all_ns;
}

void PathOfHistory::add(int index, const Action& a) {
  Line& line = line_of(a);
  const Node& node = graph_.nodes[at(index)];
  if (node.exists) {
    pass(a.process, {line.ns, a.ns, node.before.activity}, &line);
  }
  switch (a.kind) {
    case Kind::kMpiBegin:
      line.in_call = true;
      line.began_ns = a.ns;
      break;
    case Kind::kMpiEnd:
      line.in_call = false;
      if (!a.flag) break;
      if (line.useful_at_first_poll_ns < 0) {
        line.useful_at_first_poll_ns = line.useful_ns;
      }
      line.polled_ns += a.ns - line.began_ns;
      line.now.without_ns -= a.ns - line.began_ns;
      line.last_poll_ns = a.ns;
      break;
    case Kind::kSend:
      sent_[at(a.object)] = line.now;
      break;
    case Kind::kReceive:
      receive(a, &line);
      break;
    default:
      for (const Edge& edge : node.in) {
        const Action& from = graph_.history.actions[at(edge.from)];
        if (from.process == a.process && from.thread == a.thread) continue;
        merge(at_node_[at(edge.from)], a.process, &line);
      }
  }
  if (a.kind == Kind::kBarrierBegin) begin_wait(&line);
  if (constructs_ && changes_construct(a.kind)) {
    line.construct = Path::openmp_behind(a.kind);
  }
  at_node_[at(index)] = line.now;
}

}  // namespace

Path longest_path(const ExecutionGraph& graph, int left_out, bool constructs) {
  return PathOfHistory(graph, left_out, constructs).run();
}

}  // namespace poprt::oracle
