// CopiesFile: a file with the last two copies of something that changes.
//
// A copy is written where it does not touch the one before it, so at any time
// at least one copy in the file is whole.  The content is in the kernel's
// hands when write() returns and survives the end of the process, not that of
// the machine.  The file is open only while it is written: the program may
// close all its files.
#ifndef POPRT_BASE_COPIES_FILE_H_
#define POPRT_BASE_COPIES_FILE_H_

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace poprt {

class CopiesFile {
 public:
  // The file in `folder`, which is made for it if need be.  Copies begin at
  // multiples of `alignment`.
  CopiesFile(std::string folder, const std::string& name, size_t alignment);

  // Writes a copy; the first time, makes the file, which only the user may
  // read.  False with errno set: the copies of before are as they were.
  // Raises no signal.
  bool write(std::string_view copy);
  // Removes the file, and the folder if it is empty then.
  void remove();

  bool exists() const { return inode_ != 0; }
  const std::string& folder() const { return folder_; }

 private:
  int open_file();
  bool is_this(int file) const;

  const std::string folder_;
  const std::string path_;
  const size_t alignment_;
  dev_t device_ = 0;
  ino_t inode_ = 0;  // 0: not made yet
  // Where the last copy is.
  size_t offset_ = 0;
  size_t size_ = 0;
};

}  // namespace poprt

#endif  // POPRT_BASE_COPIES_FILE_H_
