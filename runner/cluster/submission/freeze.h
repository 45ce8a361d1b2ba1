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
};

// The libraries of a program outside of /lib and /usr/lib, from the output of `ldd`. Throws
// std::runtime_error naming one that is not found.
std::vector<std::filesystem::path> own_libraries(const std::filesystem::path& program,
                                                 const std::string& listing);

// Returns HASH; the folder is there whole or not at all. Throws std::runtime_error,
// std::system_error.
std::string freeze_programs(const std::filesystem::path& workspace,
                            const std::vector<ProgramToFreeze>& programs);

// Lets LD_LIBRARY_PATH take precedence over the paths that a program was linked with: its DT_RPATH
// becomes a DT_RUNPATH. No effect on files that are not 64-bit ELF, or have none.
void prefer_library_path(const std::filesystem::path& program);

}  // namespace runner
