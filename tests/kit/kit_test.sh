#!/usr/bin/env bash
# kit_test.sh: packs small programs and runs them from an empty folder, with a fake torch.
set -euo pipefail
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT

give_up() { printf '%s\n' "$1"; exit 1; }

program() {  # name, C++ statements
  printf '#include <cstdio>\n#include <cstdlib>\n#include <cstring>\nint main(int, char** words) { (void)words; %s }\n' "$2" |
    "${CXX:-g++}" -x c++ - -o "$box/build/bin/$1"
}

torch_of_version() {
  mkdir -p "$box/site/torch/lib"
  touch "$box/site/torch/__init__.py"
  echo "__version__ = '$1+cu130'" >"$box/site/torch/version.py"
}

run() { PYTHONPATH=$box/site "$box/elsewhere/run" "$@" 2>&1; }

mkdir -p "$box/build/bin/ptx" "$box/elsewhere"
program lcsm 'std::printf("lcsm %s in %s\\n", words[1], std::getenv("LD_LIBRARY_PATH"));'
program lcsm-train '
  const char* device = "";
  for (char** word = words; *word; ++word)
    if (std::strcmp(*word, "--device") == 0) device = word[1];
  if (std::strcmp(device, "model:h100") == 0)
    std::puts("{\"results\": [{\"code\": \"1-1-1-0\", \"forward\": {\"no_faster_than\": 1e-6}}]}");
  else if (std::strcmp(words[2], "eos") == 0)
    std::puts("some words {\"results\": [{\"code\": \"1-1-1-0\", \"contestants\": [{\"forward\":"
              "{\"median\": 2e-6}, \"forward_backward\": {\"median\": 3e-6}}]}]}");
  else
    std::puts("no numbers");'
program good_tests 'std::puts("[  PASSED  ] 3 tests.\n[  SKIPPED ] 1 test, listed below:");'
program bad_tests 'std::puts("[  PASSED  ] 2 tests.\n[  FAILED  ] 1 test, listed below:"); return 1;'
program dying_tests 'std::abort();'
"$here/pack" "$box/build" "$box/kit.tar.xz"
python3 -m tarfile -e "$box/kit.tar.xz" "$box/elsewhere"
rm -r "$box/build"

torch_of_version "$(awk '$1 == "torch" { print $3 }' "$here/../../.pins")"
[[ $(run lcsm --version) == "lcsm --version in "*/elsewhere/lib:*/site/torch/lib* ]] || give_up "$(run lcsm --version)"
[[ $(run lcsn) == *'got "lcsn"'* ]] || give_up "$(run lcsn)"
! run >"$box/out" || give_up "expected the failed tests to show in the status"
[[ $(tail -n1 "$box/out") == "5 passed, 2 failed, 1 skipped" ]] || give_up "$(<"$box/out")"
[[ $(tail -n2 "$box/out") == GPU:* ]] || give_up "$(<"$box/out")"
rm "$box"/elsewhere/bin/{bad,dying}_tests
run >"$box/out" || give_up "$(<"$box/out")"
printf '#!/bin/sh\necho "NVIDIA H100 80GB HBM3, 81559 MiB, 580.1"\n' >"$box/nvidia-smi"
chmod +x "$box/nvidia-smi"
PATH=$box:$PATH run gpu "$box/gpu.json" >"$box/out" || give_up "$(<"$box/out")"
[[ $(<"$box/out") == *"1-1-1-0      forward                 2.0 us        1.0 us at least,  50 %"* ]] || give_up "$(<"$box/out")"
[[ $(tail -n1 "$box/out") =~ ^[1-9][0-9]*" passed, 0 failed, "[1-9] ]] || give_up "$(<"$box/out")"
[[ $(<"$box/gpu.json") == *'"error": "printed no JSON"'* ]] || give_up "$(<"$box/gpu.json")"
printf '#!/bin/sh\nexit 3\n' >"$box/elsewhere/bin/lame_tests"
chmod +x "$box/elsewhere/bin/lame_tests"
! PATH=$box:$PATH run gpu "$box/gpu.json" >"$box/out" || give_up "expected tests that end badly to show in the status"
[[ $(<"$box/gpu.json") == *'"why": "ended with status 3"'* ]] || give_up "$(<"$box/gpu.json")"
rm "$box/elsewhere/bin/lame_tests"
torch_of_version 2.10.0
[[ $(run) == *"got 2.10.0"* ]] || give_up "$(run)"
