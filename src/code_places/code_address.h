// Code addresses in a form that is the same in every process of a job, wherever
// its files are loaded.
#ifndef POPRT_CODE_PLACES_CODE_ADDRESS_H_
#define POPRT_CODE_PLACES_CODE_ADDRESS_H_

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace poprt {

// A return address in a file.  It points behind the call, and may already
// belong to the next line or function, so its place is looked up at offset - 1.
struct CodeAddress {
  // absolute path of the file; "" for code that is in no file
  std::string module;
  // ELF virtual address in the file; without a file, the address itself
  uint64_t offset = 0;

  friend auto operator<=>(const CodeAddress&, const CodeAddress&) = default;
};

// Can be called by any thread.  Reads files, so it is for the end of a run and
// not for events.  Never fails: an address in no loaded file has no module.  If
// the program's file was replaced since its start, the path is "<path>
// (deleted)".
CodeAddress code_address(const void* return_address);

// Where a variable is, likewise; its offset is that of its first byte.  Without
// a module: it is on the stack or the heap, or of one thread only.
CodeAddress data_address(const void* variable);

// A file with code that this process has loaded.
struct LoadedModule {
  std::string path;   // as in CodeAddress
  uint64_t base = 0;  // address at which ELF address 0 of the file is loaded
};

// All files now loaded.  Can be called by any thread; reads files.
std::vector<LoadedModule> loaded_modules();

}  // namespace poprt

#endif  // POPRT_CODE_PLACES_CODE_ADDRESS_H_
