#!/usr/bin/env python3
"""make.py BUILD FOLDER: a wheel in FOLDER of what BUILD has, with the clang and the linker that it
compiles kernels with and all libraries that these need.

What LLVM's library is linked with and kernels never reach (a solver for the static analyser, XML of
Windows' manifests, line editing) is 60 MB: empty libraries with the same symbols stand in for it.
"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
# What manylinux lets a wheel take from the system.
SYSTEM = re.compile(r"(linux-vdso|libc|libm|libdl|libpthread|librt|ld-linux-x86-64|libstdc\+\+|libgcc_s)\.so")
UNREACHED = re.compile(r"lib(z3|xml2|edit)\.so")
LIMIT = 70_000_000  # bytes


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def cached(build, name):
    with open(os.path.join(build, "CMakeCache.txt")) as cache:
        return re.search(rf"^{name}:\w+=(.*)$", cache.read(), re.M).group(1)


def needed(file):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", file))


def where(file):
    """The paths of the libraries that a program is loaded with."""
    return dict(re.findall(r"^\t(\S+) => (/\S+)", output("ldd", file), re.M))


def stand_in(name, users, real, folder):
    """A library `name` in place of `real`: all symbols of it that `users` have, with their versions."""
    offered = {}
    for line in output("readelf", "--dyn-syms", "-W", real).splitlines():
        word = line.split()
        if len(word) > 7 and word[6] != "UND" and word[3] in ("FUNC", "OBJECT", "IFUNC"):
            symbol, _, version = word[7].partition("@")
            offered[symbol] = (word[3], version.lstrip("@"))
    wanted = set()
    for user in users:
        for line in output("nm", "-D", "--undefined-only", user).splitlines():
            wanted.add(line.split()[-1].split("@")[0])
    source, versions = ["void abort(void);"], {}
    for symbol in sorted(wanted & set(offered)):
        kind, version = offered[symbol]
        source.append(f"void *{symbol};" if kind == "OBJECT" else f"void {symbol}(void) {{ abort(); }}")
        versions.setdefault(version, []).append(symbol)
    script = os.path.join(folder, name + ".map")
    with open(script, "w") as file:
        for version, symbols in versions.items():
            if version:
                file.write(version + " { global: " + "; ".join(symbols) + "; };\n")
    command = ["gcc", "-shared", "-fPIC", "-fno-builtin", "-w", "-nostdlib", "-Wl,--unresolved-symbols=ignore-all",
               "-Wl,-soname," + name, "-x", "c", "-", "-o", os.path.join(folder, name)]
    if any(versions):
        command.insert(1, "-Wl,--version-script=" + script)
    subprocess.run(command, input="\n".join(source), text=True, check=True)
    os.remove(script)


def package_of(file):
    """The Debian package that a file is of; where /lib is a link its database has either name."""
    real = os.path.realpath(file)
    for path in (file, real, re.sub("^/usr", "", real)):
        found = subprocess.run(["dpkg-query", "-S", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    sys.exit(f"make.py: no package has {file}, so its licence is not known")


def add_licences(files, to):
    """The texts that come with the packages of `files`, and those that they name and Debian has once for all."""
    os.makedirs(to)
    shutil.copy(os.path.join(HERE, "..", "LICENSE"), os.path.join(to, "LICENSE"))
    for package in sorted({package_of(file) for file in files}):
        with open(f"/usr/share/doc/{package}/copyright", encoding="utf-8") as file:
            text = file.read()
        with open(os.path.join(to, package + ".txt"), "w", encoding="utf-8") as file:
            file.write(text)
        for name in re.findall(r"/usr/share/common-licenses/([\w.+-]*\w)", text):
            shutil.copy(f"/usr/share/common-licenses/{name}", os.path.join(to, name + ".txt"))


def add_tools(build, to):
    """clang, lld and spirv-val in `to`/bin, their libraries in `to`/lib.  Returns what was copied."""
    version = cached(build, "MANIPLE_LLVM")
    clang = os.path.realpath(cached(build, "MANIPLE_CLANG"))
    programs = {f"clang-{version}": clang, "ld.lld": os.path.join(os.path.dirname(clang), "ld.lld"),
                "spirv-val": shutil.which("spirv-val")}
    os.makedirs(os.path.join(to, "bin"))
    os.makedirs(os.path.join(to, "lib"))
    paths, open_files, users = {}, list(programs.values()), {}
    for program in programs.values():
        paths.update(where(program))
    done, copied = set(), list(programs.values())
    while open_files:
        file = open_files.pop()
        for name in needed(file):
            if SYSTEM.match(name):
                continue
            users.setdefault(name, []).append(file)
            if name not in done and not UNREACHED.match(name):
                open_files.append(paths[name])
            done.add(name)
    for name in done:
        if UNREACHED.match(name):
            stand_in(name, users[name], paths[name], os.path.join(to, "lib"))
            continue
        copy = os.path.join(to, "lib", name)
        copied.append(paths[name])
        shutil.copy(os.path.realpath(paths[name]), copy)
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN", copy], check=True)
    for name, program in programs.items():
        copy = os.path.join(to, "bin", name)
        shutil.copy(os.path.realpath(program), copy)
        subprocess.run(["strip", copy], check=True)
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN/../lib", copy], check=True)
    # What clang reads for OpenCL C; it looks for it beside itself.
    headers = os.path.join(to, "lib", "clang", version, "include")
    os.makedirs(headers)
    for name in ("opencl-c.h", "opencl-c-base.h"):
        copied.append(os.path.join(os.path.dirname(clang), "..", "lib", "clang", version, "include", name))
        shutil.copy(copied[-1], headers)
    return copied


def add_driver(build, root):
    """libmaniple, its folder and the command, as they are installed."""
    with tempfile.TemporaryDirectory() as stage:
        subprocess.run(["cmake", "--install", build, "--strip", "--prefix", stage], check=True,
                       stdout=subprocess.DEVNULL)
        os.makedirs(os.path.join(root, "lib"))
        shutil.copy(os.path.join(stage, "lib", "libmaniple.so.1"), os.path.join(root, "lib"))
        # Without what `maniple c++` alone needs, which has no headers of C++ here.
        data = os.path.join(root, "lib", "maniple")
        shutil.copytree(os.path.join(stage, "lib", "maniple"), data, ignore=shutil.ignore_patterns("attributes.so"))
        for name in ("passes.so", "warm.so"):
            subprocess.run(["strip", "--strip-unneeded", os.path.join(data, name)], check=True)
        shutil.copytree(os.path.join(stage, "bin"), os.path.join(root, "bin"))


def oldest_glibc(root):
    """The newest version of glibc's symbols that any file asks for."""
    newest = (2, 17)
    for folder, _, names in os.walk(root):
        for name in names:
            file = os.path.join(folder, name)
            with open(file, "rb") as start:
                if start.read(4) != b"\x7fELF":
                    continue
            for found in re.findall(r"Name: GLIBC_2\.(\d+)", output("readelf", "-VW", file)):
                newest = max(newest, (2, int(found)))
    return newest


