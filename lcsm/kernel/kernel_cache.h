// Compiled kernels of users' gates, kept on disk: by a hash of source, headers, options and version
// of the compiler. A kept file repeats all of them, so a collision or a damaged file only costs a
// compilation.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "lcsm/kernel/nvrtc.h"

namespace lcsm {

// what(): what was compiled, what the compiler said, what to do.
struct KernelError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class KernelCache {
 public:
  explicit KernelCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The code of a source, compiled where it is not kept. `what` is for messages: "the gate ssm".
  // Throws KernelError when the compiler refuses it. A folder that cannot be written is no error.
  std::string code(const CudaSource& source, const std::string& what);

  std::filesystem::path file_of(const CudaSource& source) const;
  int compiled() const { return compiled_; }  // by this object

 private:
  const std::filesystem::path folder_;
  int compiled_ = 0;
};

}  // namespace lcsm
