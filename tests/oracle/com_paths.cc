#include "oracle/com_paths.h"

#include <algorithm>
#include <map>
#include <optional>

#include "oracle/critical_path.h"

namespace poprt::oracle {
namespace {

ComClocks max(const ComClocks& a, const ComClocks& b) {
  return {std::max(a.com_ns, b.com_ns), std::max(a.comp_ns, b.comp_ns)};
}

ComClocks later(const ComClocks& clocks, int64_t ns) {
  return {clocks.com_ns + ns, clocks.comp_ns + ns};
}

class ComPaths {
 public:
  ComPaths(const ExecutionGraph& graph, int region)
      : graph_(graph),
        region_(static_cast<size_t>(region)),
        starts_(com_starts(graph)),
        nodes_(graph.nodes.size()) {
    const CriticalPaths paths(graph, region);
    cue_ = paths.to_nodes(Clock::kCue, Scope::kGlobal);
    all_ = paths.to_nodes(Clock::kAll, Scope::kGlobal);
    cue_ends_ = paths.to_threads(Clock::kCue, Scope::kGlobal);
    all_ends_ = paths.to_threads(Clock::kAll, Scope::kGlobal);
    for (const ProcessLine& process : graph.processes) {
      const IntervalSet& inside = process.inside[region_];
      lines_.push_back({inside.without(process.mpi),
                        inside.without(process.serial_mpi),
                        0,
                        {}});
    }
  }

  std::vector<ComOfProcess> run() {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (graph_.nodes[i].exists) visit(i);
    }
    std::vector<ComOfProcess> ends;
    for (size_t p = 0; p < lines_.size(); ++p) ends.push_back(end_of(p));
    return ends;
  }

 private:
  struct Line {
    IntervalSet com;
    IntervalSet comp;
    int64_t since_ns = 0;
    ComClocks heaviest;
    void go_to(int64_t now_ns) {
      heaviest.com_ns += com.overlap(since_ns, now_ns);
      heaviest.comp_ns += comp.overlap(since_ns, now_ns);
      since_ns = now_ns;
    }
  };
  // Of a stretch in a process whose threads keep COM: from when on it counts,
  // and as of when it merges what other threads of the process bring.
  struct Counts {
    int64_t com_from_ns;
    int64_t comp_from_ns;
    int64_t merged_ns;
    // In a team when the threads began to keep COM.
    bool had_team = true;
  };

  const Action& action(size_t i) const { return graph_.history.actions[i]; }

  void visit(size_t i) {
    const auto p = static_cast<size_t>(action(i).process);
    if (i > starts_[p]) return visit_thread(i, p);
    Line& line = lines_[p];
    line.go_to(action(i).ns);
    if (i == starts_[p]) start_ns_[p] = action(i).ns;
    for (const Edge& edge : graph_.nodes[i].in) {
      if (edge.mpi) line.heaviest = max(line.heaviest, given(edge.from));
    }
    nodes_[i] = line.heaviest;
  }

  // What a message or a synchronisation object gets.
  ComClocks given(int node) const {
    const auto i = static_cast<size_t>(node);
    const auto p = static_cast<size_t>(action(i).process);
    const ComClocks& clocks = nodes_[i];
    if (i >= starts_[p]) return bounded(clocks, cue_[i], all_[i]);
    return {std::min(clocks.com_ns, all_[i]),
            std::min(clocks.comp_ns, all_[i])};
  }
  static ComClocks bounded(const ComClocks& clocks, int64_t cue_ns,
                           int64_t all_ns) {
    const int64_t comp = std::max(cue_ns, std::min(clocks.comp_ns, all_ns));
    return {std::max(cue_ns, std::min(clocks.com_ns, comp)), comp};
  }

  // The primary thread's report that its implicit task is over comes while it
  // waits in the join barrier, and ends nothing.
  bool ends_nothing(size_t i) const {
    return action(i).kind == Kind::kImplicitEnd &&
           in_openmp(graph_.nodes[i].before.activity);
  }
  int previous(size_t i) const {
    const int before = graph_.nodes[i].previous;
    return before >= 0 && ends_nothing(static_cast<size_t>(before))
               ? graph_.nodes[static_cast<size_t>(before)].previous
               : before;
  }
  Stretch before(size_t i) const {
    Stretch stretch = graph_.nodes[i].before;
    const int previous = graph_.nodes[i].previous;
    if (previous >= 0 && ends_nothing(static_cast<size_t>(previous))) {
      stretch.begin_ns =
          graph_.nodes[static_cast<size_t>(previous)].before.begin_ns;
    }
    return stretch;
  }

