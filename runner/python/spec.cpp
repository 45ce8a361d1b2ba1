#include "runner/python/spec.h"

#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <unordered_map>

#include "lcsm/base/nearest.h"
#include "runner/systems/blocks.h"
#include "runner/systems/system.h"

namespace runner {
namespace {

struct Spec {
  std::string code, system, feed, block;
  lcsm::Sizes sizes;
  lcsm::OscillationText own;
  LayerPlace place;
  std::map<std::string, std::string> options;
  bool biases = false;
};

template <class Number>
void read_number(const std::string& name, const std::string& text, Number least, Number* to) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *to);
  if (error != std::errc() || end != text.data() + text.size() || *to < least)
    throw std::invalid_argument("lcsm: expected an integer " + name + " of at least " +
                                std::to_string(least) + ", got " + text);
}

void set(Spec* spec, const std::string& key, const std::string& value) {
  const std::map<std::string, std::string*> texts = {
      {"code", &spec->code},       {"system", &spec->system}, {"feed", &spec->feed},
      {"block", &spec->block},     {"name", &spec->own.name}, {"o", &spec->own.o},
      {"scale", &spec->own.scale}, {"read", &spec->own.read}};
  const std::map<std::string, std::int64_t*> places = {{"layer", &spec->place.layer},
                                                       {"layers", &spec->place.layers},
                                                       {"length", &spec->place.length}};
  const auto rest = [&](const char* prefix) { return key.substr(std::string(prefix).size()); };
  if (key == "help") return;
  if (const auto text = texts.find(key); text != texts.end())
    *text->second = value;
  else if (const auto place = places.find(key); place != places.end())
    read_number<std::int64_t>(key, value, 0, place->second);
  else if (key == "d")
    read_number(key, value, 1, &spec->sizes.d);
  else if (key == "k")
    read_number(key, value, 1, &spec->sizes.k);
  else if (key == "biases")
    spec->biases = value == "1";
  else if (key == "growth")
    spec->own.growth = value == "1";
  else if (key.starts_with("init."))
    spec->own.inits[rest("init.")] = value;
  else if (key.starts_with("rank."))
    spec->own.ranks[rest("rank.")] = value;
  else if (key.starts_with("set."))
    spec->options[rest("set.")] = value;
  else
    throw std::invalid_argument("lcsm: a layer's text has no key '" + key + "'");
}

Spec read(std::string_view text) {
  Spec spec;
  while (!text.empty()) {
    const std::string line(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::string key = line.substr(0, line.find(' '));
    set(&spec, key, line.size() > key.size() ? line.substr(key.size() + 1) : "");
  }
  return spec;
}

lcsm::Variant variant_of(const Spec& spec) {
  lcsm::Catalogue catalogue;
  if (!spec.own.name.empty()) {
    try {
      catalogue.add(lcsm::make_oscillation(spec.own));
    } catch (const lcsm::OscillationError& error) {
      throw std::invalid_argument("lcsm: oscillation '" + spec.own.name + "', " + error.key +
                                  ", column " + std::to_string(error.column) + ": " + error.what());
    }
  }
  try {
    return make_variant(lcsm::parse_code(spec.code, catalogue), catalogue, spec.sizes);
  } catch (const lcsm::CodeError& error) {
    const bool is_system = system_named(spec.code.substr(0, spec.code.find('@'))) != nullptr;
    throw std::invalid_argument("lcsm: code '" + spec.code + "', column " +
                                std::to_string(error.column) + ": " + error.what() +
                                (is_system ? "; the named system is lcsm.system(\"" + spec.code +
                                                 "\", d=" + std::to_string(spec.sizes.d) + ")"
                                 : error.unknown ? "; a gate of your own needs its formula, "
                                                   "oscillation=\"sigmoid(p_k)\""
                                                 : ""));
  }
}

lcsm::Block block_of(const Spec& spec) {
  if (!spec.system.empty()) return mixer_of(parse_system(spec.system), spec.sizes.d, spec.place);
  if (!spec.feed.empty()) {
    const std::optional<lcsm::Block> feed =
        feed_of(parse_system(spec.feed), spec.sizes.d, spec.place);
    if (!feed) throw std::invalid_argument("lcsm: system '" + spec.feed + "' has no feed-forward");
    return *feed;
  }
  if (spec.block.empty())
    throw std::invalid_argument("lcsm: expected a code, a system or a block, got none");
  const lcsm::BlockRow* const row = block_named(spec.block);
  if (row == nullptr) {
    std::vector<std::string> names;
    for (const lcsm::BlockRow* known : all_blocks()) names.emplace_back(known->name);
    throw std::invalid_argument("lcsm: expected a block, got '" + spec.block + "'" +
                                lcsm::did_you_mean(spec.block, names));
  }
  lcsm::Options options = options_of(*row);
  for (const auto& [name, value] : spec.options) options.set(name, value);
  return make_block(*row, options, spec.sizes.d);
}

lcsm::Parameters with_biases(const lcsm::Variant& variant) {
  lcsm::Parameters tensors = tensors_of(variant);
  for (const std::string& name : projections_of(variant)) {
    lcsm::Parameter bias{.name = name + ".bias", .shape = {}, .init = lcsm::number(0)};
    bias.group = lcsm::ParameterGroup::kNorm;
    for (const lcsm::Parameter& weight : tensors)
      if (weight.name == name + ".weight") bias.shape = {weight.shape[0]};
    tensors.push_back(std::move(bias));
  }
  return tensors;
}

}  // namespace

