// What a run with POPRT_PATH knows of its longest path: what it is made of, and
// how long it would be without some regions.
#ifndef POPRT_MODEL_LONGEST_PATH_H_
#define POPRT_MODEL_LONGEST_PATH_H_

#include <cstdint>
#include <string>
#include <vector>

namespace poprt {

// A part of the path.  `what`: useful time, where `region` was the innermost
// one (empty: the program, outside of all), time in MPI or in OpenMP that is no
// wait for a late partner, or what had no room in the list.  Time in OpenMP may
// be told apart by construct and place.
struct PathShare {
  static constexpr char kUseful[] = "useful";
  static constexpr char kMpi[] = "mpi";
  static constexpr char kOpenMp[] = "openmp";
  static constexpr char kOthers[] = "others";
  static constexpr int64_t kSeveralRanks = -1;

  std::string what;
  std::string region;
  // Of the region or construct, until its name is known; 0: of none.
  uint64_t key = 0;
  int64_t rank = kSeveralRanks;
  int64_t ns = 0;
  std::string construct = "";  // "barrier"; empty: all, or it is in none
  std::string module = "";     // file of the construct's code
  uint64_t offset = 0;         // return address in it
  std::string location = "";   // "solver.c:123 (solve)"
};

// The run time if the useful time in a region were 0.
struct WithoutRegion {
  std::string region;
  int64_t run_ns = 0;
};

struct LongestPath {
  int64_t length_ns = 0;  // 0: it was not followed
  std::vector<PathShare> parts;
  std::vector<WithoutRegion> without;
  // Files with constructs, sorted: of these the keys of parts have only marks.
  std::vector<std::string> modules = {};
};

struct RegionTotals;

// Of two processes: the parts of the longer path, and the longest paths without
// each region.  Associative and commutative.
LongestPath combine(LongestPath a, const LongestPath& b);

// In a run of one process each part is of its rank, also where there was no
// room for telling ranks apart.
void give_only_rank(LongestPath* path);

// Of a whole job, whose longest path is as long as G-ALL of Global, `all_ns`.
// Where a thread that calls MPI has ended, its clock may be ahead of the path
// by what a thread takes to wake up that waits for the end: that is others.
void reach(int64_t all_ns, LongestPath* path);

// Gives the parts the names of their regions and constructs, and sorts them,
// the largest first.  Parts without a name belong to the others.
void name_parts(const std::vector<RegionTotals>& regions, LongestPath* path);

}  // namespace poprt

#endif  // POPRT_MODEL_LONGEST_PATH_H_