  void visit_thread(size_t i, size_t p) {
    if (ends_nothing(i)) return;
    const Node& node = graph_.nodes[i];
    const Stretch s = before(i);
    const int previous = this->previous(i);
    const bool is_first =
        previous < 0 || static_cast<size_t>(previous) < starts_[p];
    const int64_t start_ns = start_ns_.at(p);
    Counts counts = counts_of(i, p);
    const bool late = joins_as_worker(i) && counts.had_team;
    if (is_first || late) {
      counts.com_from_ns = std::max(counts.com_from_ns, start_ns);
      counts.comp_from_ns = std::max(counts.comp_from_ns, start_ns);
    }
    ComClocks value;
    if (!is_first) value = nodes_[static_cast<size_t>(previous)];
    if (counts.had_team && (is_first || late)) {
      ComClocks start = nodes_[starts_[p]];
      // The thread may not have existed yet.
      const auto begin = static_cast<size_t>(previous);
      if (s.begin_ns > start_ns && opened_ns(p, begin) == opened_ns(p, i)) {
        start = later(start, open_since(p, begin, start_ns, s.begin_ns));
      }
      value = max(value, start);
    }
    value.com_ns += weight(i, p, counts.com_from_ns);
    value.comp_ns += weight(i, p, counts.comp_from_ns);
    for (const Edge& edge : node.in) {
      if (edge.mpi) {
        value = max(value, given(edge.from));
      } else if (static_cast<size_t>(edge.from) >= starts_[p]) {
        const int64_t ns = open_since(p, i, counts.merged_ns, s.end_ns);
        value = max(value, later(given(edge.from), ns));
      }
    }
    nodes_[i] = value;
  }

  bool joins_as_worker(size_t i) const {
    return action(i).kind == Kind::kImplicitBegin && !action(i).flag;
  }

  Counts counts_of(size_t i, size_t p) const {
    const Action& a = action(i);
    const auto [begin, end, activity] = before(i);
    if (activity == Activity::kUseful || a.kind == Kind::kOwnWork) {
      return {begin, begin, end};
    }
    if (in_mpi(activity)) return {end, comp_of_mpi(a, p, begin, end), end};
    if (a.kind == Kind::kThreadBegin) return {end, end, end, false};
    std::optional<int64_t> came;
    for (const Edge& edge : graph_.nodes[i].in) {
      const int64_t ns = action(static_cast<size_t>(edge.from)).ns;
      if (edge.mpi) continue;
      if (joins_as_worker(i)) {
        const int64_t since = std::max(begin, ns);
        return {since, since, ns, ns <= start_ns_.at(p)};
      }
      if (static_cast<size_t>(edge.from) < starts_[p]) continue;
      came = std::max(came.value_or(ns), ns);
    }
    if (!came) return {begin, begin, end};
    const int64_t since = std::clamp(*came, begin, end);
    return {since, begin, since};
  }

  int64_t comp_of_mpi(const Action& a, size_t p, int64_t begin_ns,
                      int64_t end_ns) const {
    const IntervalSet& outside = graph_.processes[p].serial_mpi;
    const bool is_outside =
        a.thread == 0 && outside.overlap(begin_ns, end_ns) > 0;
    return is_outside ? end_ns : begin_ns;
  }

  int64_t weight(size_t i, size_t p, int64_t from_ns) const {
    const Kind kind = action(i).kind;
    if (kind == Kind::kBarrierEnd || kind == Kind::kParallelEnd) {
      return graph_.processes[p].inside[region_].overlap(from_ns,
                                                         before(i).end_ns);
    }
    return tail(p, i, before(i), from_ns);
  }
  int64_t tail(size_t p, size_t i, const Stretch& s, int64_t from_ns) const {
    const int64_t all =
        graph_.processes[p].inside[region_].overlap(s.begin_ns, s.end_ns);
    return is_open(p, i) ? std::min(all, s.end_ns - from_ns)
                         : std::max<int64_t>(0, all - (from_ns - s.begin_ns));
  }

  // Since when the region is open just before the action changes that.
  std::optional<int64_t> opened_ns(size_t p, size_t i) const {
    const int index = static_cast<int>(i);
    for (const Instance& visit : graph_.processes[p].visits[region_]) {
      if (visit.begin_index < index && index <= visit.end_index) {
        return visit.begin_ns;
      }
    }
    return std::nullopt;
  }
  bool is_open(size_t p, size_t i) const { return opened_ns(p, i).has_value(); }
  // How long it has been open without a break, at most since `from_ns`.
  int64_t open_since(size_t p, size_t i, int64_t from_ns, int64_t to_ns) const {
    const std::optional<int64_t> opened = opened_ns(p, i);
    return opened ? std::max<int64_t>(0, to_ns - std::max(from_ns, *opened))
                  : 0;
  }

