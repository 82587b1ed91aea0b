// Which regions are measured: POPRT_REGIONS.
#ifndef POPRT_RUNTIME_REGION_SELECTION_H_
#define POPRT_RUNTIME_REGION_SELECTION_H_

#include <string>
#include <string_view>
#include <vector>

namespace poprt {

// A region is selected that one of the patterns to include matches, or all
// where there is none, and no pattern to exclude; their order is of no
// importance.  In a pattern `*` is any text and `?` any one byte.
class RegionSelection {
 public:
  // Adds "include:PATTERN", "exclude:PATTERN", or "PATTERN", which includes.
  // False, and nothing is added: it says something else.
  bool add(std::string_view word);

  bool selects(std::string_view name) const;
  bool selects_all() const { return include_.empty() && exclude_.empty(); }

 private:
  std::vector<std::string> include_;
  std::vector<std::string> exclude_;
};

}  // namespace poprt

#endif  // POPRT_RUNTIME_REGION_SELECTION_H_
