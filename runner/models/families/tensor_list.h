// Collects the tensors of a model: names under a prefix, initial values chosen by the skeleton.
#pragma once

#include <string>
#include <vector>

#include "lcsm/block/block.h"
#include "lcsm/code/variant.h"
#include "runner/config/run/run_config.h"

namespace runner {

class TensorList {
 public:
  explicit TensorList(const RunConfig& config);

  // Initial values of matrices, which differ by skeleton.
  enum class Matrix { kUsual, kInner, kIntoResidual };

  void put(const std::string& name, std::vector<std::int64_t> shape, const std::string& init);
  void put_embedding(const std::string& name, std::int64_t rows);  // [rows, d]
  void put_norm(const std::string& name);                          // weight and bias [d]

  // NAME.weight [outputs, inputs]; `biased`: also NAME.bias [outputs]. kUsual: PyTorch's default
  // for linear layers.
  void put_linear(const std::string& name, std::int64_t outputs, std::int64_t inputs, Matrix matrix,
                  bool biased);

  // Adds a linear layer of a mixer, with a bias if the skeleton's mixers have one.
  void put_mixer_linear(const std::string& name, std::int64_t outputs, std::int64_t inputs,
                        Matrix matrix);

  // Adds the tensors of a block, with its authors' initial values.
  void put_block(const lcsm::Block& block);
  // Adds tensors that are not shared, with their initial values.
  void put_tensors(lcsm::Parameters tensors);
  // Adds the tensors that all layers share.
  void put_shared(const lcsm::Block& block);

  // Adds a norm of the given kind, a row of kNorms (systems/system.h).
  void put_norm(const std::string& name, std::string_view kind);

  // Adds a tensor of a code's layer.
  void put_eos(lcsm::Parameter tensor);

  void set_prefix(const std::string& prefix) { prefix_ = prefix; }
  std::vector<lcsm::Parameter> take() { return std::move(tensors_); }

 private:
  const std::string& start_of(Matrix matrix) const;
  void put_those(lcsm::Parameters tensors, bool shared);

  std::int64_t d_;
  std::string embedding_, inner_, residual_;  // "": uniform/sqrt(inputs)
  bool mixer_biased_;
  std::string prefix_;
  std::vector<lcsm::Parameter> tensors_;
};

}  // namespace runner
