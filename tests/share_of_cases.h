// The tests run once more in other builds (sanitizers, another compiler), which
// are slow and not there to find rare cases: of many cases they take one in
// kShare.
#ifndef POPRT_TESTS_SHARE_OF_CASES_H_
#define POPRT_TESTS_SHARE_OF_CASES_H_

namespace poprt {

#ifdef POPRT_OTHER_BUILD
inline constexpr unsigned kShare = 10;
#else
inline constexpr unsigned kShare = 1;
#endif

}  // namespace poprt

#endif  // POPRT_TESTS_SHARE_OF_CASES_H_
