#include "mark.h"

#include <cstdio>

#include "code_places/code_address.h"

void mark(const char* function, const char* symbol, int line) {
  const poprt::CodeAddress address =
      poprt::code_address(__builtin_return_address(0));
  std::printf("%s\t%s\t%d\t%s\t%llx\n", function, symbol, line,
              address.module.c_str(),
              static_cast<unsigned long long>(address.offset));
}
