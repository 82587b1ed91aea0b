#include "document/distinct_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "document/format.h"

namespace poprt {
namespace {

using Names = std::vector<std::string>;

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || c == '_' || (byte >= '0' && byte <= '9') ||
         (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

// Words, and what is between them.
Names pieces_of(std::string_view name) {
  Names pieces;
  for (size_t i = 0; i < name.size(); ++i) {
    if (i == 0 || is_word(name[i]) != is_word(name[i - 1])) {
      pieces.emplace_back();
    }
    pieces.back() += name[i];
  }
  return pieces;
}

// Without the mark of a name that was too long to be measured whole, and the
// word that it cuts (src/measure/region_names.cc).
std::string without_mark(const std::string& name) {
  constexpr size_t kMark = 1 + 8;  // '~' and hexadecimal digits
  if (name.size() < kMark || name[name.size() - kMark] != '~' ||
      name.find_first_not_of("0123456789abcdef", name.size() - kMark + 1) !=
          std::string::npos) {
    return name;
  }
  size_t end = name.size() - kMark;
  while (end > 0 && is_word(name[end - 1])) --end;
  return name.substr(0, end);
}

bool all_differ(const Names& names) {
  return std::set<std::string_view>(names.begin(), names.end()).size() ==
         names.size();
}

Names all_shortened(const Names& names, size_t width) {
  Names result;
  for (const std::string& name : names) {
    result.push_back(shortened(name, width));
  }
  return result;
}

using Kept = std::vector<bool>;

// With ".." for the others: at the ends only if there is room, or no other
// tells that the name is longer.
std::string joined(const Names& pieces, const Kept& kept, size_t width) {
  constexpr std::string_view kGap = "..";
  std::string text;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (kept[i]) {
      text += pieces[i];
    } else if (i == 0 || kept[i - 1]) {
      text += kGap;
    }
  }
  if (columns(text) <= width) return text;
  std::string inner = text;
  if (!kept.front()) inner.erase(0, kGap.size());
  if (!kept.back()) inner.resize(inner.size() - kGap.size());
  return inner.find(kGap) == std::string::npos ? text : inner;
}

// Adds those beside the kept ones for which there is room.
void add_others(const Names& pieces, size_t width, Kept* kept) {
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    const Kept before = *kept;
    for (size_t i = 0; i < pieces.size(); ++i) {
      const bool is_beside =
          (i > 0 && before[i - 1]) || (i + 1 < pieces.size() && before[i + 1]);
      if (before[i] || !is_beside) continue;
      (*kept)[i] = true;
      const bool fits = columns(joined(pieces, *kept, width)) <= width;
      (*kept)[i] = fits;
      has_grown |= fits;
    }
  }
}

// The pieces that the fewest of `count` names share, cut if need be, and as
// many others as there is room for.
std::string essence(const Names& pieces, const std::vector<size_t>& shared,
                    size_t count, size_t width) {
  constexpr size_t kLeast = 3;
  for (size_t limit = count; limit > 1; limit /= 2) {
    Kept kept;
    size_t longest = 0;
    for (size_t i = 0; i < pieces.size(); ++i) {
      kept.push_back(shared[i] < limit);
      if (kept[i]) longest = std::max(longest, columns(pieces[i]));
    }
    for (size_t letters = longest; letters >= std::min(kLeast, longest);
         --letters) {
      if (letters == 0) break;
      Names cut = pieces;
      for (size_t i = 0; i < cut.size(); ++i) {
        if (kept[i]) cut[i] = shortened(cut[i], letters);
      }
      if (columns(joined(cut, kept, width)) > width) continue;
      add_others(cut, width, &kept);
      return joined(cut, kept, width);
    }
  }
  std::string whole;
  for (const std::string& piece : pieces) whole += piece;
  return shortened(whole, width);
}

// For each piece, how many of the names have it at that place, from the start
// or from the end. Those that end before it, at their mark, might.
std::vector<std::vector<size_t>> shared_by(const std::vector<Names>& all,
                                           const std::vector<size_t>& ends) {
  std::map<std::pair<ptrdiff_t, std::string_view>, size_t> counts;
  const auto from_end = [](const Names& pieces, size_t place) {
    return static_cast<ptrdiff_t>(place) -
           static_cast<ptrdiff_t>(pieces.size());
  };
  for (const Names& pieces : all) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      ++counts[{static_cast<ptrdiff_t>(i), pieces[i]}];
      ++counts[{from_end(pieces, i), pieces[i]}];
    }
  }
  std::vector<std::vector<size_t>> result;
  for (const Names& pieces : all) {
    std::vector<size_t>& shared = result.emplace_back();
    for (size_t i = 0; i < pieces.size(); ++i) {
      const auto ended = static_cast<size_t>(
          std::ranges::count_if(ends, [&](size_t end) { return end <= i; }));
      shared.push_back(
          std::max(counts[{static_cast<ptrdiff_t>(i), pieces[i]}] + ended,
                   counts[{from_end(pieces, i), pieces[i]}]));
    }
  }
  return result;
}

// All wider than that, and different.
Names distinct(const Names& names, size_t width) {
  Names bare;
  for (const std::string& name : names) bare.push_back(without_mark(name));
  const bool are_bare = all_differ(bare);
  if (Names result = all_shortened(are_bare ? bare : names, width);
      all_differ(result)) {
    return result;
  }
  std::vector<Names> all;
  std::vector<size_t> ends;
  for (size_t i = 0; i < names.size(); ++i) {
    all.push_back(pieces_of(are_bare ? bare[i] : names[i]));
    if (are_bare && bare[i] != names[i]) ends.push_back(all[i].size());
  }
  const std::vector<std::vector<size_t>> shared = shared_by(all, ends);
  std::set<std::string> used;
  Names result;
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string text = essence(all[i], shared[i], all.size(), width);
    result.push_back(text);
    for (size_t number = 2; !used.insert(result[i]).second; ++number) {
      const std::string mark = "#" + std::to_string(number);
      result[i] = shortened(text, width - std::min(width, mark.size())) + mark;
    }
  }
  return result;
}

}  // namespace

Names distinct_names(const Names& names, size_t width) {
  Names wide;
  for (const std::string& name : names) {
    if (columns(name) > width && std::ranges::find(wide, name) == wide.end()) {
      wide.push_back(name);
    }
  }
  const Names shown = distinct(wide, width);
  Names result;
  for (const std::string& name : names) {
    const auto at = std::ranges::find(wide, name);
    result.push_back(at == wide.end()
                         ? name
                         : shown[static_cast<size_t>(at - wide.begin())]);
  }
  return result;
}

}  // namespace poprt
