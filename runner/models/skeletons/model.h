// The model of a run, built from its configuration: an embedding stage, layers of a mixer and an
// optional channel mixer, a head.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lcsm/layer/layer.h"
#include "runner/models/families/model_tensors.h"
#include "runner/models/skeletons/banded.h"
#include "runner/models/skeletons/carried.h"
#include "runner/models/skeletons/dropout.h"
#include "runner/models/skeletons/inputs.h"
#include "runner/models/skeletons/mixers.h"

namespace runner {

// Names are part of the checkpoint format. To load, copy into `tensor`, which the model shares.
struct ModelParameter {
  std::string name;  // "layers.0.mixer.input.weight"
  at::Tensor tensor;
  lcsm::ParameterGroup group = lcsm::ParameterGroup::kMatrices;  // embeddings are matrices
  bool trained = true;  // false: frozen or fixed, and requires no gradient
};

// Parts of the model by name, and the tensors of each part by the rest of their names, such as
// "weight".
using Parts = std::map<std::string, lcsm::Weights>;

class Model {
 public:
  // Initial values are a function of the configuration's seed and each tensor's name. On the device
  // "meta" the tensors have shapes but no values.
  Model(ModelPlan plan, const at::TensorOptions& options);

  // Inputs of length T, at most task.length if positions are learned -> [B, T, d], normed for a
  // head; on a GPU in the type of products if the head is one. `carried` is the state after the
  // previous segment and becomes the state after this one; null: each example begins with an empty
  // state.
  at::Tensor hidden(const Inputs& inputs, Dropout& dropout, Carried* carried = nullptr) const;
  // The output matrix of a head over tokens, [V, d], tied to the embedding. Not with bands.
  const at::Tensor& head() const { return embedding(); }
  // The tensors that embedding and head share with model.softmax = adaptive.
  const std::optional<Banded>& banded() const { return banded_; }
  // Rows of `hidden`, [..., d] -> [..., V]; pass only scored rows. With bands the result is
  // log-probabilities.
  at::Tensor logits(const at::Tensor& rows) const;

  const std::vector<ModelParameter>& parameters() const { return parameters_; }
  // Replaces the parameters by these tensors, in order.
  void set_parameters(const std::vector<at::Tensor>& tensors);

  const ModelPlan& plan() const { return plan_; }

  // Sets the device, and the backend of a named system's blocks; kReference: by their definitions.
  void compute_on(lcsm::On on) { on_ = std::move(on); }
  const lcsm::On& on() const { return on_; }

  // For diagnostics: `before(n)` is called before the mixer of layer n.
  void before_mixers(const std::function<void(std::size_t)>& before);

  const Parts& around() const { return around_; }               // "embedding", "final_norm", ...
  const std::vector<Parts>& layers() const { return layers_; }  // "mixer", "mixer_norm", ...
  const std::vector<LayerMixers>& mixers() const { return mixers_; }  // of the layers
  const at::Tensor& embedding() const { return around_.at("embedding").at("weight"); }

 private:
  void file(const std::string& name, const at::Tensor& tensor);
  void make_bands();

  ModelPlan plan_;
  lcsm::On on_;
  std::vector<ModelParameter> parameters_;
  Parts around_;
  std::vector<Parts> layers_;
  std::vector<LayerMixers> mixers_;
  std::optional<Banded> banded_;
};

// `vocab`: the number of tokens.
Model make_model(const RunConfig& config, std::int64_t vocab,
                 const at::TensorOptions& options = at::kFloat);

}  // namespace runner
