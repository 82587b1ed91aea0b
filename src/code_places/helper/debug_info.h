// Reads what an ELF file tells about its code.
#ifndef POPRT_CODE_PLACES_HELPER_DEBUG_INFO_H_
#define POPRT_CODE_PLACES_HELPER_DEBUG_INFO_H_

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <string>
#include <vector>

namespace poprt {

// The symbols of a file and its debug information, which may be in the file or
// be installed separately for its build id.  For one thread.
class DebugInfo {
 public:
  // A file that cannot be read has no locations.
  explicit DebugInfo(const std::string& path);
  ~DebugInfo();
  DebugInfo(const DebugInfo&) = delete;
  DebugInfo& operator=(const DebugInfo&) = delete;

  // "solver.c:123 (solve)", "solve+0x1a", or "near solve+0x1a3f" for a function
  // without a name that comes after solve.  "" if the file tells nothing.
  // `return_address` is an ELF virtual address of the file.
  std::string location(uint64_t return_address);

 private:
  struct Unit {
    Dwarf_Die lines;  // the unit with its line table
    // the unit with its functions: with split DWARF these are two files
    Dwarf_Die functions;
  };
  struct Range {
    Dwarf_Addr begin;
    Dwarf_Addr end;
    size_t unit;
  };
  struct Symbol {
    std::string name;
    uint64_t offset = 0;  // of the return address in it
  };

  void read_units(Dwarf* dwarf);
  Unit* unit_of(Dwarf_Addr address);
  Symbol symbol_of(uint64_t return_address);
  Symbol symbol_before(uint64_t return_address);

  Dwfl* session_ = nullptr;
  Dwfl_Module* module_ = nullptr;
  Dwarf_Addr bias_ = 0;  // address in the file minus address in its DWARF
  std::vector<Unit> units_;
  std::vector<Range> ranges_;
};

}  // namespace poprt

#endif  // POPRT_CODE_PLACES_HELPER_DEBUG_INFO_H_
