#!/usr/bin/env bash
# LibTorch of the version in .pins, and the CUDA libraries that it needs: found on this host, or fetched as wheels into
# a cache. ./bootstrap sources this file. In a package it is the program lcsm-train.libtorch next to lcsm-train, which
# prints the folders of the libraries for LD_LIBRARY_PATH:
#   lcsm-train.libtorch             fetches what is missing; messages go to stderr
#   lcsm-train.libtorch --offline   fetches nothing

# Exit statuses of the set-up, different from those of the programs that it runs.
# shellcheck disable=SC2034
readonly usage=2 platform=91 install=92 network=93 damaged=94 disk=95 compile=96

say() { printf '%s\n' "$*" >&2; }
step() { say "[$1/4] $2"; }
fail() { say "${name:-bootstrap}: $2"; exit "$1"; }  # status, sentence

need_space() {  # folder, megabytes
  local free
  free=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
  ((free >= $2)) || fail $disk \
    "expected at least $2 MB free on the disk of $1, found $free: free some space (or set LCSM_CACHE) and run it again."
}

fail_or_full() { need_space "$1" 50; fail "$2" "$3"; }  # folder, status, sentence

make_folder() {
  { mkdir -p "$1" 2>/dev/null && [[ -w $1 ]]; } ||
    fail $disk "cannot write to $1: make it writable (or set LCSM_CACHE) and run it again."
}

lock() {  # children inherit it, so processes left over from a killed call are waited for
  exec 9>"$1"
  flock -n 9 || { say "Waiting for another ./bootstrap ..." && flock 9; }
}
unlock() { exec 9>&-; }

pinned_version() { awk '$2 == "torch" { print $3 }' "$root/.pins"; }

version_of() {  # the one that the headers of a folder state
  cat "$1"/include/torch/{headeronly,csrc/api/include/torch}/version.h 2>/dev/null |
    awk '/define TORCH_VERSION_(MAJOR|MINOR|PATCH)/ { v = v "." $3 } END { print substr(v, 2) }' || true
}

check_libtorch() {  # folder
  local version
  version=$(version_of "$1")
  [[ -e $1/lib/libtorch_cpu.so && $version ]] || fail $platform \
    "expected LibTorch in LCSM_LIBTORCH=$1, found no lib/libtorch_cpu.so with include/torch: correct it or unset it."
  [[ $version == "$(pinned_version)" ]] || fail $platform \
    "expected LibTorch $(pinned_version) in LCSM_LIBTORCH=$1, got $version: install torch==$(pinned_version) there or unset it."
}

