// CUDA source to PTX on a host without a driver, by libnvrtc, opened at run time.
#pragma once

#include <string>

namespace ptx {

struct NvrtcResult {
  std::string ptx, log;  // no ptx: the log tells why
};

// "" when libnvrtc was opened, else the reason.
std::string nvrtc_missing();

// `name` is what .loc and messages call the source. Throws when there is no libnvrtc.
NvrtcResult compile(const std::string& source, const std::string& name,
                    const std::string& architecture = "compute_80");

}  // namespace ptx
