#include "code_places/data_symbols.h"

#include <link.h>

#include <utility>

#include "code_places/symbol_file.h"

namespace poprt {
namespace {

bool is_variable(const ElfW(Sym) & symbol) {
  const unsigned type = symbol.st_info & 0xF;
  return (type == STT_OBJECT || type == STT_COMMON) && symbol.st_size > 0 &&
         symbol.st_shndx != SHN_UNDEF;
}

}  // namespace

std::vector<DataSymbol> data_symbols(
    const LoadedModule& module,
    const std::function<bool(const DataSymbol&)>& wanted) {
  std::vector<DataSymbol> symbols;
  const ReadFile file(module.path);
  SymbolTable table;
  if (!find_table(file, &table)) return symbols;
  for_each_symbol_of(file, table, [&](const ElfW(Sym) & each) {
    if (!is_variable(each)) return;
    DataSymbol symbol{"", module.base + each.st_value, each.st_size};
    if (!wanted(symbol)) return;
    symbol.name = name_at(file, table.names, each.st_name);
    if (!symbol.name.empty()) symbols.push_back(std::move(symbol));
  });
  return symbols;
}

}  // namespace poprt
