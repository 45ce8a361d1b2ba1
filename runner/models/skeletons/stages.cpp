#include "runner/models/skeletons/stages.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/sin.h>

#include <cmath>
#include <stdexcept>

#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/task_row.h"

namespace runner {
namespace {

using at::Tensor;

// [T, d], from t = begin on: sines of t / 10000^(c / (d/2 - 1)) for channel c, then cosines
// (Vaswani et al. 2017, in fairseq's order of channels).
Tensor sinusoids(std::int64_t begin, std::int64_t T, std::int64_t d,
                 const at::TensorOptions& options) {
  constexpr double kLongest = 10000;
  const std::int64_t half = d / 2;
  const at::TensorOptions wide = options.dtype(at::kDouble);
  const double step = std::log(kLongest) / static_cast<double>(std::max<std::int64_t>(half - 1, 1));
  const Tensor angle =
      at::outer(at::arange(begin, begin + T, wide), at::exp(at::arange(half, wide) * -step));
  return at::cat({at::sin(angle), at::cos(angle)}, 1).to(options.dtype());
}

Tensor placed(const Model& model, const Inputs& inputs, double scale) {
  const Tensor x = inputs_of(model.plan()).embed(model, inputs);
  const Tensor scaled = scale == 1 ? x : x * scale;
  const std::int64_t begin = inputs.begin.value_or(0), end = begin + inputs.length();
  if (model.plan().config.is("model.positions"_key, "sinusoidal"))
    return scaled + sinusoids(begin, x.size(1), x.size(2), x.options());
  const auto found = model.around().find("positions");
  if (found == model.around().end()) return scaled;
  const Tensor& positions = found->second.at("weight");
  if (end > positions.size(0))
    throw std::invalid_argument(
        c10::str("model: expected at most task.length = ", positions.size(0),
                 " tokens, as positions are learned, got ", end));
  return scaled + positions.narrow(0, begin, inputs.length());
}

bool carries_all(const Model& model, const Carried& carried) {
  return carried.size() > model.layers().size();
}

}  // namespace

lcsm::ReadBy head_reads(const ModelPlan& plan) {
  return plan.config.task().head == "tokens" ? lcsm::ReadBy::kProducts : lcsm::ReadBy::kAnything;
}

double root_of_width(const Model& model) {
  return std::sqrt(static_cast<double>(model.plan().config.integer("model.d"_key)));
}

Tensor embedded(const Model& model, const Inputs& inputs, double scale) {
  const Tensor x = placed(model, inputs, scale);
  return inputs.padding.defined() ? x.masked_fill(inputs.padding.unsqueeze(2), 0) : x;
}

double skipped_in(const ModelPlan& plan, std::size_t layer) {
  const auto last = static_cast<double>(plan.config.integer("model.layers"_key) - 1);
  if (last == 0) return 0;
  return plan.config.real("model.depth_dropout"_key) * static_cast<double>(layer) / last;
}

lcsm::BlockContext context_of(const Model& model, const Inputs& inputs, Dropout& dropout) {
  lcsm::BlockContext context{
      .padding = inputs.padding, .backend = model.on().backend, .gpu = model.on().gpu};
  if (dropout.drops())
    context.drop_share = [&dropout](const Tensor& x, double share) { return dropout(x, share); };
  return context;
}

Tensor mixed(const Model& model, std::size_t n, const Tensor& x, lcsm::BlockContext context,
             Carried* carried) {
  const LayerMixers& mixers = model.mixers()[n];
  const bool carries = carried != nullptr && mixers.recalls != carries_all(model, *carried);
  if (carries) context.state = (*carried)[n];
  context.wants_state = carries;
  lcsm::BlockResult result = mixers.mix(model.layers()[n].at("mixer"), x, context);
  if (carries) (*carried)[n] = std::move(result.state);
  return result.output;
}

Tensor fed(const Model& model, std::size_t n, const std::string& name, const Tensor& x,
           lcsm::BlockContext context, Carried* carried) {
  const std::size_t place = model.layers().size() + n;
  const bool carries = carried != nullptr && carries_all(model, *carried);
  if (carries) context.state = (*carried)[place];
  context.wants_state = carries;
  lcsm::BlockResult result = model.mixers()[n].feed(model.layers()[n].at(name), x, context);
  if (carries) (*carried)[place] = std::move(result.state);
  return result.output;
}

}  // namespace runner