MadeLayer::MadeLayer(std::string_view text) {
  const Spec spec = read(text);
  if (spec.code.empty()) {
    block_.emplace(block_of(spec));
    compiled_ = make_block(*block_);
    tensors_ = tensors_of(*block_);
    return;
  }
  code_.emplace(variant_of(spec));
  tensors_ = spec.biases ? with_biases(code_->variant()) : tensors_of(code_->variant());
}

const CodeLayer& MadeLayer::expect_code() const {
  if (!code_) throw std::invalid_argument("lcsm: expected a code, got a block");
  return *code_;
}

lcsm::BlockResult MadeLayer::operator()(const std::vector<at::Tensor>& weights, const at::Tensor& x,
                                        const lcsm::BlockContext& context) const {
  if (weights.size() != tensors_.size())
    throw std::invalid_argument("lcsm: expected " + std::to_string(tensors_.size()) +
                                " weights, got " + std::to_string(weights.size()));
  const std::int64_t d = code_ ? code_->variant().sizes.d : block_->d;
  if (x.size(2) != d)
    throw std::invalid_argument("lcsm: expected x [B, T, " + std::to_string(d) + "], got " +
                                c10::str(x.sizes()) + ": pass the d channels of the layer");
  lcsm::Weights named;
  for (std::size_t n = 0; n < weights.size(); ++n) named[tensors_[n].name] = weights[n];
  if (!code_) {
    check_weights(*block_, named, x.scalar_type());
    check_steps(*block_, x.size(1));
    return compiled_(named, x, context);
  }
  check_weights(code_->variant(), named, x);
  if (context.padding.defined())
    throw std::invalid_argument(
        "lcsm: expected no padding for a code, whose memory goes on over it: pad on the right, "
        "where no earlier output sees it");
  const lcsm::LayerResult result =
      code_->layer(named, x, lcsm::state_of_code(context.state), context.on());
  const lcsm::BlockState left = lcsm::by_name(result.state);
  lcsm::refuse_unknown_state(context.state, left);
  return {result.output, left};
}

at::Tensor MadeLayer::first_values(const lcsm::Parameter& tensor, std::uint64_t seed) const {
  return lcsm::first_values(tensor, code_ ? code_->variant().sizes : lcsm::Sizes(), seed);
}

std::string MadeLayer::description() const {
  nlohmann::ordered_json out, tensors = nlohmann::json::array();
  for (const lcsm::Parameter& tensor : tensors_)
    tensors.push_back({{"name", tensor.name},
                       {"shape", tensor.shape},
                       {"learned", tensor.learned && !tensor.statistic},
                       {"group", to_string(group_of(tensor))}});
  out["tensors"] = tensors;
  if (!code_) return out.dump();
  const lcsm::Variant& v = code_->variant();
  nlohmann::ordered_json symbols = nlohmann::json::array();
  for (const lcsm::Symbol& symbol : code_->recurrence.symbols())
    symbols.push_back({{"name", to_string(symbol)},
                       {"axes", to_string(symbol.axes)},
                       {"fixed", stem_of(symbol).source == lcsm::Source::kFixed}});
  out["symbols"] = symbols;
  out["d"] = v.sizes.d;
  out["k"] = v.sizes.k;
  out["rows"] = v.gate.angle ? 2 * v.sizes.k : v.sizes.k;
  out["state"] = nlohmann::json::array();
  if (v.gate.cumulative) {
    const lcsm::Type type = type_of(v.gate.cumulative);
    nlohmann::json axes = nlohmann::json::array();
    if (type.k) axes.push_back("k");
    if (type.d) axes.push_back("d");
    out["state"].push_back({{"name", "log_sum"}, {"axes", axes}});
  }
  out["state"].push_back({{"name", "m"}, {"axes", {"rows", "d"}}});  // in the order of their names
  return out.dump();
}

const MadeLayer& made_layer(const std::string& spec) {
  static std::mutex mutex;
  static std::unordered_map<std::string, std::unique_ptr<const MadeLayer>> all;
  const std::lock_guard lock(mutex);
  std::unique_ptr<const MadeLayer>& found = all[spec];
  if (!found) found = std::make_unique<const MadeLayer>(spec);
  return *found;
}

}  // namespace runner
