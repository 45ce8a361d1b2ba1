#include "runner/models/families/model_tensors.h"

#include <array>
#include <stdexcept>

#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_row.h"
#include "runner/models/families/bands.h"
#include "runner/models/families/family.h"

namespace runner {
namespace {

using lcsm::Parameter;
using Matrix = TensorList::Matrix;

class Builder {
 public:
  explicit Builder(const ModelPlan& plan)
      : plan_(plan),
        config_(plan.config),
        tensors_(plan.config),
        d_(config_.integer("model.d"_key)),
        scheme_b_(config_.is("model.scheme"_key, "B")) {}

  std::vector<Parameter> build(std::int64_t layers) {
    inputs();
    if (is_source() && config_.system()->row->embedding_normed)
      tensors_.put_norm("embedding_norm", config_.system()->norm);
    if (config_.is("model.positions"_key, "learned"))
      tensors_.put_embedding("positions.weight", config_.integer("task.length"_key));
    shared();
    for (std::int64_t n = 0; n < layers; ++n) {
      layer_ = static_cast<std::size_t>(n);
      prefix_ = "layers." + std::to_string(n) + ".";
      tensors_.set_prefix(prefix_);
      put_one_of(std::array{Part{"wikitext", &Builder::wikitext_layer},
                            Part{"zoology", &Builder::zoology_layer},
                            Part{"source", &Builder::source_layer},
                            Part{"encoder-decoder", &Builder::encoder_decoder_layer}},
                 config_.text("model.skeleton"_key));
    }
    tensors_.set_prefix("");
    final_norm();
    head();
    return tensors_.take();
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
    put_one_of(std::array{Part{"tokens", &Builder::embedding}, Part{"numbers", &Builder::scaling},
                          Part{"sentences", &Builder::embedding}},
               config_.task().inputs);
  }
  void head() {
    put_one_of(
        std::array{Part{"tokens", &Builder::tied_head}, Part{"classes", &Builder::class_head},
                   Part{"pairs", &Builder::pair_head}, Part{"values", &Builder::value_head}},
        config_.task().head);
  }

  void embedding() {
    const std::vector<Band> bands = bands_of(config_, plan_.vocab);
    if (bands.empty()) return tensors_.put_embedding("embedding.weight", plan_.vocab);
    for (std::size_t i = 0; i < bands.size(); ++i) {
      const std::string name = "embedding." + std::to_string(i),
                        width = std::to_string(bands[i].width);
      tensors_.put(name + ".weight", {bands[i].tokens, bands[i].width},
                   "normal / sqrt(" + width + ")");
      tensors_.put(name + ".project", {d_, bands[i].width},
                   "uniform * sqrt(6 / " + std::to_string(bands[i].width + d_) + ")");
    }
  }
  // ETSMLP's RealNumberEmbedding: x w + b. Initialized for a patch as for one pixel.
  void scaling() {
    const std::int64_t values = config_.channels();
    const bool patches = values > config_.picture_channels();
    tensors_.put("numbers.weight", {values, d_},
                 patches ? "normal / sqrt(" + std::to_string(values) + ")" : "normal");
    tensors_.put("numbers.bias", {d_}, "0.1 * normal");
  }
  void class_head() { put_classes(d_); }
  void pair_head() { put_classes((config_.is("model.pair"_key, "nli") ? 4 : 2) * d_); }
  void put_classes(std::int64_t width) {
    if (!config_.is("model.head"_key, "linear")) {
      const std::int64_t given = config_.integer("model.head_width"_key);
      const std::int64_t hidden = given > 0 ? given : d_;
      tensors_.put_linear("head_hidden", hidden, width, Matrix::kUsual, true);
      width = hidden;
    }
    tensors_.put_linear("head", config_.outputs(), width, Matrix::kUsual, false);
  }
  void value_head() { tensors_.put_linear("head", config_.outputs(), d_, Matrix::kUsual, true); }
  // The head shares the embedding's tensors and adds a vector for each band after the first.
  void tied_head() {
    const auto bands = static_cast<std::int64_t>(bands_of(config_, plan_.vocab).size());
    if (bands > 1) tensors_.put_linear("bands", bands - 1, d_, Matrix::kUsual, false);
  }

  // A feed-forward shares nothing.
  void shared() {
    if (plan_.blocks.empty()) return;
    tensors_.set_prefix("shared.mixer.");
    tensors_.put_shared(plan_.blocks[0].mixer);
    tensors_.set_prefix("");
  }

  void mixer() {
    tensors_.set_prefix(prefix_ + "mixer.");
    family_of(config_).put_tensors(plan_, layer_, tensors_);
    tensors_.set_prefix(prefix_);
  }

