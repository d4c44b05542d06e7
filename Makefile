# A short front door to CMake, Ninja and CTest.
#
#   make                          build into build/: the driver, the command, the examples
#   make tests                    build the test programs and the benchmark too
#   make demo                     build, run the examples on real input
#   make cluster-demo [ARGS="MEGABYTES RANKS"]  the same on several ranks: StarPU and MPI
#   make quick                    build them, run what takes some minutes only (CONTRIBUTING.md)
#   make check [SAN=...] [LLVM=21]  build them, run all tests; SAN=address,undefined or SAN=thread
#   make nightly                  the same with the long forms of tests, and random ones
#   make check-aarch64            build for AArch64, run units, cases, passes, collectives, sub-groups and random kernels by QEMU
#   make bench-aarch64            instructions of collectives and of twenty kernels beside intrinsics, after check-aarch64
#   make applications             build, run programs of Debian's where they are installed (docs/applications.md)
#   make bench [ARGS="..."]       build, measure, print the table of bars (bench/README.md); with --scale, jobs on
#                                 1 to all threads beside OpenMP
#   make bench-kernels [ARGS="..."]  the same for ordinary kernels (bench/kernels/README.md)
#   make bench-decisions          how far the compiler's choices of lanes are from the best ones that were measured
#   make fuzz [N=...] [SEED=...]  build, run N random kernels against the host reference
#   make flow [N=...] [SEED=...]  the same for control flow: gotos, switches into loops
#   make memory [N=...] [SEED=...]  the same for accesses to memory: structs, strides, masks, tiles
#   make api-fuzz [N=...] [SEED=...] [THREADS=...] [SAN=...]  random calls of the OpenCL API
#   make programs [N=...] [SEED=...] [ARGS="-p PLATFORM"]  build, run N random programs, compare engines
#   make libfuzzer [TARGET="..."] [TIME=...]  readers of hostile input, each for TIME seconds
#   make sweep [SEED=...]         build, run the tests of sub-groups over twenty times as many launches
#   make check-legal [N=...]      build, run what is legal under `maniple check`: nothing may be reported
#   make extend                   add an operation to a copy of the source, build and test that
#   make install [PREFIX=...] [DESTDIR=...]
#   make deb                      build Debian packages into build/deb, and have lintian look at them
#   make deb-check                try them in a new Debian (needs root or sudo, and Debian's mirror)
#   make wheel                    build a wheel for pip into build/wheel (wheel/make.py)
#   make wheel-check              try it in a new Debian 12 and 13 (the same, and a Python package index)
#   make clean
#
# On Debian and Ubuntu each of them first installs the packages that are missing (scripts/).  LLVM=20 or
# LLVM=21 builds with that version in place of 19, in a folder of its own.

SAN     ?=
LLVM    ?= 19
N       ?= 1000
SEED    ?= 1
THREADS ?= 1
TIME    ?= 60
TARGET  ?=
PREFIX  ?= /usr/local
DESTDIR ?=
ARGS    ?=

comma   := ,
BUILD   ?= build$(if $(filter-out 19,$(LLVM)),-llvm$(LLVM))$(if $(SAN),-$(subst $(comma),-,$(SAN)))
export LLVM
icd      = OCL_ICD_VENDORS=$(abspath $(BUILD))/maniple.icd

.PHONY: all tests packages configure demo cluster-demo quick check check-aarch64 bench-aarch64 nightly applications bench bench-kernels bench-decisions fuzz flow memory api-fuzz libfuzzer check-legal programs sweep extend install deb deb-check wheel wheel-check clean

all: configure
	@cmake --build $(BUILD)

tests: configure
	@cmake --build $(BUILD) --target all tests benchmark

packages:
	@scripts/install-packages.sh

configure: packages
	@cmake -G Ninja -S . -B $(BUILD) -DCMAKE_C_COMPILER=clang-$(LLVM) -DCMAKE_CXX_COMPILER=clang++-$(LLVM) \
	  -DMANIPLE_LLVM=$(LLVM) -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DMANIPLE_SAN=$(SAN) $(MORE) --log-level=WARNING >/dev/null

demo: all
	@$(icd) scripts/demo.sh $(abspath $(BUILD))

cluster-demo: packages
	@scripts/install-packages.sh libstarpu-dev openmpi-bin libopenmpi-dev pkg-config
	@$(MAKE) --no-print-directory all
	@$(icd) scripts/cluster-demo.sh $(abspath $(BUILD)) $(ARGS)

