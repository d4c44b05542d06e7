#!/bin/sh
# cluster-demo.sh BUILD [MEGABYTES [RANKS]]: the example on StarPU with MPI, all ranks on this machine,
# and a plain program that does the same; their results have to be equal.
set -eu
build=$1
megabytes=${2:-256}
ranks=${3:-4}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The engine's own files (measured buses) stay here; only the OpenCL device is a worker of it.
export STARPU_HOME="$work" STARPU_SILENT=1
export STARPU_OPENCL_ON_CPUS=1 STARPU_OPENCL_ONLY_ON_CPUS=1 STARPU_NCPU=0 STARPU_NCUDA=0

# As root, in a container, and with more ranks than cores, Open MPI wants to be asked for.
set -- --oversubscribe --mca mpi_yield_when_idle 1 -n "$ranks"
[ "$(id -u)" != 0 ] || set -- --allow-run-as-root "$@"
if [ "$ranks" -le "$(nproc)" ]; then
  set -- --bind-to core --map-by "slot:PE=$(($(nproc) / ranks))" "$@"
  # The engine binds the thread of its first worker to the machine's first core, in each rank.
  export STARPU_WORKERS_NOBIND=1
else
  set -- --bind-to none "$@"
fi

echo "The lines of a log of $megabytes MB, and its histogram, on $ranks ranks:"
mpirun "$@" "$build/bin/example_cluster" "$megabytes" >"$work/ranks" </dev/null
cat "$work/ranks"
"$build/bin/log_plain" "$megabytes" >"$work/plain"
diff "$work/plain" "$work/ranks" || {
  echo "A plain loop over all of it finds something else." >&2
  exit 1
}
echo "A plain loop over all of it finds the same."
