// Names of variables in the files that this process has loaded.
#ifndef POPRT_CODE_PLACES_DATA_SYMBOLS_H_
#define POPRT_CODE_PLACES_DATA_SYMBOLS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "code_places/code_address.h"

namespace poprt {

struct DataSymbol {
  std::string name;      // as in the file: mangled
  uint64_t address = 0;  // in this process
  uint64_t size = 0;
};

// The variables in a file for which `wanted`, which does not know their names
// yet, says so: from its full table of symbols; if that was removed, from its
// dynamic ones.  Empty if the file cannot be read.  All processes of a node may
// call it at once, so it keeps nothing of what is not wanted.  Reads files, so
// it is for the end of a run.  Can be called by any thread.
std::vector<DataSymbol> data_symbols(
    const LoadedModule& module,
    const std::function<bool(const DataSymbol&)>& wanted);

}  // namespace poprt

#endif  // POPRT_CODE_PLACES_DATA_SYMBOLS_H_
