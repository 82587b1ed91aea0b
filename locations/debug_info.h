// What an ELF file tells of its code.
#ifndef POPRT_LOCATIONS_DEBUG_INFO_H_
#define POPRT_LOCATIONS_DEBUG_INFO_H_

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <string>
#include <vector>

namespace poprt {

// The debug information of a file, its own or what is installed for its build
// id, and its symbols.  One thread.
class DebugInfo {
 public:
  // A file that cannot be read has no locations.
  explicit DebugInfo(const std::string& path);
  ~DebugInfo();
  DebugInfo(const DebugInfo&) = delete;
  DebugInfo& operator=(const DebugInfo&) = delete;

  // "solver.c:123 (solve)", "solve+0x1a", "near solve+0x1a3f" of a function
  // behind it that has no name, or "" for what the file does not tell.
  // `return_address` is an ELF virtual address of the file.
  std::string location(uint64_t return_address);

 private:
  struct Unit {
    Dwarf_Die lines;      // where its line table is
    Dwarf_Die functions;  // where its functions are: split DWARF is two files
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
  Dwarf_Addr bias_ = 0;  // of addresses in the file over those in its DWARF
  std::vector<Unit> units_;
  std::vector<Range> ranges_;
};

}  // namespace poprt

#endif  // POPRT_LOCATIONS_DEBUG_INFO_H_
