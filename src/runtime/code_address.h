// Code addresses that mean the same in every process of a job, whatever
// address its files are loaded at.
#ifndef POPRT_RUNTIME_CODE_ADDRESS_H_
#define POPRT_RUNTIME_CODE_ADDRESS_H_

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace poprt {

// A return address in a file.  It stands behind its call, and may be in the
// next line or function already: whoever resolves it looks at offset - 1.
struct CodeAddress {
  std::string module;   // absolute path of the file; "": code of no file
  uint64_t offset = 0;  // as an ELF virtual address of the file; without a
                        // file, the address itself

  friend auto operator<=>(const CodeAddress&, const CodeAddress&) = default;
};

// Any thread; reads files, so at the end of a run rather than in an event.
// Never fails: what belongs to no loaded file has no module.  The file of a
// program that was replaced since its start is "<path> (deleted)".
CodeAddress code_address(const void* return_address);

// A file of code in this process.
struct LoadedModule {
  std::string path;   // as in CodeAddress
  uint64_t base = 0;  // address of what the file has at ELF address 0
};

// All of this process now; any thread, reads files.
std::vector<LoadedModule> loaded_modules();

}  // namespace poprt

#endif  // POPRT_RUNTIME_CODE_ADDRESS_H_
