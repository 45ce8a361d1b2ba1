# A host for ./bootstrap made of fakes: its own PATH, cache, pins and wheels, and no network.
# shellcheck shell=bash disable=SC2016  # the bodies of fakes are expanded when they are called

fake() {  # name, body
  printf '#!/bin/bash\n%s\n' "$2" >"$box/bin/$1"
  chmod +x "$box/bin/$1"
}

make_wheel() {  # package, file, more files; each of 200 kB
  local package=$1 file
  shift
  mkdir -p "$box/wheels"
  (
    cd "$(mktemp -d "$box/content.XXXX")" || exit
    for file; do mkdir -p "$(dirname "$file")" && head -c 200000 /dev/urandom >"$file"; done
    mkdir -p torch/include/torch/headeronly
    printf '#define TORCH_VERSION_%s\n' 'MAJOR 2' 'MINOR 11' 'PATCH 0' >torch/include/torch/headeronly/version.h
    [[ $package == torch ]] || rm -r torch
    rm -f "$box/wheels/$package.whl"
    /usr/bin/python3 -c 'import shutil, sys; shutil.make_archive(sys.argv[1], "zip", ".")' "$box/wheels/$package"
    mv "$box/wheels/$package.zip" "$box/wheels/$package.whl"
  )
}

pin() {  # when, package, library
  echo "$1 $2 $(version_of "$2") 1 $3 $(sha256sum <"$box/wheels/$2.whl" | cut -d' ' -f1)" >>"$checkout/.pins"
}
version_of() { [[ $1 == torch ]] && echo 2.11.0 || echo 13.0.1; }

fake_tools() {
  local tool
  for tool in awk bash cat chmod cp cut date dirname env flock grep head ln ls mkdir mktemp mv realpath \
              rm sed sha256sum sleep tail touch; do
    ln -s "$(command -v "$tool")" "$box/bin/$tool"
  done
  fake sync 'exit 0'
  fake id 'echo 1000'
  fake uname 'echo Linux x86_64'
  fake getent 'echo "me:x:1000:1000::$HOME_OF_PASSWD:/bin/bash"'
  fake df 'printf "h\nfs 1 1 %s 1%% /\n" 90000'
  fake nproc 'echo 1'
  fake sudo 'exit 1'
  fake dpkg 'echo "dpkg $*" >>"$LOG"'
  fake apt-get 'echo "apt-get $*" >>"$LOG"; touch "$BOX/installed"'
  fake ldconfig 'exit 0'
}

fake_builders() {
  fake dpkg-query 'for p in "${@:3}"; do
    [[ " ${LACKING:-} " == *" $p "* && ! -e $BOX/installed ]] || echo "$p installed"; done'
  fake g++ 'echo 12.2.0'
  fake python3 '[[ $* != *--version ]] || exit 0
    [[ $1 != -c ]] || exec /usr/bin/python3 "$@"
    package=${*: -1} package=${package%%==*}
    while [[ $1 != --dest ]]; do shift; done
    echo "download $package" >>"$LOG"
    cp "$BOX/wheels/$package.whl" "$2/"'
  fake cmake 'echo "cmake $*" >>"$LOG"; mkdir -p build/release; touch build/release/build.ninja'
  fake ninja 'cd "$2"
    echo "ninja: Entering directory"; echo "1 of 5, 0.1s: Checking the git revision"
    [[ ! -e bin/lcsm ]] || exit 0
    echo "2 of 5, 0.2s: Building CXX object"
    echo "ninja $*" >>"$LOG"; mkdir -p bin; cp "$BOX/lcsm" bin/lcsm'
  fake ctest 'echo "ctest $*"'
  printf '#!/bin/bash\necho "lcsm $*"\n' >"$box/lcsm"
  chmod +x "$box/lcsm"
}

make_checkout() {  # folder
  mkdir -p "$1/lcsm"
  cp "${source:?}/bootstrap" "$source/CMakePresets.json" "$1/"
  cp "$source/lcsm/libtorch.sh" "$1/lcsm/"
}

make_box() {
  box=$(mktemp -d)
  trap 'rm -rf "$box"' EXIT
  checkout="$box/my checkout"
  mkdir -p "$box/bin"
  make_checkout "$checkout"
  fake_tools
  fake_builders
  # shellcheck disable=SC2046  # one file name per word
  make_wheel torch torch/lib/libtorch_cpu.so torch/version.py $(printf 'torch/include/%s.h ' {1..20})
  make_wheel nvidia-cuda-runtime nvidia/cu13/lib/libcudart.so.13
  make_wheel nvidia-cuda-cupti nvidia/cu13/lib/libcupti.so.13
  pin torch torch libtorch_cpu.so
  pin cuda nvidia-cuda-runtime libcudart.so.13
  pin cuda nvidia-cuda-cupti libcupti.so.13
  : >"$box/log"
  boxed=(env -i PATH="$box/bin" HOME="$box/home" CUDA_HOME="$box/toolkit" LCSM_CACHE="$box/cache"
         BOX="$box" LOG="$box/log")
}

bootstrap() { run "$checkout/bootstrap" "$@"; }

run() {  # program, [NAME=VALUE ...] arguments; sets status, leaves $box/out and $box/err
  local program=$1 settings=()
  shift
  while [[ ${1:-} == [A-Z]*=* ]]; do settings+=("$1"); shift; done
  status=0
  "${boxed[@]}" "${settings[@]}" "$program" "$@" >"$box/out" 2>"$box/err" </dev/null || status=$?
}

give_up() { printf '%s\n--- stderr:\n%s\n--- log:\n%s\n' "$1" "$(<"$box/err")" "$(<"$box/log")"; exit 1; }
expect_status() { [[ $status == "$1" ]] || give_up "expected status $1, got $status"; }
expect_out() { [[ $(<"$box/out") == "$1" ]] || give_up "expected on stdout \"$1\", got \"$(<"$box/out")\""; }
expect_stderr() { [[ $(<"$box/err") == *"$1"* ]] || give_up "expected on stderr \"$1\""; }
expect_logged() { grep -q -- "$1" "$box/log" || give_up "expected in the log \"$1\""; }
expect_not_logged() { ! grep -q -- "$1" "$box/log" || give_up "not expected in the log: \"$1\""; }
expect_one_sentence() {  # the last line is ours, and no other is
  [[ $(grep -c '^bootstrap: ' "$box/err") == 1 && $(tail -n1 "$box/err") == "bootstrap: "* ]] ||
    give_up "expected one closing sentence on stderr"
}
