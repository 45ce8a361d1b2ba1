#!/usr/bin/env bash
# kit_test.sh: packs small programs and runs them from an empty folder, with a fake torch.
set -euo pipefail
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT

give_up() { printf '%s\n' "$1"; exit 1; }

program() {  # name, C++ statements
  printf '#include <cstdio>\n#include <cstdlib>\n#include <cstring>\nint main(int, char** words) { (void)words; %s }\n' "$2" |
    "${CXX:-g++}" -x c++ - -Wl,-rpath,/a/folder/of/the/build -o "$box/build/bin/$1"
}

torch_of_version() {
  mkdir -p "$box/site/torch/lib" "$box/site/torch/include/torch/headeronly"
  touch "$box/site/torch/__init__.py" "$box/site/torch/lib/libtorch_cpu.so"
  printf '#define TORCH_VERSION_%s\n' "MAJOR ${1%%.*}" "MINOR $(cut -d. -f2 <<<"$1")" "PATCH ${1##*.}" \
    >"$box/site/torch/include/torch/headeronly/version.h"
}

# Whatever it is asked for, each number is 0.01; of fla one op cannot run, one is not there, one is wrong.
fakes_of_fla() {
  mkdir -p "$box"/site/fla/ops/{linear_attn,gla,delta_rule,hgrn}
  cat >"$box/site/torch/__init__.py" <<'FAKE'
import os
class Fake:
    number = 0.01
    def __call__(self, *inputs, **named): return self
    def __getattr__(self, name):
        if name == "CUDAGraph" and os.environ.get("FAKE_GRAPHS") == "off": raise RuntimeError("not captured")
        return self
    def __float__(self): return self.number
    def __index__(self): return 2
    def __iter__(self): return iter([self])
    def __exit__(self, *error): return False
    __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = __truediv__ = __neg__ = __getitem__ = __enter__ = __call__
def __getattr__(name): return getattr(Fake(), name)
__version__ = "fake"
FAKE
  echo '__version__ = "1.2"' >"$box/site/fla/__init__.py"
  echo 'import torch; chunk_linear_attn = lambda *inputs, **named: (torch.y, None)' >"$box/site/fla/ops/linear_attn/__init__.py"
  printf 'def chunk_gla(*inputs, **named):\n    raise RuntimeError("no such layout")\n' >"$box/site/fla/ops/gla/__init__.py"
  printf 'import torch\nclass Wrong(torch.Fake):\n    number = 9.0\nchunk_delta_rule = lambda *inputs, **named: (Wrong(), None)\n' \
    >"$box/site/fla/ops/delta_rule/__init__.py"
}

run() {  # without a network
  PYTHONPATH=$box/site LCSM_CACHE=$box/cache PIP_NO_INDEX=1 PIP_FIND_LINKS=$box CUDA_HOME=$box "$box/elsewhere/run" "$@" 2>&1
}

mkdir -p "$box/build/bin/ptx" "$box/elsewhere"
program lcsm 'std::printf("lcsm %s in %s\n", words[1], std::getenv("LD_LIBRARY_PATH") ? std::getenv("LD_LIBRARY_PATH") : "");'
program lcsm-train '
  if (words[1] && std::strcmp(words[1], "tune") == 0) {
    std::FILE* table = std::fopen(words[6], "w");
    std::fputs("architecture,choice,shape,value,source", table);
    std::fclose(table);
    std::puts("{\"results\": [{\"case\": \"fwp at 1,2,3,4\", \"variant\": \"rules\", \"forward\": 1e-3,"
              "\"forward_backward\": 2e-3}, {\"case\": \"fwp at 1,2,3,4\", \"variant\": \"delta-split 2\","
              "\"forward\": 1e-3, \"forward_backward\": 1.5e-3, \"chosen\": true}]}");
  } else if (words[1] && words[2] && std::strcmp(words[2], "eos") == 0)
    std::puts("some words {\"results\": [{\"code\": \"1-1-1-0\", \"contestants\": [{\"forward\":"
              "{\"median\": 2e-6}, \"forward_backward\": {\"median\": 3e-6}}]}, {\"code\": \"1-10-1-0\","
              "\"contestants\": [{\"forward\": {\"median\": 4e-6}, \"forward_backward\": {\"median\": 5e-6}}]}]}\nmore words");
  else
    std::puts("no numbers");'
program good_tests 'std::puts("[  PASSED  ] 3 tests.\n[  SKIPPED ] 1 test, listed below:");'
program bad_tests 'std::puts("[  PASSED  ] 2 tests.\n[  FAILED  ] 1 test, listed below:"); return 1;'
program dying_tests 'std::abort();'
"$here/../../runner/package/pack" "$box/build" "$box" --tests
python3 -m tarfile -e "$box/kit.tar.xz" "$box/elsewhere"
rm -r "$box/build"

