#!/bin/sh
# Installs what poprt is built and tested with, on Debian 12.
#
# usage: scripts/install-dependencies.sh [build|test]
#   build  compilers, both MPIs, LLVM's OpenMP, libraries
#   test   that, and what the tests need (default)
set -eu

what=${1:-test}
packages="
  cmake ninja-build g++ clang-19 libomp-19-dev python3
  libopenmpi-dev openmpi-bin libmpich-dev mpich
  nlohmann-json3-dev libfmt-dev libcli11-dev libdw-dev libpapi-dev libutf8proc-dev zlib1g-dev duktape-dev"
# Any Node.js from 18 on makes the HTML report.
command -v node >/dev/null && command -v npm >/dev/null || packages="$packages nodejs npm"
case $what in
  build) ;;
  test) packages="$packages libclang-rt-19-dev lld-19 libgtest-dev libbenchmark-dev valgrind clang-format gdb gfortran
    pkg-config tcl dpkg-dev hwloc-nox zsh fish groff lammps hpcc
    quantum-espresso quantum-espresso-data python3-mpi4py libjemalloc2 libtcmalloc-minimal4 slurm-wlm munge iproute2 chromium librsvg2-bin poppler-utils" ;;
  *) echo "usage: $0 [build|test]" >&2; exit 2 ;;
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
