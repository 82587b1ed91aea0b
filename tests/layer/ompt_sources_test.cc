// The programs of tests/sources/shapes.txt, performed exactly: their useful
// times and longest paths, and what their parallel regions lose by source, in
// all, by user region and by parallel region.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "code_places/code_address.h"
#include "layer/fake_openmp.h"
#include "measure/process.h"
#include "model/quantities.h"

namespace poprt {
namespace {

constexpr int64_t kUnitNs = 1'000'000;
constexpr int64_t kRoundedNs = 200;

// Losses by source, in ns.
struct Losses {
  static constexpr int kCount = 5;
  static constexpr const char* kNames[kCount] = {
      "imbalance", "MPI inside", "serialised", "scheduling", "not started"};
  double ns[kCount] = {};
  double within_ns = 0;

  void add(const Losses& other) {
    for (int i = 0; i < kCount; ++i) ns[i] += other.ns[i];
  }
  void expect(const Losses& wanted) const {
    for (int i = 0; i < kCount; ++i) {
      EXPECT_NEAR(wanted.ns[i], ns[i], kRoundedNs + wanted.within_ns)
          << kNames[i];
    }
  }
};

Losses losses_of(int64_t all_ns, int64_t mpi_ns, int64_t serialised_ns,
                 int64_t scheduling_ns, int64_t not_started_ns) {
  const int64_t imbalance_ns =
      all_ns - mpi_ns - serialised_ns - scheduling_ns - not_started_ns;
  return {{double(imbalance_ns), double(mpi_ns), double(serialised_ns),
           double(scheduling_ns), double(not_started_ns)}};
}

Losses losses_of(const RegionTotals& t) {
  return losses_of(t.openmp_weighted_ns - (t.useful_sum_ns - t.serial_sum_ns),
                   amount(t, kMpiInside) + amount(t, kOpenMpMpiInside),
                   amount(t, kOpenMpSerialised), amount(t, kOpenMpScheduling),
                   amount(t, kOpenMpNotStarted));
}

struct ShapeEvent {
  int rank = 0;
  int thread = 0;
  int64_t ns = 0;
  std::string what;
  std::vector<std::string> arguments;

  int number(size_t i) const { return std::stoi(arguments[i]); }
};

struct Shape {
  std::string name;
  std::vector<int> threads;  // by rank
  std::vector<ShapeEvent> events;
  std::vector<int64_t> useful_ns;  // by rank
  int64_t cue_ns = -1;             // of a program of one rank
  Losses lost;
  std::map<std::string, Losses> regions, parallel;
  // By rank, thread and region.
  std::map<std::tuple<int, int, std::string>, Losses> of_threads;

