#!/usr/bin/env bash
# kit_test.sh: packs small programs and runs them from an empty folder, with a fake torch.
set -euo pipefail
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT

give_up() { printf '%s\n' "$1"; exit 1; }

program() {  # name, C++ statements
  printf '#include <cstdio>\n#include <cstdlib>\nint main(int, char** words) { (void)words; %s }\n' "$2" |
    "${CXX:-g++}" -x c++ - -o "$box/build/bin/$1"
}

torch_of_version() {
  mkdir -p "$box/site/torch/lib"
  touch "$box/site/torch/__init__.py"
  echo "__version__ = '$1+cu130'" >"$box/site/torch/version.py"
}

run() { PYTHONPATH=$box/site "$box/elsewhere/run" "$@" 2>&1; }

mkdir -p "$box/build/bin" "$box/elsewhere"
program lcsm 'std::printf("lcsm %s in %s\\n", words[1], std::getenv("LD_LIBRARY_PATH"));'
program good_tests 'std::puts("[  PASSED  ] 3 tests.\n[  SKIPPED ] 1 test, listed below:");'
program bad_tests 'std::puts("[  PASSED  ] 2 tests.\n[  FAILED  ] 1 test, listed below:"); return 1;'
program dying_tests 'std::abort();'
"$here/pack" "$box/build" "$box/kit.tar.gz"
tar -C "$box/elsewhere" -xf "$box/kit.tar.gz"
rm -r "$box/build"

torch_of_version "$(awk '$1 == "torch" { print $3 }' "$here/../../.pins")"
[[ $(run lcsm --version) == "lcsm --version in "*/elsewhere/lib:*/site/torch/lib* ]] || give_up "$(run lcsm --version)"
[[ $(run lcsn) == *'got "lcsn"'* ]] || give_up "$(run lcsn)"
! run >"$box/out" || give_up "expected the failed tests to show in the status"
[[ $(tail -n1 "$box/out") == "5 passed, 2 failed, 1 skipped" ]] || give_up "$(<"$box/out")"
[[ $(tail -n2 "$box/out") == GPU:* ]] || give_up "$(<"$box/out")"
rm "$box"/elsewhere/bin/{bad,dying}_tests
run >"$box/out" || give_up "$(<"$box/out")"
torch_of_version 2.10.0
[[ $(run) == *"got 2.10.0"* ]] || give_up "$(run)"
