#!/usr/bin/env python3
"""The notes that are taken while a run is measured (src/model/noted.h), for end-to-end tests; and a check
that each is asked for by a test that makes it appear, and by one in which it does not.

usage: noted.py [ROOT]
"""
import ast
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXT = r'"(?:[^"\\]|\\.)*"'
# In C++ (tests/noted.h) and in Python.
MARK = re.compile(r'\b(?:EXPECT_|expect_)(NOT_|not_)?(?:NOTED|noted)\(\s*(?:self,\s*)?["\'](\w+)["\']')


def kinds(root=ROOT):
    """{key: (words, when)} of the table."""
    text = re.sub(r'^\s*//.*', '', (root / 'src/model/noted.h').read_text(encoding='utf-8'), flags=re.M)
    texts = r'((?:\s*%s)+)' % TEXT
    join = lambda group: ''.join(ast.literal_eval(each) for each in re.findall(TEXT, group))
    return {join(key): (join(words), join(when))
            for key, words, when in re.findall(r'\{%s,%s,%s\}' % (texts, texts, texts), text)}


def is_noted(key, notes):
    words = kinds()[key][0].split('{}')
    pattern = '.*'.join(re.escape(each) for each in words)
    return any(re.fullmatch(pattern, note, re.S) for note in notes)


def expect_noted(test, key, notes, about=None):
    test.assertTrue(is_noted(key, notes), about or (key, notes))


def expect_not_noted(test, key, notes, about=None):
    test.assertFalse(is_noted(key, notes), about or (key, notes))


def complaints(root):
    table = kinds(root)
    marks = {(key, bool(without)) for path in sorted((root / 'tests').rglob('*'))
             if path.suffix in ('.cc', '.py') and path != root / 'tests/noted.py'
             for without, key in MARK.findall(path.read_text(encoding='utf-8'))}
    for key in sorted({key for key, _ in marks} - set(table)):
        yield f'{key}: a test asks for it, and no kind of note has this key'
    for key, (_, when) in table.items():
        missing = ' and '.join(word for without, word in ((False, 'is'), (True, 'is not'))
                               if (key, without) not in marks)
        if not when:
            yield f'{key}: no condition under which it is true'
        if missing:
            yield f'{key}: no test in which it {missing} noted'


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    found = list(complaints(root))
    print('\n'.join(found) or f'{len(kinds(root))} kinds of notes')
    sys.exit(bool(found))


if __name__ == '__main__':
    main()