  bool has_tasks() const {
    return std::any_of(events.begin(), events.end(),
                       [](const ShapeEvent& e) { return e.what == "run"; });
  }
};

Losses read_losses(std::istringstream& line) {
  Losses losses;
  for (double& ns : losses.ns) {
    line >> ns;
    ns *= kUnitNs;
  }
  if (line >> losses.within_ns) losses.within_ns *= kUnitNs;
  return losses;
}

std::vector<Shape> read_shapes(const char* path) {
  std::vector<Shape> shapes;
  std::ifstream file(path);
  std::string text;
  while (std::getline(file, text)) {
    std::istringstream line(text);
    std::string kind, name;
    line >> kind;
    if (kind == "shape") {
      Shape& shape = shapes.emplace_back();
      line >> shape.name;
      for (int threads; line >> threads;) shape.threads.push_back(threads);
    } else if (kind == "event") {
      ShapeEvent& event = shapes.back().events.emplace_back();
      double at = 0;
      line >> event.rank >> event.thread >> at >> event.what;
      event.ns = static_cast<int64_t>(at * kUnitNs);
      for (std::string a; line >> a;) event.arguments.push_back(a);
    } else if (kind == "useful") {
      for (double useful; line >> useful;) {
        shapes.back().useful_ns.push_back(
            static_cast<int64_t>(useful * kUnitNs));
      }
    } else if (kind == "cue") {
      double cue = 0;
      line >> cue;
      shapes.back().cue_ns = static_cast<int64_t>(cue * kUnitNs);
    } else if (kind == "lost") {
      shapes.back().lost = read_losses(line);
    } else if (kind == "region") {
      line >> name;
      shapes.back().regions[name] = read_losses(line);
    } else if (kind == "parallel") {
      line >> name;
      shapes.back().parallel[name] = read_losses(line);
    } else if (kind == "thread") {
      int rank = 0, thread = 0;
      line >> rank >> thread >> name;
      shapes.back().of_threads[{rank, thread, name}] = read_losses(line);
    }
  }
  return shapes;
}

// Where the parallel regions are, by name.
const char g_places[64] = {};
std::map<std::string, const void*> g_named;
const void* place_of(const std::string& name) {
  const void*& place = g_named[name];
  if (place == nullptr) place = &g_places[g_named.size()];
  return place;
}

// One rank of a shape: its threads make the calls that a runtime makes.
class Performer {
 public:
  Performer(int threads, bool has_tasks, bool thread_rows,
            const WindowSpec& windows)
      : has_tasks_(has_tasks), omp_({}, {}, thread_rows, windows) {
    // The process has all its threads, though the program may use fewer.
    Data region{};
    std::deque<Data> tasks;
    omp_.at(0, 0).parallel_begin(omp_.initial, region);
    for (int i = 0; i < threads; ++i) {
      omp_.at(i, 0);
      if (i > 0) omp_.thread_begin(ompt_thread_worker);
      omp_.implicit_begin(&region, tasks.emplace_back(), unsigned(i),
                          ompt_task_implicit, unsigned(threads));
    }
    for (int i = threads; i-- > 0;) omp_.at(i, 0).join_begin(region, tasks[i]);
    omp_.at(0, 0).primary_end(region, tasks[0], omp_.initial);
    for (int i = 1; i < threads; ++i) {
      omp_.at(i, 0).worker_late_end(tasks[i], unsigned(i));
    }
    threads_[0].push_back({&omp_.initial, nullptr, 0});
  }

  void perform(const ShapeEvent& e) {
    now_ns_ = e.ns;
    omp_.at(e.thread, e.ns);
    std::vector<Place>& places = threads_[e.thread];
    Thread* const thread = omp_.thread(e.thread);
    if (e.what == "fork") {
      Region& region = regions_[e.number(0)];
      region.size = e.number(2);
      omp_.parallel_begin(*places.back().task, region.data,
                          place_of(e.arguments[1]));
    } else if (e.what == "implicit") {
      Region& region = regions_[e.number(0)];
      if (e.number(1) != 0) end_late(places);
      places.push_back({&tasks_.emplace_back(), &region, e.number(1)});
      omp_.implicit_begin(&region.data, *places.back().task,
                          unsigned(e.number(1)), ompt_task_implicit,
                          unsigned(region.size));
    } else if (e.what == "join") {
      Region& region = *places.back().region;
      // One thread has nobody to join.
      if (region.size == 1 && !has_tasks_) {
        omp_.implicit_end(*places.back().task, 0);
      } else {
        omp_.join_begin(region.data, *places.back().task);
      }
      places.back().joined = true;
    } else if (e.what == "end") {
      end(places);
    } else if (e.what == "barrier" || e.what == "barrier_end") {
      omp_.sync(ompt_sync_region_barrier_explicit, endpoint(e.what),
                &places.back().region->data, *places.back().task);
    } else if (e.what == "taskwait" || e.what == "taskwait_end") {
      omp_.sync(ompt_sync_region_taskwait, endpoint(e.what),
                &places.back().region->data, *places.back().task);
    } else if (e.what == "single" || e.what == "single_end") {
      omp_.work(ompt_work_single_executor, endpoint(e.what),
                &places.back().region->data, *places.back().task, 1);
    } else if (e.what == "masked" || e.what == "masked_end") {
      omp_.masked(endpoint(e.what), &places.back().region->data,
                  *places.back().task);
    } else if (e.what == "create") {
      create(*places.back().task, e);
    } else if (e.what == "run") {
      Data* const task = &explicit_[e.number(0)];
      omp_.schedule(places.back().task, ompt_task_switch, task);
      places.push_back({task, places.back().region, 0});
    } else if (e.what == "done") {
      Data* const task = places.back().task;
      places.pop_back();
      omp_.schedule(task, ompt_task_complete, places.back().task);
    } else if (e.what == "acquire" || e.what == "ask_turn") {
      locks_.insert(lock(e));
      omp_.acquire(kind(e.what), lock(e));
    } else if (e.what == "acquired" || e.what == "turn") {
      omp_.acquired(kind(e.what), lock(e));
    } else if (e.what == "released" || e.what == "turn_over") {
      omp_.released(kind(e.what), lock(e));
    } else if (e.what == "start") {
      // In the model a region is open or not, however often it was begun.
      if (!open_.insert(e.arguments[0]).second) return;
      thread->book(e.ns);
      thread->process().region_start(*thread, e.arguments[0]);
    } else if (e.what == "stop") {
      if (open_.erase(e.arguments[0]) == 0) return;
      thread->book(e.ns);
      thread->process().region_stop(*thread, e.arguments[0]);
    } else if (e.what == "send") {
      thread->switch_to(State::kMpi, e.ns);
      thread->switch_to(State::kUseful, e.ns);
    } else if (e.what == "runtime") {
      thread->switch_to(State::kOmp, e.ns);
    } else if (e.what == "mpi" || e.what == "recv" || e.what == "mbar" ||
               e.what == "finalize") {
      thread->switch_to(State::kMpi, e.ns);
    } else if (e.what == "useful" || e.what == "mpi_end" ||
               e.what == "recv_end" || e.what == "mbar_end") {
      thread->switch_to(State::kUseful, e.ns);
    } else {
      ADD_FAILURE() << "no such event: " << e.what;
    }
  }

