// CounterSource: counters of the processor or of the kernel, which run for each
// thread and are read at its events.  A measuring module implements it
// (src/modules), and Process::count_with() makes it the process's source.
#ifndef POPRT_MEASURE_COUNTERS_H_
#define POPRT_MEASURE_COUNTERS_H_

#include <cstdint>

namespace poprt {

class CounterSource {
 public:
  // As many counters as a source may have.
  static constexpr int kMost = 16;

  virtual int size() const = 0;
  // The name of counter `i` in reports and run files: "PAPI_TOT_INS".
  // Lives as long as the process.
  virtual const char* name(int i) const = 0;

  // Starts the counters of the calling thread.  Null: they cannot run, and the
  // thread counts nothing.
  virtual void* begin() = 0;
  // Stops them and frees what begin() has made.  Called by the same thread.
  virtual void end(void* counters) = 0;
  // The values since begin(), size() of them, of the calling thread.  False:
  // they cannot be read, and `values` is undefined.
  virtual bool read(void* counters, int64_t* values) = 0;

 protected:
  ~CounterSource() = default;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_COUNTERS_H_
