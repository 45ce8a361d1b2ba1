// `lcsm codes --json`. The schema's number increases if a field changes its meaning or is removed.
#include <cmath>
#include <nlohmann/json.hpp>

#include "lcsm/code/tables.h"
#include "lcsm/formula/derivative.h"
#include "lcsm/formula/simplify.h"
#include "runner/base/files/json_file.h"
#include "runner/front/codes/code_text.h"
#include "runner/front/codes/code_views.h"

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const lcsm::Expr& e) { return lcsm::to_string(e); }

// JSON has no infinity; it is written as null.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json gate_json(const lcsm::Variant& v) {
  const lcsm::Type type = lcsm::type_of(v.o());
  Json json = {{"text", gate_text(v, lcsm::Style::kAscii)},
               {"latex", gate_text(v, lcsm::Style::kLatex)},
               {"over_k", v.oscillation.matrix || type.k},
               {"over_d", !v.oscillation.matrix && type.d},
               {"data", type.data}};
  if (v.oscillation.scale) json["scale"] = text_of(v.oscillation.scale);
  if (v.oscillation.read) json["read"] = text_of(v.oscillation.read);
  if (v.oscillation.matrix) return json;
  json["canonical"] = text_of(lcsm::simplify(v.o()));
  if (v.gate.angle) json["angle"] = text_of(v.gate.angle);
  if (v.gate.cumulative) return json;
  if (const auto log_o = lcsm::log_of(v.gate.real)) json["log"] = text_of(*log_o);
  for (const lcsm::Symbol& s : lcsm::symbols_of(v.gate.real)) {
    const lcsm::Source source = lcsm::stem_of(s).source;
    if (source == lcsm::Source::kData || source == lcsm::Source::kLearned)
      json["derivatives"][to_string(s)] = text_of(lcsm::derivative(v.gate.real, s));
  }
  return json;
}

Json plan_json(const lcsm::Plan& plan) {
  Json json = {{"machine", to_string(plan.machine)},
               {"summary", summary(plan)},
               {"why", plan.why},
               {"complex", plan.is_complex},
               {"rotates", plan.rotates},
               {"running_softmax", plan.cumulative}};
  if (plan.parts)
    json["log_parts"] = {{"time", text_of(plan.parts->time)},
                         {"k", text_of(plan.parts->k)},
                         {"d", text_of(plan.parts->d)}};
  return json;
}

Json tensors_json(const lcsm::Variant& v) {
  Json list = Json::array();
  for (const lcsm::Parameter& t : lcsm::tensors_of(v))
    list.push_back({{"name", t.name},
                    {"shape", t.shape},
                    {"init", text_of(t.init)},
                    {"learned", t.learned},
                    {"of_gate", t.of_gate}});
  return list;
}

Json start_json(const lcsm::InitialDecay& decay) {
  using Kind = lcsm::InitialDecay::Kind;
  if (decay.kind == Kind::kMatrix) return {{"kind", "matrix"}};
  if (decay.kind == Kind::kHarmonic) return {{"kind", "harmonic"}};
  return {{"kind", "gate"},
          {"o", decay.centre},
          {"half_life", finite(decay.median)},
          {"half_life_p10", finite(decay.low)},
          {"half_life_p90", finite(decay.high)}};
}

Json published_json(const CodeFacts& f) {
  Json list = Json::array();
  for (const PublishedPerplexity& p : f.published)
    list.push_back({{"table", p.table},
                    {"valid", p.valid},
                    {"test", p.test},
                    {"params_m", p.params_m},
                    {"layers", p.layers > 0 ? Json(p.layers) : Json(nullptr)},
                    {"note", p.note}});
  return list;
}

Json code_json(const CodeFacts& f) {
  const lcsm::Variant& v = f.variant;
  return {{"code", f.text},
          {"help", v.oscillation.help},
          {"defined_in", v.oscillation.origin.empty() ? Json(nullptr) : Json(v.oscillation.origin)},
          {"e", v.code.e},
          {"o", v.code.o},
          {"s", v.code.s},
          {"a", v.code.a},
          {"gate", gate_json(v)},
          {"plan", plan_json(f.plan)},
          {"cost",
           {{"state", f.cost.state},
            {"projection_flops", f.cost.projection_flops},
            {"recurrence_flops", f.cost.recurrence_flops},
            {"recurrence_bytes", f.cost.recurrence_bytes}}},
          {"start", start_json(f.decay)},
          {"tensors", tensors_json(v)},
          {"model",
           {{"d", v.sizes.d},
            {"k", v.sizes.k},
            {"layers", f.model.layers},
            {"vocab", f.model.vocab},
            {"parameters", f.parameters.total()},
            {"learned", f.parameters.learned},
            {"fixed", f.parameters.fixed},
            {"stored", f.parameters.stored}}},
          {"published", published_json(f)},
          {"warnings", f.warnings}};
}

}  // namespace

std::string codes_json(std::span<const CodeFacts> facts) {
  Json json = {{"schema", "lcsm.codes/1"}, {"codes", Json::array()}};
  for (const CodeFacts& f : facts) json["codes"].push_back(code_json(f));
  return printed_json(json);
}

std::string overview_json(const lcsm::Catalogue& catalogue) {
  Json json = {{"schema", "lcsm.codes.overview/1"},
               {"oscillations", Json::array()},
               {"activations", Json::array()}};
  for (const lcsm::Oscillation& o : catalogue.all()) {
    Json row = {{"name", o.name},
                {"o", text_of(o.o)},
                {"help", o.help},
                {"whole", o.whole},
                {"matrix", o.matrix}};
    if (o.fixed) row["fixed"] = text_of(o.fixed);
    if (o.scale) row["scale"] = text_of(o.scale);
    if (o.read) row["read"] = text_of(o.read);
    if (!o.origin.empty()) row["defined_in"] = o.origin;
    json["oscillations"].push_back(row);
  }
  for (const lcsm::ActivationRow& row : lcsm::activation_rows())
    json["activations"].push_back({{"a", row.a}, {"formula", row.formula}});
  return printed_json(json);
}

}  // namespace runner
