#include "tests/runner/cluster/hosts/fake_hosts.h"

#include <sys/stat.h>

#include <fstream>
#include <sstream>

namespace runner {
namespace {

constexpr const char* kSsh = R"sh(
while [ "$1" = -o ]; do shift 2; done
if [ "$1" = -- ]; then shift; elif [ "$2" != rsync ]; then exit 255; fi
host=$1
shift
call=$(grep -c '^ssh ' "$here/calls")
. "$here/before_ssh"
exec sh -c "$*"
)sh";

// Copies existing files, like rsync with --ignore-missing-args.
constexpr const char* kRsync = R"sh(
skip='--exclude=claims'
for word; do
  case $word in
    --files-from=*) list=${word#*=} ;;
    --exclude=*checkpoints*) skip="$skip --exclude=checkpoints" ;;
    --delete) delete=yes ;;
    -*) ;;
    *) from=${to-} to=${word#*:} ;;
  esac
done
while read -r path; do
  [ -e "$from$path" ] || continue
  if [ "${delete-}" ]; then rm -rf "$to$path"; fi
  (cd "$from" && tar -c $skip "$path") | (cd "$to" && tar -x -p)
done < "$list"
exit 24 # some files vanished, as they do while a run trains
)sh";

}  // namespace

FakeHosts::FakeHosts() {
  std::filesystem::create_directory(folder() / "bin");
  before_ssh("");
  script("ssh", kSsh);
  script("rsync", kRsync);
}

void FakeHosts::script(const std::string& program, const std::string& body) const {
  const std::filesystem::path file = folder() / "bin" / program;
  std::ofstream(file) << "#!/bin/sh\nhere='" << folder().string() << "'\necho \"" << program
                      << " $*\" | tr '\\n' ' ' >> \"$here/calls\"\necho >> \"$here/calls\"\n"
                      << body << "\n";
  chmod(file.c_str(), 0755);
}

void FakeHosts::before_ssh(const std::string& body) const {
  std::ofstream(folder() / "before_ssh") << body << "\n";
}

void FakeHosts::use_real_rsync() const { std::filesystem::remove(folder() / "bin/rsync"); }

std::size_t FakeHosts::calls_of(const std::string& part) const {
  std::istringstream lines(read_file(folder() / "calls"));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) count += line.find(part) != line.npos;
  return count;
}

Words FakeHosts::environment(Words more) const {
  more.push_back("PATH=" + (folder() / "bin").string() + ":/usr/local/bin:/usr/bin:/bin");
  return more;
}

}  // namespace runner
