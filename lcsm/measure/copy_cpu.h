// Copies with ordinary and with streaming stores: the compiler turns neither into memcpy, which
// chooses the kind of store by size.
#pragma once

#include <cstddef>

namespace lcsm {

// `bytes` a multiple of 64, both pointers aligned to 64.
void copy_ordinary(void* to, const void* from, std::size_t bytes);
void copy_streaming(void* to, const void* from, std::size_t bytes);  // non-temporal stores

}  // namespace lcsm
