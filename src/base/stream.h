// Writes to files that belong to the program or to others: its stderr, a pipe
// without a reader.
#ifndef POPRT_BASE_STREAM_H_
#define POPRT_BASE_STREAM_H_

#include <csignal>
#include <cstdint>
#include <string_view>

namespace poprt {

// In its scope a failed write is an ordinary error for the calling thread: it
// raises no signal, be it a pipe without a reader, a file at its largest size,
// or a terminal that belongs to other processes.  Keeps errno.
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

// A patience that never ends.
inline constexpr int64_t kForever = INT64_MAX;

// Writes `text` to the open `file`.  Returns how many bytes were written; if
// not all, errno tells why.  Waits for readers (of pipes, sockets and
// terminals, even if write() itself would block) as long as `patience_ns`
// lasts, and subtracts that time from it; when it is used up errno is
// ETIMEDOUT.  Raises no signal.
size_t write_stream(int file, std::string_view text, int64_t* patience_ns);

}  // namespace poprt

#endif  // POPRT_BASE_STREAM_H_
