// What a page shows, as JSON.  web/src/data.ts has the types that read it.
#ifndef POPRT_PAGE_PAGE_DATA_H_
#define POPRT_PAGE_PAGE_DATA_H_

#include <string>

#include "page/page.h"

namespace poprt {

// Text of JSON.  As values, all runs together would take ten times as much.
std::string page_data(const Page& page);

}  // namespace poprt

#endif  // POPRT_PAGE_PAGE_DATA_H_
