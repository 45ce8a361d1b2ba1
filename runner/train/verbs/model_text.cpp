#include "runner/train/verbs/model_text.h"

#include <fmt/format.h>

#include "lcsm/base/words.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/family_rows.h"
#include "runner/config/keys/model_keys.h"

namespace runner {
namespace {

// "1-9-1-0, k = 64", "attention, heads = 8": the mixer with the sizes of its family, and the parts
// around its code that are on.
std::string mixer_text(const RunConfig& config) {
  std::string text =
      config.has_code() ? config.text("model.code"_key) : config.text("model.family"_key);
  for (const std::string& key : lcsm::words_of(config.family().keys))
    if (key == "model.k" || key == "model.heads" ||
        (key != "model.code" && !config.at(key_index(key)).usual))
      text += fmt::format(", {} = {}", key.substr(key.rfind('.') + 1),
                          value_text(config.at(key_index(key)).value));
  return text;
}

// The model in one line.
std::string title(const ModelPlan& plan) {
  const RunConfig& c = plan.config;
  std::string text = c.text("model.skeleton"_key);
  if (c.is("model.skeleton"_key, "wikitext"))
    text +=
        fmt::format(" (scheme {}, glu {})", c.text("model.scheme"_key), c.text("model.glu"_key));
  if (c.is("model.skeleton"_key, "zoology"))
    text += fmt::format(" (state mixer {})", c.text("model.state_mixer"_key));
  text += fmt::format(", {}, positions {}, d = {}", mixer_text(c), c.text("model.positions"_key),
                      c.integer("model.d"_key));
  return text + fmt::format(", {} layers, {} tokens\n", c.integer("model.layers"_key), plan.vocab);
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

std::string row(const lcsm::Parameter& p, const std::string& name, std::int64_t layers) {
  return fmt::format("{:<39} {:<13} {:<9} {:<25} {:>12}{}\n", name, shape_text(p.shape),
                     lcsm::to_string(lcsm::group_of(p)), lcsm::start_text(p), layers * p.count(),
                     p.learned ? "" : "  not learned");
}

std::string sum(const std::string& what, std::int64_t count) {
  return fmt::format("{:<90}{:>12}\n", what, count);
}

}  // namespace

std::string model_text(const ModelPlan& plan) {
  static const std::string kFirst = "layers.0.";
  std::string text = title(plan);
  for (const lcsm::Parameter& p : tensors_of(plan))
    if (p.name.starts_with(kFirst))
      text += row(p, "layers.*." + p.name.substr(kFirst.size()),
                  plan.config.integer("model.layers"_key));
    else if (!p.name.starts_with("layers."))
      text += row(p, p.name, 1);
  const lcsm::ParameterCount count = count_of(plan);
  text += sum("learned", count.learned);
  if (count.fixed > 0) text += sum("fixed or frozen", count.fixed);
  if (count.stored > 0) text += sum("stored by the official layer, not used", count.stored);
  return text + sum("total", count.total());
}

}  // namespace runner
