// The threads that LibTorch computes with.
#pragma once

namespace runner {

// Throws std::runtime_error if the host does not allow so many: LibTorch would wait for threads
// that were never made.
void use_threads(int count);

}  // namespace runner
