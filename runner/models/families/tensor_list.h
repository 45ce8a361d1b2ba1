// The tensors of a model while they are listed: names under a prefix, initial values by skeleton.
#pragma once

#include <string>
#include <vector>

#include "ets/families/family.h"
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

  // NAME.weight [outputs, inputs]; `biased`: also NAME.bias [outputs]. kUsual: as PyTorch's
  // linear layers begin.
  void put_linear(const std::string& name, std::int64_t outputs, std::int64_t inputs, Matrix matrix,
                  bool biased);

  // The same within a mixer, which has biases where the skeleton's mixers have.
  void put_mixer_linear(const std::string& name, std::int64_t outputs, std::int64_t inputs,
                        Matrix matrix);

  // The tensors of a block, which begin as its authors' do.
  void put_block(const ets::Variant& block);
  // Those that are there once for all layers.
  void put_shared(const ets::Variant& block);

  // A norm of one of kNorms (systems/system.h).
  void put_norm(const std::string& name, std::string_view kind);

  // A tensor of the layer that a code names.
  void put_eos(lcsm::Parameter tensor);

  void set_prefix(const std::string& prefix) { prefix_ = prefix; }
  std::vector<lcsm::Parameter> take() { return std::move(tensors_); }

 private:
  const std::string& start_of(Matrix matrix) const;
  void put_of_block(const ets::Variant& block, bool shared);

  std::int64_t d_;
  std::string embedding_, inner_, residual_;  // "": uniform/sqrt(inputs)
  bool mixer_biased_;
  std::string prefix_;
  std::vector<lcsm::Parameter> tensors_;
};

}  // namespace runner
