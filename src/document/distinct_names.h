// Names with too little room: what tells them apart is kept.  Those of C++
// functions often begin and end alike.  web/src/charts/names.ts is the page's.
#ifndef POPRT_DOCUMENT_DISTINCT_NAMES_H_
#define POPRT_DOCUMENT_DISTINCT_NAMES_H_

#include <cstddef>
#include <string>
#include <vector>

namespace poprt {

// Each name at most `width` columns wide, by shortened() if that tells them
// apart; names that differ still do, if need be by a number.
// REQUIRES: printable texts.
std::vector<std::string> distinct_names(const std::vector<std::string>& names,
                                        size_t width);

}  // namespace poprt

#endif  // POPRT_DOCUMENT_DISTINCT_NAMES_H_
