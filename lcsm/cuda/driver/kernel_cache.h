// Caches compiled kernels of users' gates on disk, by a hash of source, headers, options and
// compiler version. A cache file repeats all of them, so a collision or a damaged file only costs a
// compilation.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "lcsm/cuda/driver/nvrtc.h"

namespace lcsm {

// what(): what was compiled, the compiler's message, what to do.
struct KernelError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class KernelCache {
 public:
  explicit KernelCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The code of a source, compiled if it is not cached. `what` is for messages: "the gate ssm".
  // Throws KernelError if the compiler refuses it. A folder that cannot be written is no error.
  std::string code(const CudaSource& source, const std::string& what);

  std::filesystem::path file_of(const CudaSource& source) const;
  int compiled() const { return compiled_; }  // by this object

 private:
  const std::filesystem::path folder_;
  int compiled_ = 0;
};

}  // namespace lcsm
