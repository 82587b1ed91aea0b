// Calls with streams (stdio).  What a stream reads and writes itself, inside of
// these calls, does not count again.
#include <dirent.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <tuple>

#include "modules/posix_io/descriptors.h"
#include "modules/posix_io/entries.h"
#include "modules/posix_io/file_call.h"

namespace poprt::modules::posix_io {
namespace {

// The results of functions: items, a character, a line, a number of bytes.
auto items_of(size_t size) {
  return [size](size_t count) { return static_cast<int64_t>(count * size); };
}
int64_t character(int result) { return result == EOF ? 0 : 1; }
int64_t line(const char* text) {
  return text == nullptr ? 0 : static_cast<int64_t>(std::strlen(text));
}
// Not known: what a conversion has taken from a stream.
int64_t unknown(int) { return 0; }

// Handlers may not open streams.
FILE* opening_stream(auto call) {
  if (working_thread() != nullptr) reach_new_objects();
  return opening(call);
}
struct OpensStream {
  static FILE* call(const auto& function, const char* path, const char* mode) {
    return opening_stream([&] { return function(path, mode); });
  }
  static FILE* call(const auto& function, const char* path, const char* mode,
                    FILE* old) {
    forget(descriptor_of(old));
    return opening_stream([&] { return function(path, mode, old); });
  }
};
struct ClosesStream {
  static int call(const auto& function, FILE* stream) {
    return closing(stream, [&] { return function(stream); });
  }
};
// Not files, but the next descriptor of that number may be one.
struct ClosesOther {
  static int call(const auto& function, FILE* stream) {
    forget(descriptor_of(stream));
    return function(stream);
  }
  static int call(const auto& function, DIR* folder) {
    if (folder != nullptr) forget(dirfd(folder));
    return function(folder);
  }
};

struct ReadsItems {
  static size_t call(const auto& function, void* data, size_t size,
                     size_t count, FILE* stream) {
    return reading(
        stream, [&] { return function(data, size, count, stream); },
        items_of(size));
  }
  static size_t call(const auto& function, void* data, size_t room, size_t size,
                     size_t count, FILE* stream) {
    return reading(
        stream, [&] { return function(data, room, size, count, stream); },
        items_of(size));
  }
};
struct WritesItems {
  static size_t call(const auto& function, const void* data, size_t size,
                     size_t count, FILE* stream) {
    return writing(
        stream, [&] { return function(data, size, count, stream); },
        items_of(size));
  }
};
struct ReadsLine {
  static char* call(const auto& function, char* text, auto... rest) {
    return reading(
        std::get<FILE*>(std::tuple(rest...)),
        [&] { return function(text, rest...); }, line);
  }
};
struct WritesLine {
  static int call(const auto& function, const char* text, FILE* stream) {
    return writing(
        stream, [&] { return function(text, stream); },
        [&](int result) { return result < 0 ? 0 : line(text); });
  }
};
struct ReadsCharacter {
  static int call(const auto& function, FILE* stream) {
    return reading(
        stream, [&] { return function(stream); }, character);
  }
};
struct WritesCharacter {
  static int call(const auto& function, int c, FILE* stream) {
    return writing(
        stream, [&] { return function(c, stream); }, character);
  }
};
// getline() and its like.
struct ReadsBytes {
  static ssize_t call(const auto& function, auto... arguments) {
    return reading(
        std::get<FILE*>(std::tuple(arguments...)),
        [&] { return function(arguments...); }, number);
  }
};

struct Prints {
  static int call(const auto& function, FILE* stream, auto... rest) {
    return writing(
        stream, [&] { return function(stream, rest...); }, number);
  }
};
struct Scans {
  static int call(const auto& function, FILE* stream, auto... rest) {
    return reading(
        stream, [&] { return function(stream, rest...); }, unknown);
  }
};
using Print = int(FILE*, const char*, va_list);
using PrintChecked = int(FILE*, int, const char*, va_list);

// The same with arguments in place of a list: by the function `kList`.
template <FunctionName kList, class How>
int with_list(FILE* stream, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result =
      InFront<kList, Print, How>::call(stream, format, arguments);
  va_end(arguments);
  return result;
}
template <FunctionName kList>
int checked_with_list(FILE* stream, int flag, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = InFront<kList, PrintChecked, Prints>::call(
      stream, flag, format, arguments);
  va_end(arguments);
  return result;
}
template <FunctionName kName, FunctionName kList, class How>
Entry entry_by_list() {
  return entry(kName.text, with_list<kList, How>,
               g_function<kName, int(FILE*, const char*, ...)>);
}

// All streams at once count as one file.
struct Flushes {
  static int call(const auto& function, FILE* stream) {
    Thread* const thread = working_thread();
    if (stream != nullptr || thread == nullptr) {
      return on(stream, [&] { return function(stream); });
    }
    FileCall measured(*thread, kNoFileSystem);
    const int result = function(nullptr);
    measured.end();
    return result;
  }
};
struct Seeks {
  static int call(const auto& function, FILE* stream, auto offset, int whence) {
    return on(stream, [&] { return function(stream, offset, whence); });
  }
};
struct Rewinds {
  static void call(const auto& function, FILE* stream) {
    on(stream, [&] {
      function(stream);
      return 0;
    });
  }
};

using Open = FILE*(const char*, const char*);
using OpenAgain = FILE*(const char*, const char*, FILE*);
using OfStream = int(FILE*);
using Read = size_t(void*, size_t, size_t, FILE*);
using ReadChecked = size_t(void*, size_t, size_t, size_t, FILE*);
using Write = size_t(const void*, size_t, size_t, FILE*);
using Put = int(int, FILE*);
using GetTo = ssize_t(char**, size_t*, int, FILE*);

}  // namespace

std::vector<Entry> stream_entries() {
  return {
      entry<"fopen", Open, OpensStream>(),
      entry<"fopen64", Open, OpensStream>(),
      entry<"freopen", OpenAgain, OpensStream>(),
      entry<"freopen64", OpenAgain, OpensStream>(),
      entry<"fclose", OfStream, ClosesStream>(),
      entry<"pclose", OfStream, ClosesOther>(),
      entry<"closedir", int(DIR*), ClosesOther>(),
      entry<"fread", Read, ReadsItems>(),
      entry<"fread_unlocked", Read, ReadsItems>(),
      entry<"__fread_chk", ReadChecked, ReadsItems>(),
      entry<"fwrite", Write, WritesItems>(),
      entry<"fwrite_unlocked", Write, WritesItems>(),
      entry<"fgets", char*(char*, int, FILE*), ReadsLine>(),
      entry<"__fgets_chk", char*(char*, size_t, int, FILE*), ReadsLine>(),
      entry<"fputs", int(const char*, FILE*), WritesLine>(),
      entry<"fgetc", OfStream, ReadsCharacter>(),
      entry<"getc", OfStream, ReadsCharacter>(),
      entry<"fputc", Put, WritesCharacter>(),
      entry<"putc", Put, WritesCharacter>(),
      entry<"getline", ssize_t(char**, size_t*, FILE*), ReadsBytes>(),
      entry<"getdelim", GetTo, ReadsBytes>(),
      entry<"__getdelim", GetTo, ReadsBytes>(),
      entry<"vfprintf", Print, Prints>(),
      entry<"__vfprintf_chk", PrintChecked, Prints>(),
      entry_by_list<"fprintf", "vfprintf", Prints>(),
      entry("__fprintf_chk", checked_with_list<"__vfprintf_chk">,
            g_function<"__fprintf_chk", int(FILE*, int, const char*, ...)>),
      entry_by_list<"fscanf", "vfscanf", Scans>(),
      entry_by_list<"__isoc99_fscanf", "__isoc99_vfscanf", Scans>(),
      entry_by_list<"__isoc23_fscanf", "__isoc23_vfscanf", Scans>(),
      entry<"vfscanf", Print, Scans>(),
      entry<"__isoc99_vfscanf", Print, Scans>(),
      entry<"__isoc23_vfscanf", Print, Scans>(),
      entry<"fflush", OfStream, Flushes>(),
      entry<"fseek", int(FILE*, long, int), Seeks>(),
      entry<"fseeko", int(FILE*, off_t, int), Seeks>(),
      entry<"fseeko64", int(FILE*, off_t, int), Seeks>(),
      entry<"rewind", void(FILE*), Rewinds>(),
  };
}

}  // namespace poprt::modules::posix_io
