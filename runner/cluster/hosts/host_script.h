// The script that runs on a training host. It is POSIX sh, which any login shell can start.
#pragma once

#include <string>

namespace runner {

inline constexpr const char* kHostScriptFile = "host.sh";  // in the submission's folder

// The script of a host: `host.sh start NAME JOBS GPUS`, `host.sh look NAME` and `host.sh become
// NAME JOBS GPUS`, which start calls, for the programs in `frozen/PROGRAM` of its workspace.
std::string host_script(const std::string& program);

// The script that finds out what a host offers before anything is copied there; run as `sh -c TEXT
// sh WORKSPACE NAME PROBE`. It prints one fact per line: "system Linux x86_64", "cores 8", "rsync
// yes", "writable yes", "shared yes" if the file PROBE is seen, "busy TOKEN" if NAME trains a
// submission.
std::string probe_script();

}  // namespace runner
