// Rounds shares of a whole so that they add up.
#ifndef POPRT_DOCUMENT_APPORTION_H_
#define POPRT_DOCUMENT_APPORTION_H_

#include <vector>

namespace poprt {

// Whole numbers that add up to `total`, in proportion to the shares, if the
// shares add up to 1.  The first one is rounded normally, because it is shown
// elsewhere too.
std::vector<int> apportioned(const std::vector<double>& shares, int total);

}  // namespace poprt

#endif  // POPRT_DOCUMENT_APPORTION_H_