  JobTotals totals() {
    for (auto& [number, places] : threads_) {
      omp_.at(number, now_ns_);
      end_late(places);
    }
    // Another program may have some of the same name.
    for (const uint64_t lock : locks_) omp_.lock_destroy(lock);
    return omp_.job(now_ns_);
  }

 private:
  struct Region {
    Data data{};
    int size = 0;
  };
  struct Place {  // a task that the thread is in
    Data* task;
    Region* region;
    int index;
    bool joined = false;
  };

  static int endpoint(const std::string& what) {
    return what.ends_with("_end") ? ompt_scope_end : ompt_scope_begin;
  }
  static ompt_mutex_t kind(const std::string& what) {
    return what.find("turn") == std::string::npos ? ompt_mutex_critical
                                                  : ompt_mutex_ordered;
  }
  static uint64_t address(const std::string& name) {
    return 0x1000 + 16 * (std::hash<std::string>()(name) % 0x10000);
  }
  static uint64_t lock(const ShapeEvent& e) {
    return address(e.arguments[0]) + 8 * (kind(e.what) == ompt_mutex_ordered);
  }
  // A task with its name, if it has one, and those that it comes after.
  void create(Data& parent, const ShapeEvent& e) {
    Data& task = explicit_[e.number(0)];
    omp_.task_create(parent, task);
    if (e.arguments[1] == "-") return;
    std::vector<std::pair<int, uint64_t>> of;
    for (size_t i = 1; i < e.arguments.size(); ++i) {
      of.emplace_back(
          i == 1 ? ompt_dependence_type_out : ompt_dependence_type_in,
          address(e.arguments[i]));
    }
    omp_.dependences(task, of);
  }
  void end(std::vector<Place>& places) {
    const Place own = places.back();
    places.pop_back();
    if (own.region->size > 1 || has_tasks_) {
      return omp_.primary_end(own.region->data, *own.task, *places.back().task);
    }
    omp_.parallel_end(own.region->data, *places.back().task);
  }
  // A worker hears that its part is over when it begins the next one.
  void end_late(std::vector<Place>& places) {
    if (places.empty() || !places.back().joined) return;
    omp_.worker_late_end(*places.back().task, unsigned(places.back().index));
    places.pop_back();
  }

