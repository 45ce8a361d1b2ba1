// Copies programs into a workspace, so that a build or an update changes nothing for pending jobs:
// `frozen/HASH/` has the programs and, in `lib/`, the libraries that are not the system's. HASH
// follows from the contents; a file that several have is one on the disk.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace runner {

struct ProgramToFreeze {
  std::string name;  // the program's name in the folder: "lcsm-train"
  std::filesystem::path file;
  std::filesystem::path opens = {};  // a library that it opens when it runs: "liblcsm_cuda.so"
};

// The libraries outside of /lib and /usr/lib, and the names of those that are not found, from the
// output of `ldd`.
struct OwnLibraries {
  std::vector<std::filesystem::path> found;
  std::vector<std::string> missing;
};
OwnLibraries own_libraries(const std::string& listing);

// LD_LIBRARY_PATH, in which jobs find `lib/`, cannot name a folder with one of these in its path.
inline constexpr const char* kNotInLibraryPath = ":;$";

// Returns HASH; the folder is there whole or not at all. Throws std::runtime_error naming a library
// of a program that is not found, and std::system_error. Libraries that `opens` needs may be
// missing here: a host without a GPU has not all of them.
std::string freeze_programs(const std::filesystem::path& workspace,
                            const std::vector<ProgramToFreeze>& programs);

// Lets LD_LIBRARY_PATH take precedence over the paths that a program was linked with: its DT_RPATH
// becomes a DT_RUNPATH. No effect on files that are not 64-bit ELF, or have none.
void prefer_library_path(const std::filesystem::path& program);

}  // namespace runner
