#!/usr/bin/env bash
# bootstrap_test.sh CASE: runs one case, offline, on a host made of fakes (sandbox.sh).
# shellcheck disable=SC2016  # the bodies of fakes are expanded when they are called
set -euo pipefail
source=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
# shellcheck source=tests/bootstrap/sandbox.sh
source "$source/tests/bootstrap/sandbox.sh"

expect_whole_cache() {
  local folder
  folder=$(echo "$box"/cache/libtorch-2.11.0-*)
  [[ -s $folder/torch/lib/libtorch_cpu.so && -s $folder/torch/include/20.h && ! -e $folder/torch/version.py ]] ||
    give_up "expected lib/ and include/ of torch, and nothing else"
  [[ -s $folder/nvidia/cu13/lib/libcupti.so.13 ]] || give_up "expected the CUDA libraries beside torch"
  [[ $(ls "$box/cache") == "${folder##*/}"$'\n'lock ]] || give_up "left in the cache: $(ls "$box/cache")"
}

first_call() {
  bootstrap codes 1-9-1-0
  expect_status 0
  expect_out "lcsm codes 1-9-1-0"
  expect_stderr "[2/4] torch 2.11.0: downloading"
  expect_stderr "2 of 5, about 0 s left"
  expect_logged "ninja .* lcsm_front"
  ! grep -q "ninja .* programs" "$box/log" || give_up "expected no wait for lcsm-train"
  expect_whole_cache
}

nothing_to_do() {
  bootstrap codes
  fake python3 'echo python3 >>"$LOG"; exit 1'
  fake cmake 'echo again >>"$LOG"; exit 1'
  : >"$box/log"
  local start=$EPOCHREALTIME
  bootstrap codes
  local microseconds=$((${EPOCHREALTIME/./} - ${start/./}))
  expect_status 0
  [[ ! -s $box/err && ! -s $box/log ]] || give_up "expected a quiet call that fetches nothing"
  ((microseconds < 1000000)) || give_up "expected less than 1 s, took $microseconds us"
}

no_network() {
  fake python3 '[[ $* != *--version ]] || exit 0; echo "ERROR: No matching distribution" >&2; exit 1'
  bootstrap
  expect_status 93
  expect_stderr "could not download torch 2.11.0 (ERROR: No matching distribution): "
  expect_one_sentence
}

damaged_wheel() {
  mv "$box/wheels/torch.whl" "$box/wheels/good"
  head -c 1000 "$box/wheels/good" >"$box/wheels/torch.whl"
  bootstrap
  expect_status 94
  expect_stderr "does not match the sha256 in .pins"
  expect_one_sentence
  mv "$box/wheels/good" "$box/wheels/torch.whl"
  bootstrap
  expect_status 0
  expect_whole_cache
}

disk_full() {
  fake df 'printf "h\nfs 1 1 7 1%% /\n"'
  bootstrap
  expect_status 95
  expect_stderr "MB free on the disk of $box/cache, found 7"
  expect_one_sentence
}

disk_full_midway() {
  fake python3 '[[ $* != *--version ]] || exit 0; echo "OSError: [Errno 28] No space left on device" >&2; exit 1'
  bootstrap
  expect_status 95
  expect_one_sentence
}

cache_not_writable() {
  : >"$box/file"
  bootstrap LCSM_CACHE="$box/file/cache"
  expect_status 95
  expect_stderr "cannot write to $box/file/cache"
  expect_one_sentence
}

wrong_platform() {
  fake uname 'echo Linux aarch64'
  bootstrap
  expect_status 91
  expect_stderr "expected Linux x86_64, got Linux aarch64"
  expect_one_sentence
}

old_compiler() {
  fake g++ 'echo 11.4.0'
  bootstrap
  expect_status 91
  expect_stderr "expected g++ 12 or newer, got g++ 11.4.0"
  expect_one_sentence
  fake g++-13 'echo 13.1.0'
  bootstrap CXX=g++-13
  expect_status 0
}

no_root() {
  bootstrap LACKING="ccache libfmt-dev"
  expect_status 92
  expect_stderr "sudo apt-get install ccache libfmt-dev"
  expect_one_sentence
  expect_not_logged apt-get
}

with_sudo() {
  fake sudo 'shift; "$@"'
  bootstrap LACKING="ccache libfmt-dev"
  expect_status 0
  expect_logged "dpkg --configure -a"
  expect_logged "apt-get .* install .* ccache libfmt-dev$"
}

apt_fails() {
  fake id 'echo 0'
  fake apt-get 'echo "E: no" >&2; exit 100'
  bootstrap LACKING=ccache
  expect_status 92
  expect_stderr "apt-get could not install ccache"
  expect_one_sentence
}

no_apt() {
  rm "$box/bin/apt-get"
  bootstrap
  expect_status 91
  expect_stderr "expected Debian or Ubuntu"
  expect_one_sentence
  bootstrap LCSM_APT=off
  expect_status 0
}

libtorch_elsewhere() {
  bootstrap
  mkdir -p "$box/site-packages"
  mv "$box"/cache/libtorch-*/{torch,nvidia} "$box/site-packages/"
  rm -r "$box/cache" && : >"$box/log"
  bootstrap LCSM_LIBTORCH="$box/site-packages"
  expect_status 0
  expect_logged "-DLCSM_LIBTORCH=$box/site-packages/torch -DLCSM_CUDA_RUNTIME=$box/site-packages/nvidia/cu13/lib"
  expect_not_logged download
  sed -i 's/MINOR 11/MINOR 12/' "$box/site-packages/torch/include/torch/headeronly/version.h"
  bootstrap LCSM_LIBTORCH="$box/site-packages/torch"
  expect_status 91
  expect_stderr "expected LibTorch 2.11.0 in LCSM_LIBTORCH=$box/site-packages/torch, got 2.12.0"
  bootstrap LCSM_LIBTORCH="$box/nowhere"
  expect_status 91
  expect_one_sentence
}

