#include "runner/models/families/tensor_list.h"

#include <utility>

#include "lcsm/base/random.h"
#include "runner/config/keys/model_keys.h"

namespace runner {
namespace {

lcsm::Expr init_of(const std::string& formula) {
  return lcsm::parse_formula(formula, lcsm::FormulaUse::kInit);
}

}  // namespace

TensorList::TensorList(const RunConfig& config) : d_(config.integer("model.d"_key)) {
  if (config.is("model.skeleton"_key, "wikitext")) {
    embedding_ = "normal/sqrt(size_d)";
    mixer_biased_ = config.is("model.scheme"_key, "B");
    return;
  }
  if (config.is("model.skeleton"_key, "source") ||
      config.is("model.skeleton"_key, "encoder-decoder")) {
    embedding_ = config.system()->row->embedding;
    mixer_biased_ = false;
    return;
  }
  const std::string layers = std::to_string(config.integer("model.layers"_key));
  embedding_ = inner_ = "0.02 * normal";
  residual_ = "0.02 * normal/sqrt(2 * " + layers + ")";
  mixer_biased_ = true;
}

void TensorList::put(const std::string& name, std::vector<std::int64_t> shape,
                     const std::string& init) {
  lcsm::Parameter tensor;
  tensor.name = prefix_ + name;
  tensor.shape = std::move(shape);
  tensor.init = init_of(init);
  tensors_.push_back(std::move(tensor));
}

void TensorList::put_embedding(const std::string& name, std::int64_t rows) {
  put(name, {rows, d_}, embedding_);
}

void TensorList::put_norm(const std::string& name) {
  put(name + ".weight", {d_}, "1");
  put(name + ".bias", {d_}, "0");
}

const std::string& TensorList::start_of(Matrix matrix) const {
  static const std::string usual;
  return matrix == Matrix::kInner ? inner_ : matrix == Matrix::kIntoResidual ? residual_ : usual;
}

void TensorList::put_linear(const std::string& name, std::int64_t outputs, std::int64_t inputs,
                            Matrix matrix, bool biased) {
  const std::string usual = "uniform/sqrt(" + std::to_string(inputs) + ")";
  const std::string& start = start_of(matrix);
  put(name + ".weight", {outputs, inputs}, start.empty() ? usual : start);
  if (biased) put(name + ".bias", {outputs}, start.empty() ? usual : "0");
}

void TensorList::put_mixer_linear(const std::string& name, std::int64_t outputs,
                                  std::int64_t inputs, Matrix matrix) {
  put_linear(name, outputs, inputs, matrix, mixer_biased_);
}

void TensorList::put_norm(const std::string& name, std::string_view kind) {
  if (kind == "layer" || kind == "batch") put_norm(name);
  if (kind == "rms") put(name + ".weight", {d_}, "1");
  if (kind == "scale") put(name + ".weight", {1}, "1");
  if (kind != "batch") return;
  for (const auto& [statistic, start] : {std::pair{".mean", "0"}, {".variance", "1"}}) {
    put(name + statistic, {d_}, start);
    tensors_.back().learned = false;
    tensors_.back().statistic = true;
  }
}

void TensorList::put_block(const lcsm::Block& block) { put_those(tensors_of(block), false); }
void TensorList::put_tensors(lcsm::Parameters tensors) { put_those(std::move(tensors), false); }
void TensorList::put_shared(const lcsm::Block& block) { put_those(tensors_of(block), true); }

void TensorList::put_those(lcsm::Parameters tensors, bool shared) {
  for (lcsm::Parameter& tensor : tensors) {
    if (tensor.shared != shared) continue;
    tensor.name = prefix_ + tensor.name;
    // A block's draws depend on its tensors' names, which are equal in every layer.
    tensor.drawn = [drawn = std::move(tensor.drawn), place = prefix_](std::uint64_t seed) {
      constexpr double kSeeds = 9007199254740992;  // 2^53
      return drawn(static_cast<std::uint64_t>(kSeeds * lcsm::random_for(seed, place).uniform()));
    };
    tensors_.push_back(std::move(tensor));
  }
}

void TensorList::put_eos(lcsm::Parameter tensor) {
  tensor.name = prefix_ + tensor.name;
  if (tensor.linear && !inner_.empty()) tensor.init = init_of(inner_);
  tensors_.push_back(std::move(tensor));
}

}  // namespace runner
