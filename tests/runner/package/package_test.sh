#!/usr/bin/env bash
# package_test.sh CASE BUILD LIBTORCH: runs one case with the programs of a build.
set -euo pipefail
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
case=$1 build=$2 libtorch=$3

give_up() { printf '%s\n' "$1"; exit 1; }
skip() { printf '%s: Skipped\n%s\n' "$case" "$1"; exit 77; }  # as GoogleTest prints it

newest() { sort -V | tail -n1; }
is_older() { [[ $1 != "$2" && $(printf '%s\n' "$1" "$2" | newest) == "$2" ]]; }

# What the programs need of glibc and libstdc++: RHEL 9 has glibc 2.34 and GLIBCXX_3.4.29.
old_hosts() {
  local own limit needed
  own=$(getconf GNU_LIBC_VERSION)
  ! is_older 2.36 "${own#glibc }" || skip "programs that are built with $own need newer symbols"
  for limit in GLIBC_2.34 GLIBCXX_3.4.29; do
    needed=$(find "$build/bin" -maxdepth 1 -type f -exec objdump -T {} + | grep -o "(${limit%_*}_[0-9.]*) .*" | sort -V | tail -n3)
    ! is_older "$limit" "$(tail -n1 <<<"$needed" | tr -d '()' | cut -d' ' -f1)" ||
      give_up "expected no symbol newer than $limit, got"$'\n'"$needed"
  done
}

# ----- A root in which nothing but a shell, glibc and libstdc++ is of this host -----

add_file() { mkdir -p "$place/empty$(dirname "$1")" && cp -L "$1" "$place/empty$1"; }

make_root() {
  local name file
  mkdir -p "$place"/empty/{usr/bin,proc,dev,tmp,here,site/torch,site/nvidia/cu13/lib}
  ln -s usr/bin "$place/empty/bin"
  for name in bash sh env awk cat cut df dirname flock getent grep head id mkdir mktemp realpath rm sha256sum tail; do
    file=$(realpath "$(command -v "$name")")
    cp "$file" "$place/empty/bin/$name"
  done
  { ldd "$place"/empty/bin/*; ldd "$build/bin/lcsm-train" | grep -E '/lib(c|m|dl|rt|util|pthread|stdc\+\+|gcc_s)\.so'; } |
    grep -o '/[^ ]*\.so[^ ]*' | sort -u | while read -r file; do add_file "$file"; done
  while read -r file; do  # a wheel brings these beside torch
    cp -L "$file" "$place/empty/site/nvidia/cu13/lib/"
  done < <(ldd "$build/bin/lcsm-train" | grep -o '/[^ ]*/libcu\(dart\|pti\)\.so[^ ]*')
}

inside() {  # shell commands
  # shellcheck disable=SC2016
  unshare --map-root-user --mount bash -c '
    mount --rbind /proc "$1/proc" && mount --rbind /dev "$1/dev" && mount --rbind "$2" "$1/site/torch" &&
      exec chroot "$1" /bin/env -i PATH=/bin:/here/bin HOME=/tmp LCSM_WORKSPACE=/tmp/workspace /bin/bash -euc "$3"' \
    inside "$place/empty" "$libtorch" "$1" >"$place/out" 2>"$place/err" || give_up "$(cat "$place"/{out,err})"
}

expect() { [[ $(cat "$place"/{out,err}) == *"$1"* ]] || give_up "expected $1, got $(cat "$place"/{out,err})"; }

empty_root() {
  unshare --map-root-user --mount mount --rbind /proc /proc 2>/dev/null || skip "another root needs unshare, which this host does not allow"
  place=$(mktemp -d -t root-XXXXXX)  # not tmp.soX, which looks like a library
  trap 'rm -rf "$place"' EXIT
  "$here/../../../runner/package/pack" "$build" "$place" >"$place/out" 2>"$place/err" || give_up "$(<"$place/err")"
  expect "they need glibc "
  make_root
  tar -xf "$place"/lcsm-*.tar.xz --strip-components=1 -C "$place/empty/here"
  tar -czf "$place/empty/tmp/a.tar.gz" -C "$place/empty/bin" sh
  inside 'lcsm codes 1-9-1-0; lcsm sweeps; lcsm plan quickstart; lcsm run quickstart --dry-run'
  expect "m_t = o_t (.) m_(t-1) + e_t (x) i_t"
  expect "9 new"
  inside 'lcsm doctor || true'
  expect "no LibTorch yet"
  # shellcheck disable=SC2016
  inside 'lcsm run quickstart --set seed=1 || echo "status $?"; lcsm data get imdb --from /tmp/a.tar.gz || true'
  expect "install python3-pip"
  expect "status 3"
  expect "none of them among 1 entries"
  local small="--set seed=1 --set optim.steps=20 --set eval.steps=10 --set task.train=200"
  inside "export LCSM_LIBTORCH=/site; lcsm run quickstart $small --jobs 1 --plain; lcsm table quickstart $small
    lcsm-train params 1-9-1-4 --d 8 --k 4"
  expect "3 done"
  expect "1-3-1-2@gate=frozen"
}

"$case"