  const bool has_tasks_;
  FakeOpenMp omp_;
  int64_t now_ns_ = 0;
  std::map<int, Region> regions_;
  std::map<int, Data> explicit_;
  std::deque<Data> tasks_;
  std::set<std::string> open_;
  std::set<uint64_t> locks_;
  std::map<int, std::vector<Place>> threads_;
};

// The rows of a process: what each thread loses, together what the process
// does.
void check_rows(const Shape& shape, int rank, const RegionTotals& region) {
  ASSERT_EQ(size_t(shape.threads[size_t(rank)]), region.thread_rows.size());
  Losses all;
  for (const ThreadRow& row : region.thread_rows) {
    SCOPED_TRACE("thread " + std::to_string(row.thread));
    const Losses own = {{double(row.openmp_imbalance_ns),
                         double(row.mpi_inside_ns + row.openmp_mpi_inside_ns),
                         double(row.openmp_serialised_ns),
                         double(row.openmp_scheduling_ns),
                         double(row.openmp_not_started_ns)}};
    own.expect(shape.of_threads.at({rank, int(row.thread), region.name}));
    all.add(own);
  }
  // In which of the program's regions threads were in inner teams need not be
  // known.
  Losses process = losses_of(region);
  const auto own = shape.regions.find(region.name);
  if (own != shape.regions.end()) process.within_ns = own->second.within_ns;
  all.expect(process);
}

// Windows have what the program has, whatever they cut, and no less than
// nothing.
void expect_windows_add_up(const JobTotals& job) {
  const auto global =
      std::ranges::find(job.regions, "Global", &RegionTotals::name);
  ASSERT_NE(job.regions.end(), global);
  for (const Quantity* source :
       {&kMpiInside, &kOpenMpMpiInside, &kOpenMpSerialised, &kOpenMpScheduling,
        &kOpenMpNotStarted}) {
    int64_t sum_ns = 0;
    for (const RegionTotals& window : job.windows) {
      EXPECT_LE(0, amount(window, *source)) << source->name;
      sum_ns += amount(window, *source);
    }
    EXPECT_EQ(amount(*global, *source), sum_ns) << source->name;
  }
  for (const RegionTotals& window : job.windows) {
    for (const double ns : losses_of(window).ns) EXPECT_LE(0, ns);
  }
}

const RegionTotals& global_of(const JobTotals& job) {
  return *std::ranges::find(job.regions, "Global", &RegionTotals::name);
}

void check(const Shape& shape, bool thread_rows, const WindowSpec& windows) {
  Losses lost;
  std::map<std::string, Losses> regions, parallel;
  for (size_t rank = 0; rank < shape.threads.size(); ++rank) {
    Performer performer(shape.threads[rank], shape.has_tasks(), thread_rows,
                        windows);
    for (const ShapeEvent& event : shape.events) {
      if (event.rank == int(rank)) performer.perform(event);
    }
    const JobTotals job = performer.totals();
    if (!job.windows.empty()) expect_windows_add_up(job);
    EXPECT_EQ(shape.useful_ns.at(rank), global_of(job).useful_sum_ns);
    if (shape.cue_ns >= 0) {
      EXPECT_EQ(shape.cue_ns, global_of(job).cue_ns);
    }
    for (const RegionTotals& region : job.regions) {
      (region.name == "Global" ? lost : regions[region.name])
          .add(losses_of(region));
      SCOPED_TRACE("rank " + std::to_string(rank) + " " + region.name);
      if (thread_rows) check_rows(shape, int(rank), region);
    }
    for (const auto& [name, place] : g_named) {
      const CodeAddress address = code_address(place);
      for (const ConstructTotals& c : job.constructs) {
        if (!c.region.empty() || c.module != address.module ||
            c.offset != address.offset) {
          continue;
        }
        parallel[name].add(
            losses_of(c.weighted_ns - c.useful_ns, c.mpi_ns + c.mpi_inside_ns,
                      c.serialised_ns, c.all_idle_ns, c.not_started_ns));
      }
    }
  }
  lost.expect(shape.lost);
  for (const auto& [name, wanted] : shape.regions) {
    SCOPED_TRACE("region " + name);
    regions[name].expect(wanted);
  }
  for (const auto& [name, wanted] : shape.parallel) {
    SCOPED_TRACE("parallel region " + name);
    parallel[name].expect(wanted);
  }
}

void check_all(const char* path, size_t least, bool thread_rows = false,
               const WindowSpec& windows = {}) {
  const std::vector<Shape> shapes = read_shapes(path);
  EXPECT_LE(least, shapes.size());
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape.name);
    check(shape, thread_rows, windows);
  }
}

