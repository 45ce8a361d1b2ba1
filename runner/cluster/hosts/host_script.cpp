#include "runner/cluster/hosts/host_script.h"

namespace runner {
namespace {

// Identifies a process by its number, start time and boot: `NAME.host` of the submission.
constexpr const char* kAlive = R"sh(
started() {
  state=$(cut -d ' ' -f 3 "/proc/$1/stat" 2> /dev/null) && [ "$state" != Z ] &&
    cut -d ' ' -f 22 "/proc/$1/stat" 2> /dev/null
}
boot() { cat /proc/sys/kernel/random/boot_id; }
alive() {
  { read -r process start boot < "$1"; } 2> /dev/null && [ "$boot" = "$(boot)" ] && [ -n "$start" ] &&
    [ "$start" = "$(started "$process")" ]
}
)sh";

constexpr const char* kHost = R"sh(
here=$(cd "$(dirname "$0")" && pwd)
file=$here/$2.host log=$here/$2.log

case $1 in
  start)
    alive "$file" && exit 0
    rm -f "$file"
    setsid sh "$0" become "$2" "$3" "$4" < /dev/null >> "$log" 2>&1 &
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      [ -e "$file" ] && exit 0
      sleep 0.5
    done
    echo "it did not start: $(tail -n 1 "$log")" >&2
    kill "$!" 2> /dev/null
    exit 1 ;;
  become)
    echo "$$ $(started $$) $(boot)" > "$file.new" && mv "$file.new" "$file"
    case $4 in
      '') ;;
      all) CUDA_VISIBLE_DEVICES=$(nvidia-smi --query-gpu=uuid --format=csv,noheader | paste -s -d ,)
        export CUDA_VISIBLE_DEVICES ;;
      *) CUDA_VISIBLE_DEVICES=$4 && export CUDA_VISIBLE_DEVICES ;;
    esac
    programs=$(cd "$here/../../frozen/$program" && pwd)
    LD_LIBRARY_PATH=$programs/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    SLURMD_NODENAME=$2 # its name in claims, as on a node of Slurm
    export LD_LIBRARY_PATH SLURMD_NODENAME
    exec "$programs/lcsm" element "$here" --jobs "$3" ;;
  look)
    echo # ends a line of the login shell
    if alive "$file"; then
      echo running
      tail -n 1 "$log"
    elif [ -e "$file" ]; then
      echo ended
      tail -n 1 "$log"
    else
      echo none
    fi ;;
esac
)sh";

constexpr const char* kProbe = R"sh(
echo # ends a line of the login shell
mkdir -p "$1" 2> /dev/null
echo "system $(uname -sm)"
echo "cores $(nproc)"
command -v rsync > /dev/null && echo "rsync yes"
[ -w "$1" ] && echo "writable yes"
[ -e "$1/$3" ] && echo "shared yes"
for file in "$1"/submissions/*/"$2.host"; do
  alive "$file" && echo "busy $(basename "$(dirname "$file")")"
done
exit 0
)sh";

}  // namespace

std::string host_script(const std::string& program) {
  return "#!/bin/sh\n# Starts and finds the worker on a host, for `lcsm run --on "
         "hosts`.\nprogram=" +
         program + "\n" + kAlive + kHost;
}

std::string probe_script() { return std::string(kAlive) + kProbe; }

}  // namespace runner
