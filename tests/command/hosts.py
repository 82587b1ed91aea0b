#!/usr/bin/env python3
"""Made-up hosts: what poprt-topology says of them is what lstopo finds, and `poprt doctor`
draws them as tests/golden/hosts.console shows.

usage: hosts.py POPRT HELPER GOLDEN [--update]
  --update writes what came out
"""
import collections
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

# Hosts by hwloc's description, or by their parts where these are not all alike, with what is put into its XML file: the kinds of memory of
# the nodes, and of cores by processors, efficiency and what the system says of them.
Host = collections.namedtuple("Host", "name description memory kinds", defaults=[(), ()])
HOSTS = (
    Host("two sockets of four nodes", "package:2 numa:4 l3:2 core:8 pu:2"),
    Host("siblings far apart", "package:2 numa:1 l3:1 core:4 pu:2(indexes=0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15)"),
    Host("dies", "package:2 die:2 numa:1 l3:1 core:4 pu:1"),
    Host("memory near all cores, and none near a socket", "[numa(memory=512GiB)] package:2 [numa(memory=64GiB)] l3:1 core:4 pu:1",
         ("DRAM", "DRAM", "CXL-DRAM")),
    Host("two kinds of memory", "package:2 [numa(memory=128GiB)] [numa(memory=16GiB)] l3:1 core:4 pu:1",
         ("DRAM", "HBM", "DRAM", "HBM")),
    Host("a socket's second kind of memory has numbers of its own",
         "package:2 [numa(memory=128GiB indexes=0,2,1,3)] [numa(memory=16GiB)] l3:1 core:4 pu:1",
         ("DRAM", "DRAM", "HBM", "HBM")),
    Host("nodes whose numbers have gaps", "package:2 [numa(memory=256GiB indexes=0,8)] l3:2 l2:2 core:2 pu:4"),
    Host("an ARM server without a cache for all", "package:2 numa:1 l2:8 core:1 pu:1"),
    Host("a hybrid processor", "package:1 l3:1 l2:4 core:2 pu:1", ("DRAM",),
         ((0x0f, 1, ("CoreType", "IntelCore")), (0xf0, 0, ("CoreType", "IntelAtom")))),
    Host("an ARM processor of three kinds of cores", "package:1 core:8 pu:1", (),
         ((0x0f, 0, ("LinuxCapacity", "250")), (0x70, 1, ("LinuxCapacity", "760")),
          (0x80, 2, ("LinuxCapacity", "1024")))),
    Host("kinds of cores of which nobody knows which is faster", "core:4 pu:1", (),
         ((0x3, -1, ("CoreType", "A")), (0xc, -1, ("CoreType", "B")))),
    Host("no caches and no cores are told", "pu:6"),
    # As Alder Lake: eight cores of two threads, and two clusters of four with an L2 cache each.
    Host("a hybrid processor whose slower cores have one thread",
         (("Package", [("L3Cache", [("L2Cache", [("Core", 2)])] * 8 + [("L2Cache", [("Core", 1)] * 4)] * 2)]),),
         ("DRAM",), ((0x00ffff, 1, ("CoreType", "IntelCore")), (0xff0000, 0, ("CoreType", "IntelAtom")))),
    # As RK3588: clusters of four, two and two cores, of which each is a package.
    Host("an ARM processor whose clusters are told as sockets",
         (("Package", [("Core", 1)] * 4), ("Package", [("Core", 1)] * 2), ("Package", [("Core", 1)] * 2)),
         (), ((0x0f, 0, ("LinuxCapacity", "530")), (0xf0, 1, ("LinuxCapacity", "1024")))),
)
SIZES = {"L3Cache": 30 << 20, "L2Cache": 2 << 20}


def tree_of(parts):
    """hwloc's objects for a host of these parts, each its type and what it consists of; a core
    of how many processors."""
    made = collections.Counter()

    def build(kind, inner, above):
        each = xml.etree.ElementTree.SubElement(above, "object", type=kind, nodeset="0x1", complete_nodeset="0x1")
        made.update(["object", kind])
        number = made[kind] - 1
        each.set("gp_index", str(made["object"]))
        if kind in SIZES:
            each.attrib.update(cache_size=str(SIZES[kind]), depth=kind[1], cache_linesize="64",
                               cache_associativity="8", cache_type="0")
        else:
            each.set("os_index", str(number))
        if kind == "PU":
            cpus = 1 << number
        elif kind == "Core":
            cpus = sum(build("PU", (), each) for _ in range(inner))
        else:
            cpus = sum(build(*part, each) for part in inner)
        each.set("cpuset", "0x%08x" % cpus)
        each.set("complete_cpuset", "0x%08x" % cpus)
        if kind == "Machine":
            each.attrib.update(allowed_cpuset="0x%08x" % cpus, allowed_nodeset="0x1")
            xml.etree.ElementTree.SubElement(each, "object", type="NUMANode", os_index="0", cpuset="0x%08x" % cpus,
                                             complete_cpuset="0x%08x" % cpus, nodeset="0x1", complete_nodeset="0x1",
                                             gp_index="1000", local_memory=str(32 << 30))
        return cpus

    root = xml.etree.ElementTree.Element("topology", version="2.0")
    build("Machine", parts, root)
    return xml.etree.ElementTree.ElementTree(root)


