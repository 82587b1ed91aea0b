// Sanitizers make tests ten times as slow, and are not there to find rare
// cases: of many random cases such a build takes one in kShare.
#ifndef POPRT_TESTS_SHARE_OF_CASES_H_
#define POPRT_TESTS_SHARE_OF_CASES_H_

namespace poprt {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr unsigned kShare = 10;
#else
inline constexpr unsigned kShare = 1;
#endif

}  // namespace poprt

#endif  // POPRT_TESTS_SHARE_OF_CASES_H_
