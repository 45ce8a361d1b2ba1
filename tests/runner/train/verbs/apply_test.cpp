// `lcsm-train apply` against numbers that the authors' own layer computed.
#include "runner/train/verbs/apply.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lcsm/layer/layer.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/message_of.h"
#include "tests/source_folder.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

const lcsm::Catalogue& catalogue() {
  static const lcsm::Catalogue all;
  return all;
}

// LCSM_CASES, else shared/cases/lcsm beside the checkout.
fs::path case_folder() {
  if (const char* folder = std::getenv("LCSM_CASES")) return folder;
  return source_folder().parent_path() / "shared/cases/lcsm";
}

// "1-9-1-4_tau1_d3_T64" with the official options -> our code.
std::string our_code(const nlohmann::json& options) {
  const std::string name = options["code"];
  if (name == "ssm") return "ssm";
  std::string extra;
  if (!options.value("f_learned", true) && name.find("-10-") == std::string::npos)
    extra = "o=fixed";
  const int tau = options.value("tau", 16);
  const lcsm::Code plain = lcsm::parse_code(name, catalogue());
  if (tau != 16 && extra.empty() && plain.o != "10") extra = "tau=" + std::to_string(tau);
  return name + (extra.empty() ? "" : "@" + extra);
}

// The official names, from the file's options.
std::string our_name(const std::string& official, const lcsm::Code& code) {
  static const std::map<std::string, std::string> names = {{"i_proj", "input"},
                                                           {"e_proj", "expand"},
                                                           {"s_proj", "shrink"},
                                                           {"o_proj", "output"},
                                                           {"norm", "norm"},
                                                           {"f1_proj", "oscillation.p_d"},
                                                           {"f2_proj", "oscillation.p_k"},
                                                           {"inter_proj.0", "oscillation.p_d.down"},
                                                           {"inter_proj.1", "oscillation.p_d.up"}};
  if (official == "e") return "expand.matrix";
  if (official == "s") return "shrink.matrix";
  const std::size_t dot = official.rfind('.');
  const std::string head = official.substr(0, dot);
  if (head == "f_proj")
    return (code.o == "2" || code.o == "7" || code.o == "8" ? "oscillation.p_d"
                                                            : "oscillation.p_k") +
           official.substr(dot);
  if (const auto found = names.find(head); found != names.end())
    return found->second + official.substr(dot);
  // f: the static factor; theta and the ones of 10 and 11 are ours to compute.
  if (official != "f" || code.o == "10" || code.o == "11" || code.fixed) return "";
  if (code.o == "4" || code.o == "8") return "oscillation.w_k";
  if (code.o == "5" || code.o == "9") return "oscillation.w_d";
  return "oscillation.w_kd";
}

struct ApplyCase {
  lcsm::Code code;
  lcsm::SafeTensors input, expected;
};

ApplyCase read_case(const fs::path& path) {
  const lcsm::SafeTensors file = lcsm::read_safetensors(path.string());
  ApplyCase result;
  result.code =
      lcsm::parse_code(our_code(nlohmann::json::parse(file.metadata.at("options"))), catalogue());
  for (const auto& [name, tensor] : file.tensors) {
    if (name == "input" || name == "grad_output") result.input.tensors[name] = tensor;
    if (name == "output" || name == "grad.input") result.expected.tensors[name] = tensor;
    for (const std::string prefix : {"weight.", "grad.weight."}) {
      if (!name.starts_with(prefix)) continue;
      const std::string ours = our_name(name.substr(prefix.size()), result.code);
      if (!ours.empty())
        (prefix == "weight." ? result.input : result.expected).tensors[prefix + ours] = tensor;
    }
  }
  return result;
}

lcsm::SafeTensors example_of_apply() {
  const lcsm::Variant v =
      lcsm::make_variant(lcsm::parse_code("1-3-1-0", catalogue()), catalogue(), {4, 3});
  lcsm::SafeTensors file;
  for (const auto& [name, tensor] : lcsm::initial_weights(v, 1, at::kDouble))
    file.tensors["weight." + name] = tensor.detach();
  file.tensors["input"] = at::zeros({1, 2, 4}, at::kDouble) + 1;
  return file;
}

std::string refusal_of_apply(const lcsm::SafeTensors& file) {
  return message_of<std::invalid_argument>(
      [&] { apply_layer(lcsm::parse_code("1-3-1-0", catalogue()), catalogue(), file); });
}

}  // namespace

// The authors' layer computes in float64 (1-12-* casts to float32): a different order of operations
// stays within 1e-10, and within 2e-5 in float32.
TEST(Apply, AgreesWithTheAuthorsLayer) {
  if (!fs::is_directory(case_folder())) GTEST_SKIP() << "no cases in " << case_folder();
  int cases = 0;
  for (const auto& entry : fs::directory_iterator(case_folder())) {
    SCOPED_TRACE(entry.path().filename());
    const ApplyCase c = read_case(entry.path());
    for (const lcsm::Backend backend : {lcsm::Backend::kReference, lcsm::Backend::kMachine}) {
      const lcsm::SafeTensors got = apply_layer(c.code, catalogue(), c.input, backend);
      for (const auto& [name, expected] : c.expected.tensors) {
        ASSERT_TRUE(got.tensors.contains(name)) << name;
        const double bound = c.code.o == "12" ? 2e-5 : name == "output" ? 1e-10 : 1e-9;
        EXPECT_LE(ets::relative_error(got.tensors.at(name), expected), bound) << name;
      }
    }
    ++cases;
  }
  EXPECT_GT(cases, 0);
}

TEST(Apply, ContinuesFromAState) {
  lcsm::SafeTensors file = example_of_apply();
  const auto code = lcsm::parse_code("1-3-1-0", catalogue());
  file.tensors["input"] = at::zeros({1, 4, 4}, at::kDouble) + 1;
  const lcsm::SafeTensors whole = apply_layer(code, catalogue(), file);
  file.tensors["input"] = file.tensors["input"].narrow(1, 0, 2);
  file.tensors["state"] = apply_layer(code, catalogue(), file).tensors.at("final_state");
  const lcsm::SafeTensors second = apply_layer(code, catalogue(), file);
  EXPECT_LE(
      ets::relative_error(second.tensors.at("output"), whole.tensors.at("output").narrow(1, 2, 2)),
      1e-13);
}

TEST(Apply, RejectsUnknownTensors) {
  lcsm::SafeTensors file = example_of_apply();
  EXPECT_EQ(refusal_of_apply(file), "");
  file.tensors["wieght.input"] = at::zeros({1});
  EXPECT_NE(refusal_of_apply(file).find("'wieght.input' has no meaning here"), std::string::npos);
  file = example_of_apply();
  file.tensors.erase("input");
  EXPECT_NE(refusal_of_apply(file).find("'input' [B, T, D], got none"), std::string::npos);
  file = example_of_apply();
  file.tensors["grad_output"] = at::zeros({1, 2, 5}, at::kDouble);
  EXPECT_NE(refusal_of_apply(file).find("expected 'grad_output' like the output"),
            std::string::npos);
  file = example_of_apply();
  file.tensors.erase("weight.oscillation.p_k.weight");
  EXPECT_NE(refusal_of_apply(file).find("'oscillation.p_k.weight': expected it, got none"),
            std::string::npos);
}

}  // namespace runner
