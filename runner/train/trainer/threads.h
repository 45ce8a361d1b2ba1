// Sets the threads that LibTorch computes with.
#pragma once

namespace runner {

// Throws std::runtime_error if the host does not allow this many threads: LibTorch would wait for
// threads that were never created.
void use_threads(int count);

}  // namespace runner
