// Calls with streams (stdio).  What a stream reads and writes itself, inside of
// these calls, does not count again.
#include <dirent.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "modules/posix_io/descriptors.h"
#include "modules/posix_io/entries.h"
#include "modules/posix_io/file_call.h"

namespace poprt::modules::posix_io {
namespace {

// Filled in by EntrySlots.
constinit Function<FILE*(const char*, const char*)> real_fopen, real_fopen64;
constinit Function<FILE*(const char*, const char*, FILE*)> real_freopen,
    real_freopen64;
constinit Function<int(DIR*)> real_closedir;
constinit Function<int(FILE*)> real_pclose, real_fclose, real_fgetc, real_getc,
    real_fflush;
constinit Function<void(FILE*)> real_rewind;
constinit Function<size_t(void*, size_t, size_t, FILE*)> real_fread,
    real_fread_unlocked;
constinit Function<size_t(void*, size_t, size_t, size_t, FILE*)> real_fread_chk;
constinit Function<size_t(const void*, size_t, size_t, FILE*)> real_fwrite,
    real_fwrite_unlocked;
constinit Function<char*(char*, int, FILE*)> real_fgets;
constinit Function<char*(char*, size_t, int, FILE*)> real_fgets_chk;
constinit Function<int(const char*, FILE*)> real_fputs;
constinit Function<int(int, FILE*)> real_fputc, real_putc;
constinit Function<ssize_t(char**, size_t*, FILE*)> real_getline;
constinit Function<ssize_t(char**, size_t*, int, FILE*)> real_getdelim,
    real_old_getdelim;
constinit Function<int(FILE*, const char*, va_list)> real_vfprintf,
    real_vfscanf, real_isoc99_vfscanf, real_isoc23_vfscanf;
constinit Function<int(FILE*, int, const char*, va_list)> real_vfprintf_chk;
constinit Function<int(FILE*, const char*, ...)> real_fprintf, real_fscanf,
    real_isoc99_fscanf, real_isoc23_fscanf;
constinit Function<int(FILE*, int, const char*, ...)> real_fprintf_chk;
constinit Function<int(FILE*, long, int)> real_fseek, real_fseeko,
    real_fseeko64;

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
template <class Call>
FILE* opening_stream(Call call) {
  if (working_thread() != nullptr) reach_new_objects();
  return opening(call);
}
FILE* my_fopen(const char* path, const char* mode) {
  return opening_stream([&] { return real_fopen(path, mode); });
}
FILE* my_fopen64(const char* path, const char* mode) {
  return opening_stream([&] { return real_fopen64(path, mode); });
}
FILE* my_freopen(const char* path, const char* mode, FILE* old) {
  forget(descriptor_of(old));
  return opening_stream([&] { return real_freopen(path, mode, old); });
}
FILE* my_freopen64(const char* path, const char* mode, FILE* old) {
  forget(descriptor_of(old));
  return opening_stream([&] { return real_freopen64(path, mode, old); });
}
int my_fclose(FILE* stream) {
  return closing(stream, [&] { return real_fclose(stream); });
}
// Not files, but the next descriptor of that number may be one.
int my_pclose(FILE* stream) {
  forget(descriptor_of(stream));
  return real_pclose(stream);
}
int my_closedir(DIR* folder) {
  if (folder != nullptr) forget(dirfd(folder));
  return real_closedir(folder);
}

size_t my_fread(void* data, size_t size, size_t count, FILE* stream) {
  return reading(
      stream, [&] { return real_fread(data, size, count, stream); },
      items_of(size));
}
size_t my_fread_unlocked(void* data, size_t size, size_t count, FILE* stream) {
  return reading(
      stream, [&] { return real_fread_unlocked(data, size, count, stream); },
      items_of(size));
}
size_t my_fread_chk(void* data, size_t room, size_t size, size_t count,
                    FILE* stream) {
  return reading(
      stream, [&] { return real_fread_chk(data, room, size, count, stream); },
      items_of(size));
}
size_t my_fwrite(const void* data, size_t size, size_t count, FILE* stream) {
  return writing(
      stream, [&] { return real_fwrite(data, size, count, stream); },
      items_of(size));
}
size_t my_fwrite_unlocked(const void* data, size_t size, size_t count,
                          FILE* stream) {
  return writing(
      stream, [&] { return real_fwrite_unlocked(data, size, count, stream); },
      items_of(size));
}
char* my_fgets(char* text, int size, FILE* stream) {
  return reading(
      stream, [&] { return real_fgets(text, size, stream); }, line);
}
char* my_fgets_chk(char* text, size_t room, int size, FILE* stream) {
  return reading(
      stream, [&] { return real_fgets_chk(text, room, size, stream); }, line);
}
int my_fputs(const char* text, FILE* stream) {
  return writing(
      stream, [&] { return real_fputs(text, stream); },
      [&](int result) { return result < 0 ? 0 : line(text); });
}
int my_fgetc(FILE* stream) {
  return reading(
      stream, [&] { return real_fgetc(stream); }, character);
}
int my_getc(FILE* stream) {
  return reading(
      stream, [&] { return real_getc(stream); }, character);
}
int my_fputc(int c, FILE* stream) {
  return writing(
      stream, [&] { return real_fputc(c, stream); }, character);
}
int my_putc(int c, FILE* stream) {
  return writing(
      stream, [&] { return real_putc(c, stream); }, character);
}
ssize_t my_getline(char** text, size_t* size, FILE* stream) {
  return reading(
      stream, [&] { return real_getline(text, size, stream); }, number);
}
ssize_t my_getdelim(char** text, size_t* size, int end, FILE* stream) {
  return reading(
      stream, [&] { return real_getdelim(text, size, end, stream); }, number);
}
ssize_t my_old_getdelim(char** text, size_t* size, int end, FILE* stream) {
  return reading(
      stream, [&] { return real_old_getdelim(text, size, end, stream); },
      number);
}

int my_vfprintf(FILE* stream, const char* format, va_list arguments) {
  return writing(
      stream, [&] { return real_vfprintf(stream, format, arguments); }, number);
}
int my_vfprintf_chk(FILE* stream, int flag, const char* format,
                    va_list arguments) {
  return writing(
      stream,
      [&] { return real_vfprintf_chk(stream, flag, format, arguments); },
      number);
}
int my_fprintf(FILE* stream, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = my_vfprintf(stream, format, arguments);
  va_end(arguments);
  return result;
}
int my_fprintf_chk(FILE* stream, int flag, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = my_vfprintf_chk(stream, flag, format, arguments);
  va_end(arguments);
  return result;
}
using Scan = Function<int(FILE*, const char*, va_list)>;
template <const Scan& kScan>
int my_vfscanf(FILE* stream, const char* format, va_list arguments) {
  return reading(
      stream, [&] { return kScan(stream, format, arguments); }, unknown);
}
template <const Scan& kScan>
int my_fscanf(FILE* stream, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = my_vfscanf<kScan>(stream, format, arguments);
  va_end(arguments);
  return result;
}

// All streams at once count as one file.
int my_fflush(FILE* stream) {
  Thread* const thread = working_thread();
  if (stream != nullptr || thread == nullptr) {
    return on(stream, [&] { return real_fflush(stream); });
  }
  FileCall measured(*thread, kNoFileSystem);
  const int result = real_fflush(nullptr);
  measured.end();
  return result;
}
int my_fseek(FILE* stream, long offset, int whence) {
  return on(stream, [&] { return real_fseek(stream, offset, whence); });
}
int my_fseeko(FILE* stream, off_t offset, int whence) {
  return on(stream, [&] { return real_fseeko(stream, offset, whence); });
}
int my_fseeko64(FILE* stream, off_t offset, int whence) {
  return on(stream, [&] { return real_fseeko64(stream, offset, whence); });
}
void my_rewind(FILE* stream) {
  on(stream, [&] {
    real_rewind(stream);
    return 0;
  });
}

}  // namespace

std::vector<Entry> stream_entries() {
  return {
      entry("fopen", my_fopen, real_fopen),
      entry("fopen64", my_fopen64, real_fopen64),
      entry("freopen", my_freopen, real_freopen),
      entry("freopen64", my_freopen64, real_freopen64),
      entry("fclose", my_fclose, real_fclose),
      entry("pclose", my_pclose, real_pclose),
      entry("closedir", my_closedir, real_closedir),
      entry("fread", my_fread, real_fread),
      entry("fread_unlocked", my_fread_unlocked, real_fread_unlocked),
      entry("__fread_chk", my_fread_chk, real_fread_chk),
      entry("fwrite", my_fwrite, real_fwrite),
      entry("fwrite_unlocked", my_fwrite_unlocked, real_fwrite_unlocked),
      entry("fgets", my_fgets, real_fgets),
      entry("__fgets_chk", my_fgets_chk, real_fgets_chk),
      entry("fputs", my_fputs, real_fputs),
      entry("fgetc", my_fgetc, real_fgetc),
      entry("getc", my_getc, real_getc),
      entry("fputc", my_fputc, real_fputc),
      entry("putc", my_putc, real_putc),
      entry("getline", my_getline, real_getline),
      entry("getdelim", my_getdelim, real_getdelim),
      entry("__getdelim", my_old_getdelim, real_old_getdelim),
      entry("vfprintf", my_vfprintf, real_vfprintf),
      entry("__vfprintf_chk", my_vfprintf_chk, real_vfprintf_chk),
      entry("fprintf", my_fprintf, real_fprintf),
      entry("__fprintf_chk", my_fprintf_chk, real_fprintf_chk),
      entry("fscanf", my_fscanf<real_vfscanf>, real_fscanf),
      entry("__isoc99_fscanf", my_fscanf<real_isoc99_vfscanf>,
            real_isoc99_fscanf),
      entry("__isoc23_fscanf", my_fscanf<real_isoc23_vfscanf>,
            real_isoc23_fscanf),
      entry("vfscanf", my_vfscanf<real_vfscanf>, real_vfscanf),
      entry("__isoc99_vfscanf", my_vfscanf<real_isoc99_vfscanf>,
            real_isoc99_vfscanf),
      entry("__isoc23_vfscanf", my_vfscanf<real_isoc23_vfscanf>,
            real_isoc23_vfscanf),
      entry("fflush", my_fflush, real_fflush),
      entry("fseek", my_fseek, real_fseek),
      entry("fseeko", my_fseeko, real_fseeko),
      entry("fseeko64", my_fseeko64, real_fseeko64),
      entry("rewind", my_rewind, real_rewind),
  };
}

}  // namespace poprt::modules::posix_io