torch_of_version "$(awk '$1 == "torch" { print $3 }' "$here/../../.pins")"
[[ $(run lcsm --version) == "lcsm --version in "*/site/torch/lib* ]] || give_up "$(run lcsm --version)"
[[ $(run lcsn) == *'got "lcsn"'* ]] || give_up "$(run lcsn)"
! run >"$box/out" || give_up "expected the failed tests to show in the status"
[[ $(tail -n1 "$box/out") == "5 passed, 2 failed, 1 skipped" ]] || give_up "$(<"$box/out")"
[[ $(tail -n2 "$box/out") == GPU:* ]] || give_up "$(<"$box/out")"
rm "$box"/elsewhere/libexec/{bad,dying}_tests
run >"$box/out" || give_up "$(<"$box/out")"
printf '#!/bin/sh\necho "NVIDIA H100 80GB HBM3, 81559 MiB, 580.1"\n' >"$box/nvidia-smi"
chmod +x "$box/nvidia-smi"
gpu() { PATH=$box:$PATH run gpu "$@" >"$box/out"; }

# What cannot be done here is said part by part; the others go on.
! gpu "$box/gpu.json" || give_up "expected parts that are not whole to show in the status"
[[ $(<"$box/out") == *"1-1-1-0            2.0 us       3.0 us"* ]] || give_up "$(<"$box/out")"
[[ $(<"$box/out") == *"----- tests: "*$'\n'"3 passed, 0 failed, 1 skipped"* ]] || give_up "$(<"$box/out")"
[[ $(<"$box/out") == *"packed without the Python package"* ]] || give_up "$(<"$box/out")"
[[ $(tail -n1 "$box/out") == *"gpu.json: 2 of 6 parts whole; not step python ets train" ]] || give_up "$(<"$box/out")"
[[ $(<"$box/gpu.json") == *'"error": "printed no JSON"'* ]] || give_up "$(<"$box/gpu.json")"
! gpu test || give_up "expected only parts by their names"
[[ $(<"$box/out") == *'got "test": one of eos step tests '* ]] || give_up "$(<"$box/out")"
gpu eos tests "$box/gpu.json" || give_up "$(<"$box/out")"
[[ $(tail -n1 "$box/out") == *"gpu.json: 2 of 2 parts whole" ]] || give_up "$(<"$box/out")"

gpu tune "$box/gpu.json" || give_up "$(<"$box/out")"
[[ $(<"$box/out") == *"  delta-split 2 "*"1.000     1.500 ms"* ]] || give_up "$(<"$box/out")"
[[ $(<"$box/gpu.json") == *'"choices": "architecture,choice'* ]] || give_up "$(<"$box/gpu.json")"

! gpu baselines "$box/gpu.json" || give_up "expected that no fla shows in the status"
[[ $(<"$box/out") == *"no flash-linear-attention: ModuleNotFoundError: No module named 'fla'"* ]] || give_up "$(<"$box/out")"
fakes_of_fla
gpu baselines "$box/gpu.json" || give_up "$(<"$box/out")"
[[ $(<"$box/out") == *"1024,512,64,64 chunk_linear_attn        1.0 us       1.0 us"* ]] || give_up "$(<"$box/out")"
for what in '"step": "ours"' '"step": "compiled"' \
  '"fla": "1.2"' '"off": 0.01' '"no_graph": ""' "RuntimeError: no such layout" "are off by 9 of the largest" \
  "AttributeError: module 'fla.ops.hgrn' has no attribute 'chunk_hgrn'" "No module named 'lcsm'"; do
  [[ $(<"$box/gpu.json") == *"$what"* ]] || give_up "expected $what in $(<"$box/gpu.json")"
done
[[ $(FAKE_GRAPHS=off PYTHONPATH=$box/site python3 "$here/beside_fla.py" '[["2,4,16,16", ["1-10-1-0", "1-1-1-0"]]]') == \
  *'"no_graph": "RuntimeError: not captured"}'* ]] ||
  give_up "expected eager times where nothing is captured"
printf '#!/bin/sh\nexit 3\n' >"$box/elsewhere/libexec/lame_tests"
chmod +x "$box/elsewhere/libexec/lame_tests"
! gpu tests "$box/gpu.json" || give_up "expected tests that end badly to show in the status"
[[ $(<"$box/gpu.json") == *'"why": "ended with status 3"'* ]] || give_up "$(<"$box/gpu.json")"
rm "$box/elsewhere/libexec/lame_tests"
torch_of_version 2.10.0
[[ $(run) == *"python3 has torch 2.10.0, not "*"could not download torch"* ]] || give_up "$(run)"