TEST(OmptSources, OfAllShapes) { check_all(POPRT_SHAPES "shapes.events", 66); }

TEST(OmptSources, OfAllShapesByThread) {
  check_all(POPRT_SHAPES "shapes.events", 66, true);
}

// As tests/sources/random_programs.py makes them.
void check_random(bool thread_rows, const WindowSpec& windows = {}) {
  const char* const more = std::getenv("TEST_EVENTS");
  check_all(more != nullptr ? more : POPRT_SHAPES "random.events", 1,
            thread_rows, windows);
}
TEST(OmptSources, OfRandomPrograms) { check_random(false); }
TEST(OmptSources, OfRandomProgramsByThread) { check_random(true); }

// The program loses the same with windows, which cut nearly all intervals.
TEST(OmptSources, OfWindowsAddUpToTheProgram) {
  for (const int64_t length : {37 * kUnitNs, 150 * kUnitNs}) {
    SCOPED_TRACE("windows of " + std::to_string(length) + " ns");
    check_all(POPRT_SHAPES "shapes.events", 66, true, {"", 0, length});
    check_random(true, {"", 0, length});
  }
}

// The worker comes to the join at 48, but hears of the window that another
// thread has begun: at 50, which is after the primary thread has left.
TEST(OmptSources, OfAWindowThatBeginsMeanwhileAddUp) {
  FakeOpenMp omp({}, {}, false, {"", 0, 50});
  Data region{}, a{}, b{};
  omp.at(0, 10).parallel_begin(omp.initial, region, place_of("a"));
  omp.at(0, 10).implicit_begin(&region, a, 0);
  omp.at(1, 10).thread_begin(ompt_thread_worker);
  omp.at(1, 30).implicit_begin(&region, b, 1);
  omp.at(0, 20).join_begin(region, a);
  measured_process().add_thread(ThreadKind::kForeign, 52);
  omp.at(1, 48).join_begin(region, b);
  omp.at(0, 49).primary_end(region, a, omp.initial);
  omp.at(1, 60).worker_late_end(b, 1);
  const JobTotals job = omp.job(80);
  expect_windows_add_up(job);
  ASSERT_EQ(1u, job.constructs.size());
  const RegionTotals& global = job.regions[0];
  EXPECT_EQ(amount(global, kOpenMpNotStarted),
            job.constructs[0].not_started_ns);
  EXPECT_EQ(amount(global, kOpenMpScheduling), job.constructs[0].all_idle_ns);
}

// A worker of an inner team of LLVM's may be elsewhere before the end of the
// team is told.
TEST(OmptSources, OfAThreadThatHasGoneOnAreStillTheProgram) {
  FakeOpenMp omp({}, {}, false, {"", 0, 50});
  Data region{}, a{}, b{};
  omp.at(0, 10).parallel_begin(omp.initial, region, place_of("a"));
  omp.at(0, 10).implicit_begin(&region, a, 0);
  omp.at(1, 10).thread_begin(ompt_thread_worker);
  omp.at(1, 10).implicit_begin(&region, b, 1);
  omp.at(0, 10).work(ompt_work_single_executor, ompt_scope_begin, &region, a,
                     1);
  omp.at(1, 30).join_begin(region, b);
  omp.at(0, 60).work(ompt_work_single_executor, ompt_scope_end, &region, a, 1);
  omp.at(0, 60).join_begin(region, a);
  omp.at(1, 58).worker_late_end(b, 1);
  omp.thread(1)->book(59);
  omp.at(0, 60).primary_end(region, a, omp.initial);
  const JobTotals job = omp.job(80);
  expect_windows_add_up(job);
  EXPECT_EQ(30, amount(job.regions[0], kOpenMpSerialised));
}

}  // namespace
}  // namespace poprt
