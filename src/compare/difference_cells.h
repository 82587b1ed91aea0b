// What the tables of a difference say, in text and in Markdown.
#ifndef POPRT_COMPARE_DIFFERENCE_CELLS_H_
#define POPRT_COMPARE_DIFFERENCE_CELLS_H_

#include <string>
#include <vector>

#include "compare/difference_writers.h"
#include "report/table.h"

namespace poprt {

// A line of a table; times have their units.
struct ShownChange {
  TableCell a;
  TableCell b;
  std::string difference;  // "+9.9", "-11.0 %"; this and the next are empty
  std::string noise;       // where a side is undefined
  std::string verdict;     // "better", "worse"; empty within noise
};
ShownChange shown_change(const Change& change);

// "4x1", "4x1 and 36x1".
std::string name_of(const Pair& pair);

// "Global: POP, % of run time, 4x1"; `region` as it is to be shown.
std::string title_of(const Pair& pair, const std::string& region, Model model);

// In a sentence each: what has no table but has changed, and what only one
// side has.
std::vector<std::string> notes_of(const Comparison& comparison,
                                  const DifferenceOptions& options);

// How noise was judged.
std::string noise_sentence(const std::vector<Pair>& pairs);

}  // namespace poprt

#endif  // POPRT_COMPARE_DIFFERENCE_CELLS_H_
