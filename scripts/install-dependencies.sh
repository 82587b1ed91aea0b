#!/bin/sh
# Installs what poprt is built and tested with, on Debian 12.
#
# usage: scripts/install-dependencies.sh [demo-openmpi|demo-mpich|build|test]
#   demo-openmpi, demo-mpich  compilers, that MPI, LLVM's OpenMP, libraries
#   build  both MPIs, and what makes the page for a browser
#   test   that, and what the tests need (default)
set -eu

what=${1:-test}
openmpi="libopenmpi-dev openmpi-bin"
mpich="libmpich-dev mpich"
# Any Node.js from 18 on makes the HTML report. A release has what it makes.
page=
[ -e "$(dirname "$0")/../web/page.html" ] || { command -v node && command -v npm; } >/dev/null || page="nodejs npm"
# What libdw needs where it is linked as an archive (-DPOPRT_STATIC=ON).
archives="libbz2-dev liblzma-dev"
packages="
  cmake ninja-build g++ clang-19 libomp-19-dev python3
  nlohmann-json3-dev libfmt-dev libcli11-dev pkg-config libdw-dev libhwloc-dev libpapi-dev zlib1g-dev duktape-dev"
case $what in
  demo-openmpi) packages="$packages $openmpi" ;;
  demo-mpich) packages="$packages $mpich" ;;
  build) packages="$packages $openmpi $mpich $page $archives" ;;
  test) packages="$packages $openmpi $mpich $page $archives libclang-rt-19-dev lld-19 libgtest-dev libbenchmark-dev valgrind clang-format gdb gfortran
    ocl-icd-opencl-dev libpocl2 tcl dpkg-dev hwloc-nox zsh fish groff lammps hpcc
    quantum-espresso quantum-espresso-data python3-mpi4py libjemalloc2 libtcmalloc-minimal4 slurm-wlm munge iproute2 chromium librsvg2-bin poppler-utils" ;;
  *) echo "usage: $0 [demo-openmpi|demo-mpich|build|test]" >&2; exit 2 ;;
esac

missing=
for package in $packages; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
echo "installing:$missing"
$sudo apt-get update -q
$sudo env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -q --no-install-recommends $missing
