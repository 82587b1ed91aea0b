#!/usr/bin/env python3
"""Writes what characters do on a terminal, as Python's own tables have it, at build time.

usage: gen_unicode.py OUTPUT

OUTPUT is included by src/document/unicode.cc: ranges of characters that are not printed, that
have no column of their own, and that have two.
"""
import sys
import unicodedata

# Format characters that are seen: signs that span the digits after them.
SEEN = {*range(0x600, 0x606), 0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x110bd, 0x110cd}
# Vowels and final consonants of Korean syllables: in the columns of the first consonant.
KOREAN = {*range(0x1160, 0x1200), *range(0xd7b0, 0xd800)}
# Places of Chinese characters and pictures that Python may not know yet: they are as wide as those that it knows.
WIDE_TO_COME = {*range(0x3400, 0x4dc0), *range(0x4e00, 0xa000), *range(0xf900, 0xfb00), *range(0x1f6d0, 0x1f700),
                *range(0x1fa70, 0x1fb00), *range(0x20000, 0x2fffe), *range(0x30000, 0x3fffe)}


def kind(code):
    category = unicodedata.category(chr(code))
    if category in ("Cc", "Cs", "Zl", "Zp") or category == "Cf" and code not in SEEN:
        return "Unprintable"
    if category in ("Mn", "Me") or code in KOREAN:
        return "Narrowest"
    is_wide = code in WIDE_TO_COME if category == "Cn" else unicodedata.east_asian_width(chr(code)) in "WF"
    return "Wide" if is_wide else None


ranges = {"Unprintable": [], "Narrowest": [], "Wide": []}
before = None
for each in range(sys.maxunicode + 1):
    now = kind(each)
    if now and now == before:
        ranges[now][-1][1] = each
    elif now:
        ranges[now].append([each, each])
    before = now
with open(sys.argv[1], "w", encoding="ascii") as file:
    file.write(f"// Made by scripts/gen_unicode.py from Unicode {unicodedata.unidata_version}.\n")
    for name, found in ranges.items():
        rows = ", ".join(f"{{{first:#x}, {last:#x}}}" for first, last in found)
        file.write(f"constexpr Range k{name}[] = {{{rows}}};\n")
