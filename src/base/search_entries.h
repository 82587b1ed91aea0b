// When to look for libraries that were loaded while the program runs.  Who has
// loaded one looks for its functions before it calls them.  The loader may be
// at work on its list of objects whenever a signal handler runs, so what a
// handler may call (open()) must not look at that list; it may not call
// dlsym().
#ifndef POPRT_BASE_SEARCH_ENTRIES_H_
#define POPRT_BASE_SEARCH_ENTRIES_H_

#include <vector>

#include "base/entry_slots.h"

namespace poprt {

// dlsym() and dlvsym(), which call all that was given to before_searches().
// The same for all EntrySlots: they stand in a slot once.
std::vector<Entry> search_entries();

// At most four.
void before_searches(void (*reach_new_objects)());

// Calls them: the program searches.
void reach_searched_objects();

}  // namespace poprt

#endif  // POPRT_BASE_SEARCH_ENTRIES_H_
