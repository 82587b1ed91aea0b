// The regions to measure: POPRT_REGIONS.
#ifndef POPRT_BASE_REGION_SELECTION_H_
#define POPRT_BASE_REGION_SELECTION_H_

#include <string>
#include <string_view>
#include <vector>

namespace poprt {

// A region is selected if a pattern to include matches it, or if there is none,
// and no pattern to exclude matches it.  The order of patterns does not matter.
// `*` matches any text, `?` any one byte.
class RegionSelection {
 public:
  // Adds "include:PATTERN", "exclude:PATTERN", or "PATTERN", which means
  // include.  False if the word is none of these; then nothing is added.
  bool add(std::string_view word);

  bool selects(std::string_view name) const;
  bool selects_all() const { return include_.empty() && exclude_.empty(); }
  // The patterns to include that match none of the names.
  std::vector<std::string> unmatched(
      const std::vector<std::string>& names) const;

 private:
  std::vector<std::string> include_;
  std::vector<std::string> exclude_;
};

}  // namespace poprt

#endif  // POPRT_BASE_REGION_SELECTION_H_
