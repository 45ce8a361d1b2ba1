// Blocks against the authors' numbers, by both machines.
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "lcsm/tensors/safetensors.h"
#include "runner/models/blocks/block.h"
#include "runner/systems/blocks.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/ets/layer/renamed.h"

namespace runner {
namespace {

using at::Tensor;
using ets::Renamed;
using Json = nlohmann::json;
using Settings = std::vector<std::string>;

Settings mamba_settings(const Json& o) {
  return {"state=" + o["N"].dump(), "expand=" + o["expand"].dump(), "taps=" + o["d_conv"].dump(),
          "rank=" + o["dt_rank"].dump()};
}

void rename_mamba(Renamed& r) {
  r.put_linears(
      {{"input", "in_proj"}, {"select", "x_proj"}, {"step", "dt_proj"}, {"output", "out_proj"}});
  r.put("conv.weight", r.at("conv1d.weight").squeeze(1).flip({1}));
  r.put("conv.bias", "conv1d.bias");
  r.put("log_decay", "A_log");
  r.put("skip", "D");
}

Settings no_settings(const Json&) { return {}; }

void rename_rwkv4(Renamed& r) {
  r.put_linears({{"key", "key"}, {"value", "value"}, {"gate", "receptance"}, {"output", "output"}});
  for (const auto& [ours, name] : {std::pair{"mix.key", "time_mix_k"},
                                   {"mix.value", "time_mix_v"},
                                   {"mix.gate", "time_mix_r"}})
    r.put(ours, name, {-1});
  r.put("log_decay", "time_decay");
  r.put("present", "time_first");
}

std::string bound(const Json& o) { return "lower_bound=" + o["lower_bound"].dump(); }

Settings hgrn_settings(const Json& o) {
  if (o["causal"].get<bool>()) return {bound(o)};
  return {bound(o), "bidirectional=true", "shared=true"};
}
Settings both_settings(const Json& o) { return {bound(o), "bidirectional=true"}; }
Settings real_settings(const Json& o) {
  return {bound(o), "form=real", ets::flag("bidirectional", !o["causal"].get<bool>())};
}

void rename_hgrn(Renamed& r) {
  r.put_linears({{"input", "input_proj"},
                 {"decay", "lambda_proj"},
                 {"gate", "gate"},
                 {"norm", "norm"},
                 {"output", "out_proj"}});
  if (r.has("theta")) r.put("angle", r.at("theta").squeeze(0));
  if (r.has("theta_forward"))
    r.put("angle", at::cat({r.at("theta_forward"), r.at("theta_reverse")}, 1).squeeze(0));
}

Settings retnet_settings(const Json& o) {
  Settings settings = {"heads=" + o["heads"].dump(), "value=" + o["value_dim"].dump(),
                       "eps=" + o["eps"].dump()};
  if (!o["chunk"].is_null())
    settings.insert(settings.end(), {"form=chunks", "chunk=" + o["chunk"].dump()});
  return settings;
}

void rename_retnet(Renamed& r) {
  r.put_linears({{"query", "q_proj"},
                 {"key", "k_proj"},
                 {"value", "v_proj"},
                 {"gate", "g_proj"},
                 {"output", "out_proj"}});
}

Settings cosformer_settings(const Json& o) {
  return {"heads=" + o["heads"].dump(), "eps=" + o["eps"].dump(),
          ets::flag("bidirectional", !o["causal"].get<bool>())};
}

Settings based_settings(const Json& o) {
  return {"heads=" + o["heads"].dump(), "feature=" + o["feature_dim"].dump(),
          "view=" + o["train_view"].get<std::string>()};
}

void rename_based(Renamed& r) {
  r.put_linears(
      {{"query", "proj_q"}, {"key", "proj_k"}, {"value", "proj_v"}, {"output", "proj_o"}});
}

Settings conv_settings(const Json& o) { return {"taps=" + o["kernel_size"].dump()}; }

void rename_conv(Renamed& r) {
  r.put("conv.weight", r.at("conv.conv.weight").squeeze(1).flip({1}));
  r.put("conv.bias", "conv.conv.bias");
  r.put_linears({{"gate", "projection"}});
}

struct OfficialBlock {
  const char *folder, *start, *block;
  Settings (*settings)(const Json& options);
  void (*rename)(Renamed& tensors);
  double output = 1e-10, gradient = 1e-9;
};

constexpr std::array kOfficial = {
    OfficialBlock{"mamba", "mamba", "mamba", mamba_settings, rename_mamba},
    OfficialBlock{"rwkv4", "timemix", "rwkv4", no_settings, rename_rwkv4},
    OfficialBlock{"rwkv4", "channelmix", "rwkv4-feed", no_settings, rename_rwkv4},
    OfficialBlock{"hgrn", "hgru1d", "hgrn", hgrn_settings, rename_hgrn},
    OfficialBlock{"hgrn", "bihgru1d", "hgrn", both_settings, rename_hgrn},
    OfficialBlock{"hgrn", "real", "hgrn", real_settings, rename_hgrn},
    OfficialBlock{"retnet", "parallel", "retnet", retnet_settings, rename_retnet},
    OfficialBlock{"retnet", "chunk", "retnet", retnet_settings, rename_retnet},
    // The authors' table of angles is float32.
    OfficialBlock{"cosformer", "", "cosformer", cosformer_settings, rename_retnet, 2e-7, 2e-7},
    OfficialBlock{"zoology", "based", "based", based_settings, rename_based},
    OfficialBlock{"zoology", "baseconv", "base-conv", conv_settings, rename_conv},
};

ets::Weights renamed(const OfficialBlock& official, const lcsm::SafeTensors& file,
                     const std::string& prefix) {
  ets::Weights part;
  for (const auto& [name, tensor] : file.tensors)
    if (name.starts_with(prefix)) part[name.substr(prefix.size())] = tensor;
  Renamed tensors(part);
  official.rename(tensors);
  return tensors.take();
}

void expect_authors_numbers_official_blocks(const OfficialBlock& official,
                                            const std::filesystem::path& path,
                                            ets::Machine machine) {
  const lcsm::SafeTensors file = lcsm::read_safetensors(path.string());
  const ets::FamilyRow& row = *block_named(official.block);
  ets::Options options(row.name, row.options);
  for (const std::string& setting : official.settings(Json::parse(file.metadata.at("options"))))
    options.set(setting);
  const Tensor x = file.tensors.at("input").clone().requires_grad_();
  const ets::Variant variant = ets::make_variant(row, options, x.size(2));
  ets::Weights weights = renamed(official, file, "weight.");
  for (auto& [name, tensor] : weights) tensor = tensor.detach().clone().requires_grad_();
  ets::check_weights(variant, weights, at::kDouble);
  const Tensor y = block_forward(variant, weights, x, {.machine = machine}).output;
  EXPECT_LE(ets::relative_error(y, file.tensors.at("output")), official.output);
  y.backward(file.tensors.at("grad_output"));
  EXPECT_LE(ets::relative_error(x.grad(), file.tensors.at("grad.input")), official.gradient);
  const ets::Weights gradients = renamed(official, file, "grad.weight.");
  for (const auto& [name, tensor] : weights)
    EXPECT_LE(ets::relative_error(tensor.grad(), gradients.at(name)), official.gradient) << name;
}

TEST(OfficialBlocks, GiveTheAuthorsNumbers) {
  std::size_t done = 0;
  for (const OfficialBlock& official : kOfficial)
    for (const auto& path : ets::case_files(official.folder, official.start)) {
      ++done;
      for (const ets::Machine machine : {ets::Machine::kReference, ets::Machine::kFastest}) {
        SCOPED_TRACE(path.filename().string() +
                     (machine == ets::Machine::kFastest ? " cpu" : " reference"));
        expect_authors_numbers_official_blocks(official, path, machine);
      }
    }
  std::size_t all = ets::case_files("mamba", "mamba").size();
  for (const char* folder : {"rwkv4", "hgrn", "retnet", "cosformer", "zoology"})
    all += ets::case_files(folder, "").size();
  if (all == 0) GTEST_SKIP() << "the authors' cases are not in ../shared";
  EXPECT_EQ(done, all);
}

}  // namespace
}  // namespace runner
