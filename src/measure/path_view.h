// What a thread knows of its process's regions, for the longest path.
#ifndef POPRT_MEASURE_PATH_VIEW_H_
#define POPRT_MEASURE_PATH_VIEW_H_

#include <cstdint>
#include <vector>

#include "clocks/path_note.h"
#include "measure/path_regions.h"

namespace poprt {

struct PathView {
  // Slots; -1: there is none yet.
  int global = -1;
  int left_out[PathNote::kMostWithout] = {-1, -1, -1, -1};
  int innermost = PathRegions::kNone;
  bool is_global_open = false;
  std::vector<int64_t> words;  // of PathRegions, at the last event
};

}  // namespace poprt

#endif  // POPRT_MEASURE_PATH_VIEW_H_
