// The headers of lcsm for NVRTC, as texts inside the program, since NVRTC could not find them on a
// user's host. Headers of other folders come with their sources.
#pragma once

#include <span>

namespace lcsm {

struct KernelHeader {
  const char* path;  // as included
  const char* text;
};
std::span<const KernelHeader> kernel_headers();

}  // namespace lcsm