libtorch_of_a_package() {
  local script=$box/package/lcsm-train.libtorch site=$box/site
  mkdir -p "${script%/*}" && cp "$source/lcsm/libtorch.sh" "$script" && cp "$checkout/.pins" "${script%/*}/"
  run "$script" --offline
  expect_status 92
  expect_stderr "LibTorch 2.11.0 is neither in LCSM_LIBTORCH, nor in python3, nor in $box/cache"
  expect_not_logged download
  run "$script" LD_LIBRARY_PATH=/before
  expect_status 0
  expect_stderr "lcsm: torch 2.11.0: downloading"
  expect_whole_cache
  expect_out "$(echo "$box"/cache/libtorch-*/torch/lib):$(echo "$box"/cache/libtorch-*/nvidia/cu13/lib):/before"
  mkdir "$site" && mv "$box"/cache/libtorch-*/* "$site/" && rm -r "$box/cache" && touch "$site/torch/__init__.py"
  run "$script" PYTHONPATH="$site" --offline
  expect_out "$site/torch/lib:$site/nvidia/cu13/lib"
  cp -r "$site" "$box/10:30"
  run "$script" PYTHONPATH= LCSM_LIBTORCH="$box/10:30" --offline
  expect_status 91
  expect_stderr "LD_LIBRARY_PATH is split, got $box/10:30/torch/lib"
  sed -i 's/MINOR 11/MINOR 12/' "$site/torch/include/torch/headeronly/version.h"
  run "$script" PYTHONPATH="$site" --offline
  expect_status 92
  expect_stderr "python3 has torch 2.12.0, not 2.11.0"
  run "$script" LCSM_LIBTORCH="$site"
  expect_status 91
  expect_stderr "lcsm: expected LibTorch 2.11.0 in LCSM_LIBTORCH=$site/torch, got 2.12.0"
}

toolkit_found() {
  mkdir -p "$box/toolkit/lib64" "$box/toolkit/extras/CUPTI/lib64"
  touch "$box/toolkit/lib64/libcudart.so.13" "$box/toolkit/extras/CUPTI/lib64/libcupti.so.13"
  bootstrap LCSM_CUDA=off
  expect_status 0
  expect_logged "-DLCSM_CUDA=off .*-DLCSM_CUDA_RUNTIME=$"
  expect_not_logged "download nvidia"
}

now() { echo "${EPOCHREALTIME//[.,]/}"; }  # microseconds

# At moments spread over the time that a whole set-up takes here; a finished one starts from scratch.
killed_at_random() {
  local i at kills=0 began whole
  began=$(now)
  bootstrap codes
  whole=$(($(now) - began))
  rm -rf "$box/cache" "$checkout/build"
  for i in {1..20}; do
    setsid "${boxed[@]}" "$checkout/bootstrap" >/dev/null 2>&1 &
    at=$(((RANDOM * 32768 + RANDOM) % whole))
    sleep "$((at / 1000000)).$(printf %06d $((at % 1000000)))"
    if kill -9 -- -$!; then kills=$((kills + 1)); else rm -rf "$box/cache" "$checkout/build" && whole=$((at + 1)); fi
    wait $! || true
    [[ ! -d $(echo "$box"/cache/libtorch-*) ]] || (
      rm -rf "$box"/cache/{tmp.*,wheels}
      expect_whole_cache
    )
  done 2>/dev/null
  ((kills > 5)) || give_up "expected to catch it at work, killed only $kills of $i"
  bootstrap codes
  expect_out "lcsm codes"
  expect_whole_cache
}

stopped() {
  fake ninja 'echo >>"$LOG.builds"; sleep 30'
  status=0
  setsid "${boxed[@]}" "$checkout/bootstrap" >/dev/null 2>"$box/err" &
  for ((i = 0; i < 300; i++)); do [[ ! -e $box/log.builds ]] || break; sleep 0.1; done
  kill -TERM -- -$!
  wait $! || status=$?
  expect_status 130
  expect_one_sentence
}

two_at_once() {
  make_checkout "$box/other"
  cp "$checkout/.pins" "$box/other/"
  "${boxed[@]}" "$checkout/bootstrap" 2>"$box/err" &
  "${boxed[@]}" "$box/other/bootstrap" 2>"$box/err2" || give_up "the second failed"
  wait $! || give_up "the first failed"
  [[ $(grep -c "download torch" "$box/log") == 1 ]] || give_up "expected one download"
  expect_whole_cache
}

no_home() {
  bootstrap HOME= LCSM_CACHE= HOME_OF_PASSWD="$box/passwd home" codes
  expect_status 0
  [[ -d $(echo "$box/passwd home/.cache/lcsm"/libtorch-*) ]] || give_up "expected the cache in the home of passwd"
}

arguments() {
  bootstrap --preset nope
  expect_status 2
  expect_one_sentence
  bootstrap LCSM_CUDA=yes
  expect_status 2
  bootstrap --help
  expect_status 0
  [[ $(<"$box/out") == *LCSM_LIBTORCH* ]] || give_up "expected the help on stdout"
  bootstrap LCSM_JOBS=3 test -R nearest
  expect_logged "ninja .* -j 3 all"
  [[ $(<"$box/out") == "ctest --test-dir "*" -R nearest" ]] || give_up "expected ctest"
}

make_box
"$1"
