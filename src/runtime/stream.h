// Writing to files that are somebody else's: the program's stderr, a pipe that
// nobody may read.
#ifndef POPRT_RUNTIME_STREAM_H_
#define POPRT_RUNTIME_STREAM_H_

#include <csignal>
#include <cstdint>
#include <string_view>

namespace poprt {

// In its scope, what the kernel refuses to write for the calling thread is an
// error like any other: no signal of a pipe without a reader, of a file at its
// largest size, or of a terminal that belongs to other processes reaches the
// program.  Leaves errno as it was.
class NoWriteSignals {
 public:
  NoWriteSignals();
  ~NoWriteSignals();
  NoWriteSignals(const NoWriteSignals&) = delete;
  NoWriteSignals& operator=(const NoWriteSignals&) = delete;

 private:
  sigset_t blocked_;
  sigset_t before_;
  sigset_t pending_;
};

// Never ends.
inline constexpr int64_t kForever = INT64_MAX;

// Writes `text` to the open `file`, and returns how many bytes it has taken;
// where not all, errno says why.  Waits for readers only as long as
// `patience_ns` lasts (then errno is ETIMEDOUT), and takes that time from it:
// pipes, sockets and terminals, also those on which write() itself would wait.
// Raises no signal.
size_t write_stream(int file, std::string_view text, int64_t* patience_ns);

}  // namespace poprt

#endif  // POPRT_RUNTIME_STREAM_H_
