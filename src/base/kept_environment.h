// The process' environment as it was at the start.
//
// A program may overwrite the memory of its environment, to change its title in
// lists of processes, or give it back, and then end: what is asked for at the
// end of the run is answered from a copy.  The copy is made when the library is
// loaded, and once more when the program first calls it, because a program may
// set variables for it until then.  In a program that makes none, as the
// command, all functions answer from the environment itself.
//
// Reading is thread-safe and async-signal-safe.
#ifndef POPRT_BASE_KEPT_ENVIRONMENT_H_
#define POPRT_BASE_KEPT_ENVIRONMENT_H_

namespace poprt {

// Makes the copy.  REQUIRES: no other thread changes the environment.
void keep_environment();

// All variables, "NAME=VALUE", with a null at the end; never null itself.
const char* const* kept_environment();

// The value of a variable, as getenv() returns it: null for none.
const char* kept_variable(const char* name);

}  // namespace poprt

#endif  // POPRT_BASE_KEPT_ENVIRONMENT_H_