cuda_folders() {  # those of libraries beside LCSM_LIBTORCH and in the toolkit
  local toolkit=${CUDA_HOME:-/usr/local/cuda} folder
  [[ ${CUDA_HOME:-} || ! $(command -v nvcc) ]] || toolkit=$(realpath "$(command -v nvcc)")/../..
  for folder in "${LCSM_LIBTORCH:-/nonexistent}"/../nvidia/*/lib \
                "$toolkit"/{lib64,targets/x86_64-linux/lib,extras/CUPTI/lib64}; do
    [[ ! -d $folder ]] || realpath "$folder"
  done
}

has_library() {  # in one of these folders, or where the loader looks
  local folder folders
  mapfile -t folders < <(cuda_folders)
  for folder in "${folders[@]}"; do
    [[ ! -e $folder/$1 ]] || return 0
  done
  [[ $(PATH=$PATH:/sbin ldconfig -p 2>/dev/null) == *$'\n\t'"$1 ("* ]]
}

wanted_wheels() {
  local row when library
  while read -r row && read -r when _ _ _ library _ <<<"$row"; do
    case $when in
      torch) [[ ! ${LCSM_LIBTORCH:-} ]] ;;
      cuda) [[ ! ${LCSM_LIBTORCH:-} || -e $LCSM_LIBTORCH/lib/libtorch_cuda.so ]] &&
        ! { has_library libcudart.so.13 && has_library libcupti.so.13; } ;;
      gpu) [[ $LCSM_CUDA != off && -e /proc/driver/nvidia/version && $(command -v nvcc) ]] && ! has_library "$library" ;;
      *) false ;;
    esac && printf '%s\n' "$row"
  done <"$root/.pins"
  return 0
}

download() {  # package, version, folder
  local python=python3 glibc arguments=(--only-binary=:all: --python-version 3.12 --implementation cp)
  for glibc in {17..28}; do arguments+=(--platform "manylinux_2_${glibc}_x86_64"); done
  [[ -t 2 ]] || arguments+=(--quiet)
  "$python" -m pip --version &>/dev/null || python=/usr/bin/python3
  "$python" -m pip --version &>/dev/null || fail $install \
    "expected pip to fetch $1, got none: install python3-pip, or set LCSM_LIBTORCH to a torch $(pinned_version)."
  mkdir -p "$3"
  TMPDIR=$3 "$python" -m pip --disable-pip-version-check --no-cache-dir download --no-deps \
    "${arguments[@]}" --platform manylinux2014_x86_64 --dest "$3" "$1==$2" >&2 2>"$3/pip.log" && return
  [[ $(<"$3/pip.log") != *"No space left"* ]] || fail $disk \
    "the disk of $cache is full: free some space (or set LCSM_CACHE) and run it again."
  fail $network "could not download $1 $2 ($(grep -m1 ^ERROR "$3/pip.log" || tail -n1 "$3/pip.log")): \
check the network and pip's settings, then run it again."
}

fetch_wheel() {  # row of .pins, temporary folder; leaves a verified wheel in the cache
  local package version size sha wheel
  read -r _ package version size _ sha <<<"$1"
  wheel=$cache/wheels/$sha.whl
  if [[ ! -e $wheel ]]; then
    step 2 "$package $version: downloading $size MB"
    download "$package" "$version" "$2/$package"
    mv "$2/$package"/*.whl "$wheel"
  fi
  step 2 "$package $version: checking and unpacking"
  [[ $(sha256sum <"$wheel") == "$sha  -" ]] && return
  rm -f "$wheel"
  fail $damaged "the wheel of $package $version does not match the sha256 in .pins: run it again, or check your pip index."
}

unpack_wheel() {  # wheel, folder, what the files begin with ...
  python3 -c 'import sys, zipfile
wheel, folder, *parts = sys.argv[1:]
with zipfile.ZipFile(wheel) as files:
    files.extractall(folder, [name for name in files.namelist() if name.startswith(tuple(parts))])' "$@"
}

unpack_wheels() {  # rows, folder that appears when it is complete
  local row package sha temporary parts
  rm -rf "$cache"/tmp.*
  need_space "$cache" "$(awk '{ sum += $4 } END { print 4 * sum }' <<<"$1")"  # wheels, and twice that unpacked
  temporary=$(mktemp -d "$cache/tmp.XXXXXX")
  while read -r row; do
    fetch_wheel "$row" "$temporary"
    read -r _ package _ _ _ sha <<<"$row"
    parts=(nvidia/)
    [[ $package != torch ]] || parts=(torch/lib/ torch/include/)
    unpack_wheel "$cache/wheels/$sha.whl" "$temporary/tree" "${parts[@]}" </dev/null >&2 ||
      fail_or_full "$cache" $damaged "could not unpack $package: see the message above and run it again."
  done <<<"$1"
  sync -f "$temporary"
  rm -rf "$cache/wheels"
  mv -T "$temporary/tree" "$2"
  rm -rf "$temporary"
}

set_up_libtorch() {  # sets libtorch and runtime
  local rows folder
  if [[ ${LCSM_LIBTORCH:-} ]]; then
    [[ ! -d $LCSM_LIBTORCH/torch/lib ]] || LCSM_LIBTORCH=$LCSM_LIBTORCH/torch
    LCSM_LIBTORCH=$(realpath -m "$LCSM_LIBTORCH")
    check_libtorch "$LCSM_LIBTORCH"
  fi
  rows=$(wanted_wheels)
  folder=$cache/libtorch-$(pinned_version)-$(sha256sum <<<"$rows" | head -c 8)
  if [[ $rows && ! -d $folder ]]; then
    [[ ! ${offline:-} ]] || {
      say "LibTorch $(pinned_version) is neither in LCSM_LIBTORCH, nor in python3, nor in $cache: the first run fetches it."
      exit $install
    }
    make_folder "$cache/wheels"
    lock "$cache/lock"
    [[ -d $folder ]] || unpack_wheels "$rows" "$folder"
    unlock
  fi
  libtorch=${LCSM_LIBTORCH:-$folder/torch}
  runtime=$folder/nvidia/cu13/lib
  [[ -e $runtime/libcupti.so.13 ]] || runtime=${libtorch%/*}/nvidia/cu13/lib
  [[ -e $runtime/libcupti.so.13 ]] || runtime=
}

# ----- In a package -----

torch_of_python() {  # the folder of python3's torch, if it has the pinned version; without importing it
  local folder
  folder=$(python3 -c 'import importlib.util
print(importlib.util.find_spec("torch").submodule_search_locations[0])' 2>/dev/null) || return 0
  if [[ $(version_of "$folder") == "$(pinned_version)" ]]; then echo "$folder"
  else say "python3 has torch $(version_of "$folder"), not $(pinned_version)."; fi
}

print_folders() {
  local name=lcsm folders
  step() { say "lcsm: $2"; }
  trap 'say; fail 130 "interrupted; run it again to continue."' INT TERM
  LCSM_CUDA=${LCSM_CUDA:-auto}
  LCSM_LIBTORCH=${LCSM_LIBTORCH:-$(torch_of_python)}
  set_up_libtorch
  LCSM_LIBTORCH=$libtorch
  mapfile -t folders < <({ echo "$libtorch/lib"; [[ ! $runtime ]] || echo "$runtime"; cuda_folders; } | awk '!seen[$0]++')
  [[ ${folders[*]} != *[:\;\$]* ]] || fail $platform \
    "expected libraries in folders without ':', ';' and '\$', at which LD_LIBRARY_PATH is split, got ${folders[*]}: set LCSM_CACHE or LCSM_LIBTORCH."
  (IFS=:; echo "${folders[*]}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}")
}

root=${root:-$(dirname "$(realpath "${BASH_SOURCE[0]}")")}  # of .pins
export HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
cache=$(realpath -m "${LCSM_CACHE:-${XDG_CACHE_HOME:-${HOME:-$root/build}/.cache}/lcsm}")
if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -euo pipefail
  [[ ${1:-} != --offline ]] || offline=1
  print_folders
fi
