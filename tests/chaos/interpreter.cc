// Executes the MPI program that a script (generator.py) has for its rank, and
// writes down what happened: when each call began and ended, which message
// came to which receive, which requests a call completed.  Nothing is
// communicated but what the script says; the trace is kept in memory and
// written when MPI is over.
//
// Prints one line for each process, the checksum of all data received, which
// does not depend on who got which message; exit status 1 if any data, status
// or count was wrong.
//
// usage: interpreter SCRIPT TRACE|- SLEEP_PERCENT
//   TRACE.<rank> becomes the trace, TRACE.<rank>.at says which line of the
//   script is being executed, also when the program hangs.
#include "interpreter.h"

#include <fcntl.h>
#include <poprt.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace chaos {
namespace {

void op_work(Arguments a) {
  const double us = a.next() * g_sleep_scale;
  nap(static_cast<int64_t>(us));
}

Functions functions() {
  Functions all = {{"work", op_work}};
  add_messages(&all);
  add_completion(&all);
  add_communicators(&all);
  add_collectives(&all);
  return all;
}

struct Step {
  const Line* line;
  const Function* function;  // null: a region's begin or end
};

// The lines of one rank: those behind "rank <rank>".
std::vector<Line> read_script(const char* path, int rank) {
  std::ifstream file(path);
  std::vector<Line> lines;
  std::string text;
  bool mine = false;
  for (int number = 1; std::getline(file, text); ++number) {
    std::istringstream words(text);
    Line line;
    line.number = number;
    if (!(words >> line.name)) continue;
    if (line.name == "rank") {
      int of = -1;
      words >> of;
      mine = of == rank;
      continue;
    }
    if (!mine) continue;
    if (line.name == "open" || line.name == "close") words >> line.text;
    for (int word; words >> word;) line.args.push_back(word);
    lines.push_back(line);
  }
  return lines;
}

void map_position(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || ftruncate(file, sizeof(int32_t)) != 0) return;
  void* const memory = mmap(nullptr, sizeof(int32_t), PROT_READ | PROT_WRITE,
                            MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) g_at = static_cast<int32_t*>(memory);
}

int interpret(int argc, char** argv) {
  if (argc != 4) return 2;
  g_records.reserve(1 << 16);
  g_entries.reserve(1 << 16);
  const Functions all = functions();
  constexpr int kAttached = 16 << 20;
  std::vector<char> attached(kAttached + MPI_BSEND_OVERHEAD);
  MPI_Init(&argc, &argv);
  const int64_t begin = now();
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  g_records.push_back({0, begin, begin, 0});
  const std::string trace = argv[2];
  const std::string suffix = "." + std::to_string(g_rank);
  g_sleep_scale = std::atof(argv[3]) / 100;
  if (trace != "-") map_position(trace + suffix + ".at");
  const std::vector<Line> lines = read_script(argv[1], g_rank);
  std::vector<Step> steps;
  for (const Line& line : lines) {
    const auto found = all.find(line.name);
    steps.push_back({&line, found == all.end() ? nullptr : &found->second});
    if (found == all.end() && line.text.empty()) {
      std::fprintf(stderr, "line %d: what is %s?\n", line.number,
                   line.name.c_str());
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
  }
  add_comm(0, MPI_COMM_WORLD);
  MPI_Buffer_attach(attached.data(), static_cast<int>(attached.size()));
  for (const Step& step : steps) {
    g_line = step.line->number;
    *g_at = g_line;
    if (step.function != nullptr) {
      (*step.function)(Arguments(step.line->args));
      continue;
    }
    const bool opens = step.line->name == "open";
    const char* const name = step.line->text.c_str();
    timed([&] { opens ? pop_region_start(name) : pop_region_stop(name); });
    note(opens ? kOpens : kCloses, 0);
  }
  void* buffer_address = nullptr;
  int buffer_size = 0;
  timed([&] { MPI_Buffer_detach(&buffer_address, &buffer_size); });
  const int64_t end = now();
  g_records.push_back({0, end, end, g_entries.size()});
  MPI_Finalize();
  std::printf("rank %d: %lld\n", g_rank, static_cast<long long>(g_checksum));
  if (trace != "-") write_trace(trace + suffix);
  return g_errors == 0 ? 0 : 1;
}

}  // namespace
}  // namespace chaos

int main(int argc, char** argv) { return chaos::interpret(argc, argv); }
