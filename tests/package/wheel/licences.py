#!/usr/bin/env python3
"""licences.py WHEEL: each program and library in it that others wrote has its licence there.  Asks Debian's
database by the files' names, and takes LLVM's texts by their sentences."""
import re
import subprocess
import sys
import zipfile

UNREACHED = re.compile(r"lib(z3|xml2|edit)\.so")  # empty ones of ours in their place: wheel/make.py
bad = []


def packages_with(name):
    found = subprocess.run(["dpkg-query", "-S", "*/" + name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return {line.split(":")[0] for line in found.stdout.splitlines()}


with zipfile.ZipFile(sys.argv[1]) as wheel:
    names = wheel.namelist()
    texts = {name.split("/")[-1]: wheel.read(name).decode() for name in names if ".dist-info/licenses/" in name}
    metadata = wheel.read(next(name for name in names if name.endswith(".dist-info/METADATA"))).decode()
    record = wheel.read(next(name for name in names if name.endswith(".dist-info/RECORD"))).decode()

listed = re.findall(r"^License-File: (.*)$", metadata.split("\n\n")[0], re.M)
if sorted(listed) != sorted(texts):
    bad.append(f"METADATA lists {sorted(listed)}, and there are {sorted(texts)}")
bad += [f"RECORD lacks {text}" for text in texts if f"/licenses/{text},sha256=" not in record]
tools = [name.split("/")[-1] for name in names if "/toolchain/" in name]
for tool in tools:
    if UNREACHED.match(tool):
        continue
    packages = packages_with(tool)
    if not any(package + ".txt" in texts for package in packages):
        bad.append(f"{tool}: no licence of {sorted(packages)}")
for text in texts.values():
    for name in re.findall(r"/usr/share/common-licenses/([\w.+-]*\w)", text):
        if name + ".txt" not in texts:
            bad.append(f"the text of {name} is not there")
for file, sentences in {"LICENSE": ["Permission is hereby granted"],
                        "clang-": ["LLVM Exceptions to the Apache 2.0 License", "University of Illinois"],
                        "Apache-2.0.txt": ["TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION"]}.items():
    for sentence in sentences:
        if not any(name.startswith(file) and sentence in " ".join(text.split()) for name, text in texts.items()):
            bad.append(f"no text {file} says '{sentence}'")
print("\n".join(bad) or f"{len(tools)} files of others', {len(texts)} texts of licences")
sys.exit(bool(bad))
