// What runs on a host that trains: sh, as any login shell can start it.
#pragma once

#include <string>

namespace runner {

inline constexpr const char* kHostScriptFile = "host.sh";  // of the submission's folder

// `host.sh start NAME JOBS GPUS`, `host.sh look NAME` and `host.sh become NAME JOBS GPUS`, which
// start asks for, of the programs in `frozen/PROGRAM` of its workspace.
std::string host_script(const std::string& program);

// For `sh -c TEXT sh WORKSPACE NAME PROBE`: what is to be known of a host before anything is there.
// A line for each fact: "system Linux x86_64", "cores 8", "rsync yes", "writable yes", "shared yes"
// where the file PROBE is seen, "busy TOKEN" where NAME trains a submission.
std::string probe_script();

}  // namespace runner
