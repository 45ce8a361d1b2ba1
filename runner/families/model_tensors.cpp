#include "runner/config/model_tensors.h"

#include <array>
#include <stdexcept>

namespace runner {
namespace {

using lcsm::Expr;
using lcsm::Parameter;

Expr init(const std::string& formula) {
  return lcsm::parse_formula(formula, lcsm::FormulaUse::kInit);
}

// Initial values of the matrices of the skeleton, including those of its EOS layers.
struct Start {
  std::string embedding;
  std::string linear;    // "" = uniform/sqrt(inputs)
  std::string residual;  // outputs of attention and MLP, into the residual
};

Start start_of(const RunConfig& config) {
  if (config.is("model.skeleton", "wikitext")) return {"normal/sqrt(size_d)", "", ""};
  const std::string layers = std::to_string(config.integer("model.layers"));
  return {"0.02 * normal", "0.02 * normal", "0.02 * normal/sqrt(2 * " + layers + ")"};
}

class Builder {
 public:
  explicit Builder(const ModelPlan& plan)
      : plan_(plan),
        config_(plan.config),
        start_(start_of(plan.config)),
        d_(config_.integer("model.d")),
        wikitext_(config_.is("model.skeleton", "wikitext")),
        scheme_b_(config_.is("model.scheme", "B")) {}

  std::vector<Parameter> build(std::int64_t layers) {
    inputs();
    if (config_.is("model.positions", "learned"))
      put("positions.weight", {config_.integer("task.length"), d_}, start_.embedding);
    for (std::int64_t n = 0; n < layers; ++n) {
      prefix_ = "layers." + std::to_string(n) + ".";
      wikitext_ ? wikitext_layer() : zoology_layer();
    }
    prefix_ = "";
    norm("final_norm");
    head();
    return std::move(tensors_);
  }

 private:
  // A kind of inputs, or a head, as task_rows.h names it.
  struct Part {
    std::string_view name;
    void (Builder::*put)();
  };
  template <std::size_t size>
  void put_one_of(const std::array<Part, size>& parts, std::string_view name) {
    for (const Part& part : parts)
      if (part.name == name) return (this->*part.put)();
    throw std::logic_error("model: no tensors for '" + std::string(name) + "'");
  }
  void inputs() {
    put_one_of(std::array{Part{"tokens", &Builder::embedding}}, config_.task().inputs);
  }
  void head() { put_one_of(std::array{Part{"tokens", &Builder::tied_head}}, config_.task().head); }

  void embedding() { put("embedding.weight", {plan_.vocab, d_}, start_.embedding); }
  void tied_head() {}  // it has the embedding's

  void put(const std::string& name, std::vector<std::int64_t> shape, const std::string& formula) {
    Parameter tensor;
    tensor.name = prefix_ + name;
    tensor.shape = std::move(shape);
    tensor.init = init(formula);
    tensors_.push_back(std::move(tensor));
  }

  void norm(const std::string& name) {
    put(name + ".weight", {d_}, "1");
    put(name + ".bias", {d_}, "0");
  }

  // start: "" = the default of PyTorch's linear layer for weights and biases.
  void linear(const std::string& name, std::int64_t outputs, std::int64_t inputs,
              const std::string& start, bool biased) {
    const std::string usual = "uniform/sqrt(" + std::to_string(inputs) + ")";
    put(name + ".weight", {outputs, inputs}, start.empty() ? usual : start);
    if (biased) put(name + ".bias", {outputs}, start.empty() ? usual : "0");
  }

  void wikitext_layer() {
    if (!scheme_b_) norm("mixer_norm");
    mixer(/*biased=*/scheme_b_);
    if (!scheme_b_) norm("glu_norm");
    const std::int64_t h = 4 * d_ / 3;
    linear("glu.gate", h, d_, "", scheme_b_);
    linear("glu.value", h, d_, "", scheme_b_);
    linear("glu.output", d_, h, "", scheme_b_);
  }

  void zoology_layer() {
    norm("mixer_norm");
    mixer(/*biased=*/true);
    norm("state_norm");
    if (!config_.is("model.state_mixer", "mlp")) return;
    linear("state_mixer.up", 4 * d_, d_, start_.linear, true);
    linear("state_mixer.down", d_, 4 * d_, start_.residual, true);
  }

  // biased: for attention only; the projections of EOS layers have no biases.
  void mixer(bool biased) {
    if (!plan_.variant) {
      linear("mixer.qkv", 3 * d_, d_, start_.linear, biased);
      linear("mixer.output", d_, d_, start_.residual, biased);
      return;
    }
    for (Parameter& tensor : lcsm::tensors_of(*plan_.variant)) {
      tensor.name = prefix_ + "mixer." + tensor.name;
      if (tensor.linear && !start_.linear.empty()) tensor.init = init(start_.linear);
      tensors_.push_back(std::move(tensor));
    }
  }

  const ModelPlan& plan_;
  const RunConfig& config_;
  const Start start_;
  const std::int64_t d_;
  const bool wikitext_, scheme_b_;
  std::string prefix_;
  std::vector<Parameter> tensors_;
};

}  // namespace

ModelPlan plan_model(const RunConfig& config, std::int64_t vocab) {
  ModelPlan plan{config, vocab, {}};
  if (config.is("model.family", "eos"))
    plan.variant = lcsm::make_variant(
        config.code(), config.catalogue(),
        {static_cast<int>(config.integer("model.d")), static_cast<int>(config.integer("model.k"))});
  return plan;
}

std::vector<Parameter> tensors_of(const ModelPlan& plan) {
  return Builder(plan).build(plan.config.integer("model.layers"));
}

TensorCounts counts_of(const ModelPlan& plan) {
  TensorCounts counts;
  for (const Parameter& tensor : Builder(plan).build(1)) {
    lcsm::ParameterCount& count = !tensor.name.starts_with("layers.")          ? counts.around
                                  : tensor.name.starts_with("layers.0.mixer.") ? counts.mixer
                                                                               : counts.rest;
    (tensor.learned ? count.learned : count.fixed) += tensor.count();
  }
  if (plan.variant) counts.mixer.stored = lcsm::stored_count(*plan.variant);
  return counts;
}

lcsm::ParameterCount count_of(const ModelPlan& plan) {
  const auto [mixer, rest, around] = counts_of(plan);
  const std::int64_t layers = plan.config.integer("model.layers");
  return {around.learned + layers * (mixer.learned + rest.learned),
          around.fixed + layers * (mixer.fixed + rest.fixed), layers * mixer.stored};
}

lcsm::Sizes sizes_of(const ModelPlan& plan) {
  if (plan.variant) return plan.variant->sizes;
  return {static_cast<int>(plan.config.integer("model.d")), 1};
}

}  // namespace runner