def pack(root, licences, name, version, tag, folder):
    file = os.path.join(folder, f"{name}-{version}-{tag}.whl")
    info = f"{name}-{version}.dist-info"
    record = []

    def add(archive, path, content, mode):
        entry = zipfile.ZipInfo(path)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, content, compresslevel=9)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{path},sha256={digest},{len(content)}")

    with zipfile.ZipFile(file, "w") as archive:
        for folder_of, _, names in sorted(os.walk(root)):
            for each in sorted(names):
                path = os.path.join(folder_of, each)
                with open(path, "rb") as content:
                    add(archive, os.path.relpath(path, root), content.read(), os.stat(path).st_mode & 0o755)
        texts = sorted(os.listdir(licences))
        with open(os.path.join(HERE, "METADATA"), encoding="utf-8") as text:
            metadata = text.read().replace("@version@", version)
        metadata = metadata.replace("@licences@\n", "".join(f"License-File: {each}\n" for each in texts))
        add(archive, info + "/METADATA", metadata.encode(), 0o644)
        for each in texts: # PEP 639
            with open(os.path.join(licences, each), "rb") as content:
                add(archive, f"{info}/licenses/{each}", content.read(), 0o644)
        add(archive, info + "/WHEEL", f"Wheel-Version: 1.0\nGenerator: maniple\nRoot-Is-Purelib: false\n"
            f"Tag: {tag}\n".encode(), 0o644)
        add(archive, info + "/entry_points.txt", b"[console_scripts]\nmaniple = maniple:main\n", 0o644)
        record.append(f"{info}/RECORD,,")
        archive.writestr(info + "/RECORD", "\n".join(record) + "\n")
    return file


def main():
    build, folder = sys.argv[1:]
    with tempfile.TemporaryDirectory() as root, tempfile.TemporaryDirectory() as other:
        package = os.path.join(root, "maniple")
        shutil.copytree(os.path.join(HERE, "maniple"), package, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(os.path.join(HERE, "maniple.pth"), root)
        # PyOpenCL's loader looks here; the place is taken from the loader's own.
        os.makedirs(os.path.join(root, "pyopencl", ".libs"))
        with open(os.path.join(root, "pyopencl", ".libs", "maniple.icd"), "w") as icd:
            icd.write("$ORIGIN/../../maniple/lib/libmaniple.so.1\n")
        add_driver(build, package)
        licences = os.path.join(other, "licenses")
        add_licences(add_tools(build, os.path.join(package, "lib", "maniple", "toolchain")), licences)
        glibc = oldest_glibc(root)
        os.makedirs(folder, exist_ok=True)
        file = pack(root, licences, "maniple", cached(build, "CMAKE_PROJECT_VERSION"),
                    f"py3-none-manylinux_{glibc[0]}_{glibc[1]}_x86_64", folder)
    size = os.path.getsize(file)
    print(f"{file}: {size / 1e6:.1f} MB")
    if size > LIMIT:
        sys.exit(f"make.py: that is more than {LIMIT / 1e6:.0f} MB")


main()
