// Copies programs into a workspace, so that a build or an update changes nothing for pending jobs:
// `frozen/HASH/` has the programs and, in `lib/`, the libraries that are not the system's. HASH is
// a hash of the contents. A file that several folders contain is stored once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace runner {

struct ProgramToFreeze {
  std::string name;  // the program's name in the folder: "lcsm-train"
  std::filesystem::path file;
  std::filesystem::path opens = {};  // a library that it opens with dlopen: "liblcsm_cuda.so"
};

// From the output of `ldd`: the libraries outside of /lib and /usr/lib, and the names of missing
// libraries.
struct OwnLibraries {
  std::vector<std::filesystem::path> found;
  std::vector<std::string> missing;
};
OwnLibraries own_libraries(const std::string& listing);

// LD_LIBRARY_PATH, in which jobs find `lib/`, cannot name a folder with one of these in its path.
inline constexpr const char* kNotInLibraryPath = ":;$";

// Returns HASH; creates the folder atomically. Throws std::system_error, and std::runtime_error
// that names a program's missing library. Libraries that `opens` needs may be missing: a host
// without a GPU does not have them all.
std::string freeze_programs(const std::filesystem::path& workspace,
                            const std::vector<ProgramToFreeze>& programs);

// Gives LD_LIBRARY_PATH precedence over the paths that a program was linked with: turns its
// DT_RPATH into a DT_RUNPATH. No effect on files that are not 64-bit ELF or have no DT_RPATH.
void prefer_library_path(const std::filesystem::path& program);

}  // namespace runner
