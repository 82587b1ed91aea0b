#!/usr/bin/env python3
"""What scripts/check_stack.py finds in made-up call graphs."""
import os
import sys
import tempfile
import types
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "scripts"))
import check_stack  # noqa: E402


def node(name, size, kind="static"):
    return 'node: { title: "%s" label: "%s()\\nfile.cc:1:1\\n%d bytes (%s)" }' % (
        name, name, size, kind)


def edge(caller, callee, place="file.cc:1:1"):
    return 'edge: { sourcename: "%s" targetname: "%s" label: "%s" }' % (caller, callee, place)


class Stack(unittest.TestCase):
    def errors(self, lines, calls=(), recursions=(), dynamic=(), exported=(), callbacks=()):
        lines = [*lines, node("_ZN5poprt9completesEPFvPvES0_", 8)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "it.ci")
            with open(path, "w") as file:
                file.write("\n".join(lines))
            with open(os.path.join(folder, "file.cc"), "w") as file:
                file.write("it(data);\n")
            symbols = {name.split('"')[1] for name in lines if name.startswith("node")}
            check = check_stack.Check(check_stack.Graph([path], symbols),
                                      types.SimpleNamespace(folder=folder),
                                      (list(calls), list(callbacks), list(recursions), list(dynamic)), exported)
            check.run()
            return "\n".join(check.errors)

    def test_a_path_is_as_deep_as_its_frames(self):
        path = [node("a", 2000), edge("a", "b"), node("b", 2000), edge("b", "c")]
        self.assertEqual("", self.errors([*path, node("c", 96)]))
        self.assertIn("4104 bytes", self.errors([*path, node("c", 104)]))

    def test_the_largest_frame_of_a_name_counts(self):
        self.assertIn("5000 bytes", self.errors([node("a", 16), node("a", 5000), node("a", 8)]))

    def test_a_call_through_a_pointer_must_be_listed(self):
        lines = [node("a", 3000), edge("a", check_stack.INDIRECT), node("b", 2000)]
        self.assertIn("a calls through a pointer", self.errors(lines))
        call = check_stack.Call("*file.cc", "it(", ("b",), 1)
        self.assertIn("5000 bytes", self.errors(lines, [call]))
        self.assertEqual("", self.errors(lines, [call._replace(targets=("-",))]))

    def test_what_others_call_back_must_be_listed(self):
        lines = [node("a", 3000), edge("a", "dl_iterate_phdr"), node("b", 2000)]
        self.assertIn("a: what does it give to", self.errors(lines))
        self.assertIn("5000 bytes", self.errors(
            lines, callbacks=[check_stack.Callback("a", "b", 1)]))

    def test_functions_that_call_each_other_must_be_listed(self):
        lines = [node("a", 300), edge("a", "b"), node("b", 200), edge("b", "c"), node("c", 100),
                 edge("c", "b")]
        self.assertIn("recursion: b > c", self.errors(lines))
        self.assertEqual("", self.errors(lines, (), [check_stack.Recursion("c", 10, 1)]))
        self.assertIn("6300 bytes", self.errors(lines, (), [check_stack.Recursion("c", 20, 1)]))

    def test_functions_that_only_call_each_other_are_found(self):
        lines = [node("a", 9000), edge("a", "b"), node("b", 8), edge("b", "a")]
        self.assertIn("only called from each other", self.errors(lines))
        self.assertIn("9008 bytes", self.errors(
            lines, (), [check_stack.Recursion("b", 1, 1)], exported=["a"]))

    def test_a_frame_of_any_size_must_be_listed(self):
        self.assertIn("of any size", self.errors([node("a", 16, "dynamic")]))
        self.assertEqual("", self.errors([node("a", 16, "dynamic")], dynamic=["a"]))
        self.assertEqual("", self.errors([node("a", 16, "dynamic,bounded")]))


if __name__ == "__main__":
    unittest.main()