def xml_of(host, folder):
    """hwloc's file of the host."""
    path = folder / "host.xml"
    if isinstance(host.description, str):
        subprocess.run(["lstopo-no-graphics", "-f", "--input", host.description, "--of", "xml", path],
                       check=True, stderr=subprocess.DEVNULL, timeout=60)
        tree = xml.etree.ElementTree.parse(path)
    else:
        tree = tree_of(host.description)
    nodes = [each for each in tree.iter("object") if each.get("type") == "NUMANode"]
    for node, kind in zip(sorted(nodes, key=lambda each: int(each.get("os_index"))), host.memory):
        node.set("subtype", kind)
    for cpus, efficiency, info in host.kinds:
        kind = xml.etree.ElementTree.SubElement(
            tree.getroot(), "cpukind", cpuset="0x%08x" % cpus, forced_efficiency=str(efficiency))
        xml.etree.ElementTree.SubElement(kind, "info", name=info[0], value=info[1])
    path.write_text('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE topology SYSTEM "hwloc2.dtd">\n' +
                    xml.etree.ElementTree.tostring(tree.getroot(), encoding="unicode"))
    return path


def list_of(mask):
    """'0-3,8' of hwloc's '0x0000010f'."""
    bits = 0
    for word in mask.split(","):
        bits = bits << 32 | int(word or "0", 16)
    parts = []
    for number in (i for i in range(bits.bit_length()) if bits >> i & 1):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(a) if a == b else "%d-%d" % (a, b) for a, b in parts)


def lines_by_lstopo(path):
    """What the helper should say, by lstopo's own output."""
    text = subprocess.run(["lstopo-no-graphics", "--input", path, "--of", "xml", "--whole-system"],
                          check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60).stdout
    root = xml.etree.ElementTree.fromstring(text)
    objects = collections.defaultdict(list)
    for each in root.iter("object"):
        objects[each.get("type")].append(each)
    lines = ["cpus\t" + list_of(objects["Machine"][0].get("cpuset")), "model\t", "end"]
    for kind, key in ((("Core" if objects["Core"] else "PU"), "core"), ("Package", "socket"), ("Die", "die")):
        lines += ["%s\t%s" % (key, list_of(each.get("cpuset"))) for each in objects[kind]]
    for each in objects["NUMANode"]:
        lines.append("memory\t%s\t%s\t%s\t%s" % (list_of(each.get("cpuset")), each.get("os_index"),
                                                 each.get("local_memory"), each.get("subtype", "")))
    for level in range(1, 6):
        lines += ["cache\t%s\t%d\t%s" % (list_of(each.get("cpuset")), level, each.get("cache_size"))
                  for each in objects["L%dCache" % level]]
    for each in root.iter("cpukind"):
        names = [info.get("value") for info in each.iter("info") if info.get("name") == "CoreType"]
        lines.append("kind\t%s\t%s\t%s" % (list_of(each.get("cpuset")),
                                           each.get("forced_efficiency", "-1"), "".join(names)))
    return sorted(lines)


def drawing_of(poprt, helper, path, folder):
    """What doctor of an installation says that has this host's helper."""
    for name in ("bin", "lib"):
        (folder / name).mkdir(exist_ok=True)
    own = folder / "bin" / "poprt"
    if not own.exists():
        shutil.copy(poprt, own)
    script = folder / "lib" / "poprt-topology"
    script.write_text("#!/bin/sh\nHWLOC_XMLFILE=%s exec %s\n" % (path, helper))
    script.chmod(0o755)
    # What the user tells the program's hwloc is not asked.
    text = subprocess.run([own, "doctor", "--no-example"], check=True, stdout=subprocess.PIPE, timeout=60,
                          env={**os.environ, "HWLOC_SYNTHETIC": "core:7 pu:1"}).stdout.decode()
    return text[text.index(" this host"):]


def main():
    poprt, helper, golden = (os.path.abspath(each) for each in sys.argv[1:4])
    if shutil.which("lstopo-no-graphics") is None:
        print("skipped: no lstopo of hwloc (Debian: hwloc-nox)")
        return 77
    failures, text = 0, ""
    with tempfile.TemporaryDirectory(prefix="poprt-hosts-") as name:
        folder = pathlib.Path(name)
        for host in HOSTS:
            path = xml_of(host, folder)
            said = subprocess.run([helper], check=True, stdout=subprocess.PIPE, timeout=60,
                                  env={"HWLOC_XMLFILE": str(path)}).stdout.decode()
            expected = lines_by_lstopo(path)
            if sorted(said.splitlines()) != expected:
                failures += 1
                print("%s: poprt-topology says\n%sand lstopo\n%s\n" % (host.name, said, "\n".join(expected)))
            description = ": " + host.description if isinstance(host.description, str) else ""
            text += "--- %s%s\n%s" % (host.name, description, drawing_of(poprt, helper, path, folder))
    if "--update" in sys.argv:
        pathlib.Path(golden).write_text(text)
    elif pathlib.Path(golden).read_text() != text:
        failures += 1
        print("not what %s shows:\n%s" % (golden, text))
    return 1 if failures else 0


sys.exit(main())