quick check nightly: MORE = -DMANIPLE_WERROR=ON
quick check: configure # without the benchmark, which make nightly builds
	@cmake --build $(BUILD) --target all tests
	@scripts/check.sh $(BUILD) $(filter quick,$@)

nightly: tests
	@cmake --build $(BUILD) --target tests_by_night
	@scripts/check.sh $(BUILD) nightly
	@$(MAKE) --no-print-directory fuzz flow memory programs sweep check-legal extend

check-aarch64: all
	@scripts/install-packages.sh qemu-user-static qemu-system-arm lld-$(LLVM) cpio jq
	@scripts/check-aarch64.sh $(BUILD) build-aarch64

bench-aarch64:
	@[ -d build-aarch64/tests ] || { echo "make check-aarch64 builds what this measures" >&2; exit 1; }
	@scripts/install-packages.sh qemu-user gcc
	@status=0; for what in run ordinary; do bench/aarch64/$$what.sh build-aarch64 || status=1; done; exit $$status

applications: all
	@ctest --test-dir $(BUILD) -C applications -L applications --output-on-failure --no-tests=error

bench: configure
	@cmake --build $(BUILD) --target all benchmark
	@$(if $(filter --scale,$(ARGS)),python3 bench/scale/run.py,$(BUILD)/bin/bench) -o $(BUILD) $(ARGS) \
	  $(if $(filter --scale,$(ARGS)),$(abspath $(BUILD))/bin) $(abspath $(BUILD))/maniple.icd

bench-kernels: configure
	@scripts/install-packages.sh python3-numpy
	@cmake --build $(BUILD)
	@MANIPLE_ICD=$(abspath $(BUILD))/maniple.icd python3 bench/kernels/run.py -o $(BUILD) $(ARGS)

bench-decisions: configure
	@cmake --build $(BUILD)
	@python3 bench/kernels/decisions.py report $(abspath $(BUILD))/bin/maniple bench/kernels/decisions.tsv

fuzz: configure
	@cmake --build $(BUILD) --target all fuzz
	@$(icd) $(BUILD)/bin/fuzz $(N) $(SEED)

flow: configure
	@cmake --build $(BUILD) --target all fuzz_flow
	@$(icd) $(BUILD)/bin/fuzz_flow -c clang-$(LLVM) $(N) $(SEED)

memory: configure
	@cmake --build $(BUILD) --target all fuzz_memory
	@$(icd) $(BUILD)/bin/fuzz_memory -c clang-$(LLVM) $(N) $(SEED)

api-fuzz: configure
	@cmake --build $(BUILD) --target all api_calls
	@$(icd) $(BUILD)/bin/api_calls $(N) $(SEED) $(THREADS)

programs: configure
	@cmake --build $(BUILD) --target all fuzz_programs
	@$(icd) $(BUILD)/bin/fuzz_programs -k $(BUILD)/programs.kept $(ARGS) $(N) $(SEED)

libfuzzer: BUILD = build-libfuzzer
libfuzzer: SAN = address,undefined
libfuzzer: MORE = -DMANIPLE_LIBFUZZER=ON
libfuzzer: configure
	@cmake --build $(BUILD) --target libfuzzer
	@tests/libfuzzer/run.sh $(BUILD) $(TIME) $(TARGET)

sweep: configure
	@cmake --build $(BUILD) --target all fuzz sub_groups
	@TEST_ROUNDS=20 $(icd) $(BUILD)/tests/sub_groups
	@$(icd) $(BUILD)/bin/fuzz -g 100 $(N) $(SEED)

check-legal: configure
	@scripts/install-packages.sh python3-numpy
	@cmake --build $(BUILD) --target all cases opencl_cpp_library fuzz
	@scripts/check-legal.sh $(BUILD) $(N)

extend: packages
	@tests/extend/extend.sh tests/extend/xnor.patch xnor

install: all
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD)

deb:
	@scripts/make-deb.sh build/deb

wheel: all
	@scripts/install-packages.sh gcc python3 binutils patchelf lld-$(LLVM) spirv-tools
	@rm -rf $(BUILD)/wheel
	@python3 wheel/make.py $(BUILD) $(BUILD)/wheel

wheel-check: wheel
	@tests/package/wheel/check.sh $(BUILD)/wheel/*.whl

deb-check: deb
	@tests/package/deb/check.sh build/deb

clean:
	rm -rf build build-*
