#include "tests/ets/layer/official_smoothing.h"

#include "ets/families/family.h"

namespace ets {
namespace {

using Json = nlohmann::json;

Settings ces_settings(const Json& o) {
  const bool complex = o.value("complex", true), small = o.value("small_change", false);
  const std::string version = o.value("complex_version", "normal");
  Settings s = {flag("bidirectional", o.value("bidirectional", true)),
                flag("skip", !o.value("no_omera", false)),
                flag("expand", !o.value("no_beta", false))};
  if (!complex) {
    s.push_back("form=real");
    return s;
  }
  s.insert(s.end(),
           {"max_lambda=" + o["max_lambda"].dump(), flag("step", version != "no_alpha"),
            flag("normalize", version == "normalize"), flag("slow", small && version != "no_alpha"),
            flag("balance", small && !o.value("no_beta", false))});
  return s;
}

// `theirs` and `ours` stand before all names.
void rename_ces(const Json& o, const std::string& theirs, const std::string& ours, Renamed& r) {
  const std::int64_t G = o.value("bidirectional", true) ? 2 : 1;
  if (!o.value("complex", true)) {
    r.put(ours + "smoothing_logit", theirs + "delta", {G, -1});
    r.put(ours + "damping_logit", theirs + "alpha", {G, -1});
    r.put(ours + "expand", theirs + "beta", {G, -1});
  } else {
    r.put(ours + "log_rate", theirs + "log_delta", {G, -1, 2});
    r.put(ours + "log_step", theirs + "alpha", {G, -1, 2});
    r.put(ours + "log_expand", theirs + "beta", {G, -1, 2});
  }
  r.put(ours + "skip", theirs + "omega");
}

Settings ema_settings(const Json& o) {
  Settings s = {flag("bidirectional", o["bidirectional"]), "modes=" + o["ndim"].dump()};
  if (!o["truncation"].is_null()) s.push_back("truncation=" + o["truncation"].dump());
  return s;
}

void rename_ema(const Json& o, const std::string& theirs, const std::string& ours, Renamed& r) {
  const std::int64_t D = o["d"], M = o["ndim"], G = o["bidirectional"].get<bool>() ? 2 : 1;
  for (const auto& [name, official] : {std::pair{"smoothing_logit", "delta"},
                                       {"damping_logit", "alpha"},
                                       {"expand", "beta"},
                                       {"shrink", "gamma"}})
    r.put(ours + name, theirs + official, {G, D, M});
  r.put(ours + "skip", theirs + "omega");
}

Settings etsmlp_settings(const Json& o) {
  Settings s = ces_settings(o);
  s.insert(s.end(),
           {"hidden=" + o["D"].dump(), "place=" + o["smlp_pos"].get<std::string>(),
            std::string("smooth_norm=") + (o["norm_after_smlp"].get<bool>() ? "layer" : "none"),
            flag("gate", o["gate"])});
  return s;
}

Settings mega_settings(const Json& o) {
  Settings s = ema_settings(o);
  const std::int64_t chunk = o["chunk_size"];
  s.insert(
      s.end(),
      {flag("causal", o["causal"]), "attention=" + o["attention_activation"].get<std::string>(),
       "bias=" + o["rel_pos_bias"].get<std::string>(), "positions=" + o["max_positions"].dump(),
       "chunk=" + std::to_string(chunk < 0 ? 0 : chunk), "z=" + o["zdim"].dump(),
       "v=" + o["hdim"].dump()});
  return s;
}

void rename_mega(const Json& o, Renamed& r) {
  rename_ema(o, "move.", "average.", r);
  r.put_linears({{"value", "v_proj"}, {"base", "mx_proj"}, {"hidden", "h_proj"}});
  r.put("scale", "gamma");
  r.put("shift", "beta");
  r.put("distance", "rel_pos_bias.rel_pos_bias");
  r.put("rotary_query", "rel_pos_bias.alpha", {-1});
  r.put("rotary_key", "rel_pos_bias.beta", {-1});
}

Around mega_around(const Json& o) {
  const std::string norm = o["norm_type"];
  return {norm.substr(0, norm.find("norm")), o["prenorm"], {}};
}

}  // namespace

Reading etsmlp_reading(const std::string& file, const Json& options) {
  if (file.starts_with("ces_"))
    return {&lcsm::block_row<Ces>, ces_settings(options),
            [](const Json& o, Renamed& r) { rename_ces(o, "", "", r); }};
  const bool whole = options["whole_layer"];
  const std::string prefix = whole ? "smlp." : "";
  Reading reading{&lcsm::block_row<Etsmlp>, etsmlp_settings(options),
                  [prefix](const Json& o, Renamed& r) {
                    rename_ces(o, prefix + "cets.", "smooth.", r);
                    r.put_linears({{"input", prefix + "k_proj"},
                                   {"output", prefix + "out_proj"},
                                   {"smooth_norm", prefix + "smlp_norm.norm"},
                                   {"gate", prefix + "g_proj"}});
                  }};
  if (!whole) return reading;
  const std::string norm = options["norm_type"];
  reading.around = {norm.substr(0, norm.find("norm")), options["encoder_normalize_before"], {}};
  return reading;
}

Reading mega_reading(const std::string& file, const Json& options) {
  if (file.starts_with("ema_"))
    return {&lcsm::block_row<Ema>, ema_settings(options),
            [](const Json& o, Renamed& r) { rename_ema(o, "", "", r); }};
  if (file.starts_with("attn_"))
    return {&lcsm::block_row<Mega>, mega_settings(options), rename_mega, mega_around(options)};
  const auto rename = [](const Json&, Renamed& r) {
    r.put_linears({{"up", "fc1"}, {"down", "fc2"}});
  };
  return {&lcsm::block_row<MegaFeed>, {"hidden=6"}, rename, mega_around(options)};
}

}  // namespace ets