  bool has_decoder() const { return config_.is("model.skeleton"_key, "encoder-decoder"); }
  bool is_source() const { return config_.is("model.skeleton"_key, "source") || has_decoder(); }

  void final_norm() {
    if (!is_source()) return tensors_.put_norm("final_norm");
    if (config_.system()->norm_place != "pre") return;
    if (has_decoder()) tensors_.put_norm("encoder_norm", config_.system()->norm);
    tensors_.put_norm("final_norm", config_.system()->norm);
  }

  void source_layer() {
    tensors_.put_norm("mixer_norm", config_.system()->norm);
    mixer();
    feed("feed");
  }

  void feed(const std::string& name) {
    const std::optional<lcsm::Block>& feed = plan_.blocks[layer_].feed;
    if (feed) put_unit(name, lcsm::tensors_of(*feed));
  }

  // NAME_norm, then the block's tensors.
  void put_unit(const std::string& name, lcsm::Parameters tensors) {
    tensors_.put_norm(name + "_norm", config_.system()->norm);
    tensors_.set_prefix(prefix_ + name + ".");
    tensors_.put_tensors(std::move(tensors));
    tensors_.set_prefix(prefix_);
  }

  void encoder_decoder_layer() {
    source_layer();
    const auto& [mixer, cross] = *plan_.blocks[layer_].decoder;
    put_unit("decoder_mixer", lcsm::tensors_of(mixer));
    put_unit("cross", runner::tensors_of(cross, d_));
    feed("decoder_feed");
  }

  void wikitext_layer() {
    if (!scheme_b_) tensors_.put_norm("mixer_norm");
    mixer();
    if (!scheme_b_) tensors_.put_norm("glu_norm");
    const std::int64_t h = 4 * d_ / 3;
    tensors_.put_linear("glu.gate", h, d_, Matrix::kUsual, scheme_b_);
    tensors_.put_linear("glu.value", h, d_, Matrix::kUsual, scheme_b_);
    tensors_.put_linear("glu.output", d_, h, Matrix::kUsual, scheme_b_);
  }

  void zoology_layer() {
    tensors_.put_norm("mixer_norm");
    mixer();
    tensors_.put_norm("state_norm");
    if (!config_.is("model.state_mixer"_key, "mlp")) return;
    tensors_.put_linear("state_mixer.up", 4 * d_, d_, Matrix::kInner, true);
    tensors_.put_linear("state_mixer.down", d_, 4 * d_, Matrix::kIntoResidual, true);
  }

  const ModelPlan& plan_;
  const RunConfig& config_;
  TensorList tensors_;
  const std::int64_t d_;
  const bool scheme_b_;
  std::string prefix_;
  std::size_t layer_ = 0;
};

}  // namespace

ModelPlan plan_model(const RunConfig& config, std::int64_t vocab) {
  ModelPlan plan{config, vocab, {}, {}, {}};
  if (config.has_code()) {
    plan.variant = lcsm::make_variant(config.code(), config.catalogue(),
                                      {static_cast<int>(config.integer("model.d"_key)),
                                       static_cast<int>(config.integer("model.k"_key))});
    plan.parts = parts_around(*plan.variant, config);
  }
  if (const std::optional<System>& system = config.system()) {
    const std::int64_t d = config.integer("model.d"_key),
                       layers = config.integer("model.layers"_key);
    const bool decodes = config.is("model.skeleton"_key, "encoder-decoder");
    const System encoder = decodes ? two_sided(*system) : *system;
    for (std::int64_t n = 0; n < layers; ++n) {
      const LayerPlace place{n, layers, config.integer("task.length"_key)};
      plan.blocks.push_back({mixer_of(encoder, d, place), feed_of(encoder, d, place)});
      if (!decodes) continue;
      const lcsm::Block mixer = mixer_of(*system, d, place);
      plan.blocks.back().decoder = {mixer, cross_of(mixer)};
    }
  }
  return plan;
}

std::vector<Parameter> tensors_of(const ModelPlan& plan) {
  return Builder(plan).build(plan.config.integer("model.layers"_key));
}

TensorCounts counts_of(const ModelPlan& plan) {
  TensorCounts counts;
  for (const Parameter& tensor : Builder(plan).build(1)) {
    if (tensor.statistic) continue;
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
  const std::int64_t layers = plan.config.integer("model.layers"_key);
  return {around.learned + layers * (mixer.learned + rest.learned),
          around.fixed + layers * (mixer.fixed + rest.fixed), layers * mixer.stored};
}

lcsm::Sizes sizes_of(const ModelPlan& plan) {
  if (plan.variant) return plan.variant->sizes;
  return {static_cast<int>(plan.config.integer("model.d"_key)), 1};
}

}  // namespace runner
