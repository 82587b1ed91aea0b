// What POPRT_PATH asks for.
#ifndef POPRT_BASE_PATH_CHOICE_H_
#define POPRT_BASE_PATH_CHOICE_H_

#include <string>
#include <vector>

namespace poprt {

struct PathChoice {
  // A clock of the longest path without waiting in MPI (G-COOW).
  bool waiting = false;
  // What the longest path is made of: by region and process, or by process
  // only.
  bool regions = false;
  bool ranks = false;
  // Time in OpenMP by construct and place, too.
  bool constructs = false;
  // Regions, each with a clock in which its useful time weighs nothing.
  static constexpr size_t kMostWithout = 4;
  std::vector<std::string> without;

  bool composition() const { return regions || ranks || constructs; }
  // Whether threads follow more of the path than clocks of regions.
  bool followed() const { return composition() || !without.empty(); }
};

}  // namespace poprt

#endif  // POPRT_BASE_PATH_CHOICE_H_
