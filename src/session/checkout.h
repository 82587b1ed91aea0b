// Which commit of git a folder is a checkout of, as git's files tell.
#ifndef POPRT_SESSION_CHECKOUT_H_
#define POPRT_SESSION_CHECKOUT_H_

#include <string>

#include "model/job.h"

namespace poprt {

// Of the folder, or of the nearest one above it that is a checkout; empty
// where there is none.  Starts no program.
Checkout checkout_of(std::string folder);

}  // namespace poprt

#endif  // POPRT_SESSION_CHECKOUT_H_