  ComOfProcess end_of(size_t p) {
    ComOfProcess ends;
    const ProcessLine& process = graph_.processes[p];
    ends.by_thread = starts_[p] < nodes_.size();
    if (!ends.by_thread) {
      lines_[p].go_to(process.end_ns);
      ends.process = lines_[p].heaviest;
      return ends;
    }
    for (size_t t = 0; t < process.threads.size(); ++t) {
      const ThreadLine& thread = process.threads[t];
      ComClocks& end = ends.threads.emplace_back();
      int last_node = thread.last_node;
      Stretch last = thread.stretches.back();
      if (last_node >= 0 && ends_nothing(static_cast<size_t>(last_node))) {
        last.begin_ns =
            graph_.nodes[static_cast<size_t>(last_node)].before.begin_ns;
        last_node = graph_.nodes[static_cast<size_t>(last_node)].previous;
      }
      if (last_node < 0) continue;
      int64_t ns = process.inside[region_].overlap(last.begin_ns, last.end_ns);
      const bool in_parallel =
          t > 0 || process.in_parallel.overlap(last.begin_ns, last.end_ns) > 0;
      const Action& then = action(static_cast<size_t>(last_node));
      const bool in_team =
          t == 0 || !(then.kind == Kind::kThreadBegin || left_team(then));
      if (static_cast<size_t>(last_node) >= starts_[p]) {
        end = nodes_[static_cast<size_t>(last_node)];
      } else {
        if (in_team) end = nodes_[starts_[p]];
        ns = tail(p, graph_.nodes.size(), last, start_ns_.at(p));
      }
      if (last.activity == Activity::kUseful) {
        end.com_ns += ns;
        end.comp_ns += ns;
      } else if (in_mpi(last.activity)) {
        end.comp_ns += in_parallel ? ns : 0;
      } else if (in_team) {
        end.com_ns += in_parallel ? 0 : ns;
        end.comp_ns += ns;
      }
      end = bounded(end, cue_ends_[p][t], all_ends_[p][t]);
      if (thread.member) ends.process = max(ends.process, end);
    }
    return ends;
  }
  // Whether a worker waits for its next team.
  bool left_team(const Action& last) const {
    if (last.kind == Kind::kBarrierBegin) return joined(last.object);
    return last.kind == Kind::kTaskSwitch && joined(last.other);
  }
  bool joined(int task) const {
    const auto any = [&](auto is) {
      return std::ranges::any_of(graph_.history.actions, is);
    };
    return any([&](const Action& a) {
             return a.kind == Kind::kBarrierBegin && a.flag && a.object == task;
           }) &&
           any([&](const Action& a) {
             return a.kind == Kind::kImplicitBegin && !a.flag &&
                    a.other == task;
           });
  }

  const ExecutionGraph& graph_;
  const size_t region_;
  const std::vector<size_t> starts_;
  std::map<size_t, int64_t> start_ns_;  // by process
  std::vector<ComClocks> nodes_;
  std::vector<int64_t> cue_;
  std::vector<int64_t> all_;
  std::vector<std::vector<int64_t>> cue_ends_;
  std::vector<std::vector<int64_t>> all_ends_;
  std::vector<Line> lines_;
};

}  // namespace

std::vector<ComOfProcess> com_paths(const ExecutionGraph& graph, int region) {
  return ComPaths(graph, region).run();
}

std::vector<size_t> com_starts(const ExecutionGraph& graph) {
  std::vector<size_t> starts(graph.processes.size(), graph.nodes.size());
  const std::vector<bool> alone = teams_of_one(graph.history);
  // How many teams the primary thread is in with others.
  std::vector<int> teams(graph.processes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Action& a = graph.history.actions[i];
    const auto p = static_cast<size_t>(a.process);
    const bool with_others =
        a.thread == 0 && a.object >= 0 &&
        (a.kind == Kind::kParallelBegin || a.kind == Kind::kParallelEnd) &&
        !alone[static_cast<size_t>(a.object)];
    if (with_others) teams[p] += a.kind == Kind::kParallelBegin ? 1 : -1;
    if (a.kind == Kind::kMpiBegin && (a.thread != 0 || teams[p] > 0)) {
      starts[p] = std::min(starts[p], i);
    }
  }
  return starts;
}

}  // namespace poprt::oracle
