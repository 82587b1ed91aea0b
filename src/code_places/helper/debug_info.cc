#include "code_places/helper/debug_info.h"

#include <dwarf.h>

#include <cstdio>

#include "code_places/function_name.h"
#include "code_places/helper/scopes.h"

namespace poprt {
namespace {

// Separate files are searched in the standard places (/usr/lib/debug).
const Dwfl_Callbacks kCallbacks = {
    dwfl_build_id_find_elf,
    dwfl_standard_find_debuginfo,
    dwfl_offline_section_address,
    nullptr,
};

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "+0x%llx",
                static_cast<unsigned long long>(value));
  return text;
}

Line line_at(Dwarf_Die* unit, Dwarf_Addr address) {
  Line result;
  Dwarf_Line* const line = dwarf_getsrc_die(unit, address);
  if (line == nullptr) return result;
  const char* const path = dwarf_linesrc(line, nullptr, nullptr);
  if (path != nullptr && dwarf_lineno(line, &result.number) == 0) {
    result.file = base_name(path);
  }
  return result;
}

}  // namespace

DebugInfo::DebugInfo(const std::string& path) {
  session_ = dwfl_begin(&kCallbacks);
  if (session_ == nullptr) return;
  dwfl_report_begin(session_);
  // Loaded at base 0, so that addresses are those of the file.
  module_ = dwfl_report_elf(session_, path.c_str(), path.c_str(), -1, 0, true);
  dwfl_report_end(session_, nullptr, nullptr);
  if (module_ == nullptr) return;
  if (Dwarf* const dwarf = dwfl_module_getdwarf(module_, &bias_)) {
    read_units(dwarf);
  }
}

DebugInfo::~DebugInfo() { dwfl_end(session_); }

// Does not use .debug_aranges, which clang does not write.
void DebugInfo::read_units(Dwarf* dwarf) {
  Dwarf_CU* cu = nullptr;
  Dwarf_Die die;
  Dwarf_Die split;
  while (dwarf_get_units(dwarf, cu, &cu, nullptr, nullptr, &die, &split) == 0) {
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (ptrdiff_t at = 0;
         (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;) {
      ranges_.push_back({begin, end, units_.size()});
    }
    units_.push_back({die, split.addr != nullptr ? split : die});
  }
}

// Takes the range that begins last: functions that the linker has dropped are
// ranges at address 0 and may overlap others.
DebugInfo::Unit* DebugInfo::unit_of(Dwarf_Addr address) {
  const Range* best = nullptr;
  for (const Range& range : ranges_) {
    if (address < range.begin || address >= range.end) continue;
    if (best == nullptr || range.begin > best->begin) best = &range;
  }
  return best == nullptr ? nullptr : &units_[best->unit];
}

DebugInfo::Symbol DebugInfo::symbol_of(uint64_t return_address) {
  GElf_Sym symbol;
  GElf_Off offset = 0;
  const char* const name = dwfl_module_addrinfo(
      module_, return_address - 1, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_FUNC) return {};
  return {function_name(name), offset + 1};
}

// A stripped file has only the symbols of exported functions.  A symbol's size
// never covers the functions between two of them.  Too far behind its end a
// symbol says nothing.
DebugInfo::Symbol DebugInfo::symbol_before(uint64_t return_address) {
  const GElf_Addr call = return_address - 1;
  constexpr GElf_Addr kNear = 4096;
  Symbol nearest;
  GElf_Addr best = 0;
  const int count = dwfl_module_getsymtab(module_);
  for (int i = 1; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    const char* const name = dwfl_module_getsym_info(
        module_, i, &symbol, &address, nullptr, nullptr, nullptr);
    if (name == nullptr || symbol.st_shndx == SHN_UNDEF ||
        GELF_ST_TYPE(symbol.st_info) != STT_FUNC || address > call ||
        address <= best) {
      continue;
    }
    best = address;
    nearest = {};
    if (call < address + symbol.st_size + kNear) {
      nearest = {function_name(name), return_address - address};
    }
  }
  return nearest;
}

std::string DebugInfo::location(uint64_t return_address) {
  if (module_ == nullptr) return "";
  const Dwarf_Addr call = return_address - 1 - bias_;
  const Symbol symbol = symbol_of(return_address);
  Line line;
  std::string function;
  if (Unit* const unit = unit_of(call)) {
    line = line_at(&unit->lines, call);
    function = function_at(&unit->functions, call, line);
  }
  // ".omp_outlined." says no more than the line.
  if (function.empty() && symbol.name[0] != '.') function = symbol.name;
  if (line.number > 0) {
    const std::string place = line.file + ":" + std::to_string(line.number);
    return function.empty() ? place : place + " (" + function + ")";
  }
  if (!symbol.name.empty()) return symbol.name + hex(symbol.offset);
  const Symbol before = symbol_before(return_address);
  return before.name.empty() ? "" : "near " + before.name + hex(before.offset);
}

}  // namespace poprt
