// The floating-point environment of the thread.  A program may have set traps
// (OpenFOAM does, and gfortran's -ffpe-trap), another rounding mode or flush to
// zero, with which a quotient of nothing by nothing in the report would end it.
#ifndef POPRT_BASE_FLOAT_ENVIRONMENT_H_
#define POPRT_BASE_FLOAT_ENVIRONMENT_H_

#include <cfenv>

namespace poprt {

// While it lives the calling thread has the default environment of C: no traps,
// rounding to nearest.  Then it has the program's again, without exception
// flags of ours.
class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment() {
    std::fegetenv(&programs_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatEnvironment() { std::fesetenv(&programs_); }
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

 private:
  std::fenv_t programs_;
};

}  // namespace poprt

#endif  // POPRT_BASE_FLOAT_ENVIRONMENT_H_
