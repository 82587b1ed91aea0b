// Text in little room that may stand anywhere in a page: deflated (zlib's
// format, RFC 1950), in base64.  Browsers unpack it by themselves
// (DecompressionStream).
#ifndef POPRT_PAGE_PACK_H_
#define POPRT_PAGE_PACK_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace poprt {

std::string packed(std::string_view text);

// The text; nullopt if `pack` is not what packed() makes, or if the text would
// be larger than `most` bytes.
std::optional<std::string> unpacked(std::string_view pack, size_t most);

}  // namespace poprt

#endif  // POPRT_PAGE_PACK_H_
