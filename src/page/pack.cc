#include "page/pack.h"

#include <zlib.h>

#include <cstdint>
#include <vector>

namespace poprt {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(const std::vector<Bytef>& bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = bytes.size() - i;
    const uint32_t group = static_cast<uint32_t>(bytes[i]) << 16 |
                           (left > 1 ? uint32_t{bytes[i + 1]} << 8 : 0) |
                           (left > 2 ? uint32_t{bytes[i + 2]} : 0);
    text += kDigits[group >> 18];
    text += kDigits[group >> 12 & 63];
    text += left > 1 ? kDigits[group >> 6 & 63] : '=';
    text += left > 2 ? kDigits[group & 63] : '=';
  }
  return text;
}

// The bytes of base64 text; nullopt if it is none.
std::optional<std::vector<Bytef>> bytes_of(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::vector<Bytef> bytes;
  bytes.reserve(text.size() * 3 / 4);
  uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    group = group << 6 | static_cast<uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<Bytef>(group >> bits & 255));
  }
  return bytes;
}

}  // namespace

std::string packed(std::string_view text) {
  std::vector<Bytef> bytes(compressBound(text.size()));
  uLongf size = bytes.size();
  // It has room for all that can come out, so it cannot fail but for memory.
  const int result = compress2(bytes.data(), &size,
                               reinterpret_cast<const Bytef*>(text.data()),
                               text.size(), Z_DEFAULT_COMPRESSION);
  bytes.resize(result == Z_OK ? size : 0);
  return base64(bytes);
}

std::optional<std::string> unpacked(std::string_view pack, size_t most) {
  auto bytes = bytes_of(pack);
  if (!bytes) return std::nullopt;
  z_stream stream = {};
  stream.next_in = bytes->data();
  stream.avail_in = static_cast<uInt>(bytes->size());
  if (inflateInit(&stream) != Z_OK) return std::nullopt;
  std::string text;
  std::vector<char> buffer(size_t{1} << 16);
  int result = Z_OK;
  while (result == Z_OK && text.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    result = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (result != Z_STREAM_END || text.size() > most) return std::nullopt;
  return text;
}

}  // namespace poprt
