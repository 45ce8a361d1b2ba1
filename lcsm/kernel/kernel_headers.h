// The headers of lcsm that NVRTC reads, as texts inside the program: it has no other way to
// find them on a user's host. Those of other folders come with their sources.
#pragma once

#include <span>

namespace lcsm {

struct KernelHeader {
  const char* path;  // as included
  const char* text;
};
std::span<const KernelHeader> kernel_headers();

}  // namespace lcsm
