#!/usr/bin/env python3
"""Writes what the reports need to know of Unicode characters, from Python's tables.

usage: gen_unicode.py FILE

FILE is a part of a C++ source: three sorted lists of ranges. kUnprintable: controls, and what moves or hides
other text (formats and bidirectional controls, line and paragraph separators). kZeroWidth: marks that are shown on the
character before them. kWide: characters of two columns.
"""
import sys
import unicodedata

# Format characters that are visible: signs that span the digits after them.
SHOWN = {0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
# Places for characters to come that will be wide: emoji, and Chinese characters. Elsewhere Python
# takes unassigned ones for wide, which terminals do not.
RESERVED_WIDE = (range(0x1FA70, 0x1FB00), range(0x20000, 0x3FFFE))
# Parts of Korean syllables that are displayed in the columns of the first part.
JAMO = (range(0x1160, 0x1200), range(0xD7B0, 0xD800))


def kind(code):
    character = chr(code)
    category = unicodedata.category(character)
    if category in ("Cc", "Cf", "Cs", "Zl", "Zp") and code not in SHOWN:
        return "kUnprintable"
    if category in ("Mn", "Me") or any(code in each for each in JAMO):
        return "kZeroWidth"
    if category == "Cn" and not any(code in each for each in RESERVED_WIDE):
        return None
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return "kWide"
    return None


def main():
    ranges = {"kUnprintable": [], "kZeroWidth": [], "kWide": []}
    for code in range(0x110000):
        found = ranges.get(kind(code))
        if found is None:
            continue
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    with open(sys.argv[1], "w") as file:
        file.write(f"// Made by scripts/gen_unicode.py: Unicode {unicodedata.unidata_version}.\n")
        for name, items in ranges.items():
            file.write(f"constexpr Range {name}[] = {{\n")
            for first, last in items:
                file.write(f"    {{{first:#x}, {last:#x}}},\n")
            file.write("};\n")


main()
