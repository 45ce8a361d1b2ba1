// `apply` takes the names that `params` prints, of every system and every code.
#include <ATen/core/Tensor.h>
#include <ATen/ops/ones_like.h>
#include <gtest/gtest.h>

#include "lcsm/code/code.h"
#include "runner/train/verbs/apply.h"
#include "runner/train/verbs/apply_family.h"
#include "runner/train/verbs/params.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/message_of.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

constexpr std::int64_t kNameSteps = 8, kNameChannels = 64;

// Initial values by the name behind the part, "shared.mixer." or "feed.".
lcsm::SafeTensors file_of(const System& system, const std::string& part, const lcsm::Block& block) {
  const lcsm::Weights values = lcsm::initial_weights(block, 1, at::kFloat);
  lcsm::SafeTensors file;
  for (const lcsm::Parameter& each : parameters_of(system, kNameChannels))
    if (const std::size_t at = each.name.find(part); at != std::string::npos)
      file.tensors["weight." + each.name] = values.at(each.name.substr(at + part.size())).detach();
  file.tensors["input"] = lcsm::random_input(1, kNameSteps, kNameChannels, 1).to(at::kFloat);
  return file;
}

void expect_applied(const System& system, lcsm::SafeTensors file) {
  SCOPED_TRACE(system.row->name);
  EXPECT_TRUE(has_parts_of_a_system(file));
  file.tensors["grad_output"] = at::ones_like(file.tensors.at("input"));
  const lcsm::SafeTensors result = apply_system(system, file);
  EXPECT_EQ(result.tensors.at("output").sizes(), file.tensors.at("input").sizes());
  for (const auto& [name, tensor] : file.tensors)
    if (name.starts_with("weight.")) {
      EXPECT_EQ(result.tensors.at("grad." + name).sizes(), tensor.sizes()) << name;
    }
}

}  // namespace

TEST(ApplyNames, AreThoseOfParamsForEverySystem) {
  int shared = 0;
  for (const SystemRow& row : system_rows()) {
    const System system = parse_system(row.name);
    const lcsm::SafeTensors mixer = file_of(system, "mixer.", mixer_of(system, kNameChannels));
    for (const auto& [name, tensor] : mixer.tensors) shared += name.starts_with("weight.shared.");
    expect_applied(system, mixer);
    if (const auto feed = feed_of(system, kNameChannels))
      expect_applied(system, file_of(system, "feed.", *feed));
  }
  EXPECT_GT(shared, 0);
}

TEST(ApplyNames, OfOptionsAreApartFromTheirHelp) {
  const std::string program = program_beside("lcsm-train").string();
  if (program.empty()) GTEST_SKIP() << "lcsm-train was not built";
  EXPECT_TRUE(has(run_program({program, "apply", "--help"}).out, "attention_dropout dropout rate"));
}

TEST(ApplyNames, AreThoseOfParamsForEveryCode) {
  const lcsm::Catalogue catalogue;
  int codes = 0;
  for (const lcsm::Oscillation& oscillation : catalogue.all())
    for (const char* e : {"0", "1"})
      for (const char* s : {"0", "1"}) {
        const std::string text = oscillation.whole
                                     ? oscillation.name
                                     : std::string(e) + "-" + oscillation.name + "-" + s + "-0";
        SCOPED_TRACE(text);
        lcsm::Code code;
        try {
          code = lcsm::parse_code(text, catalogue);
        } catch (const lcsm::CodeError&) {
          continue;  // e or s of this oscillation cannot be static
        }
        ++codes;
        const lcsm::Variant variant = make_variant(code, catalogue, {.d = 8, .k = 4});
        lcsm::SafeTensors file;
        for (const lcsm::Parameter& each : lcsm::tensors_of(variant))
          file.tensors["weight." + each.name] = lcsm::first_values(each, variant.sizes, 1);
        file.tensors["input"] = lcsm::random_input(1, kNameSteps, 8, 1);
        EXPECT_EQ(apply_layer(code, catalogue, file).tensors.at("output").sizes(),
                  at::IntArrayRef({1, kNameSteps, 8}));
      }
  EXPECT_GT(codes, 40);
}

TEST(ApplyNames, TellTheMixerFromWhatFollowsIt) {
  const System system = parse_system("mega");
  lcsm::SafeTensors file = file_of(system, "mixer.", mixer_of(system, kNameChannels));
  lcsm::SafeTensors plain;
  for (const auto& [name, tensor] : file.tensors)
    plain.tensors[name.starts_with("weight.") ? "weight." + name.substr(13) : name] = tensor;
  EXPECT_TRUE(apply_system(system, plain)
                  .tensors.at("output")
                  .equal(apply_system(system, file).tensors.at("output")));
  for (auto& [name, tensor] : file_of(system, "feed.", *feed_of(system, kNameChannels)).tensors)
    file.tensors[name] = tensor;
  const auto refusal = [](const System& of, const lcsm::SafeTensors& given) {
    return message_of<std::invalid_argument>([&] { apply_system(of, given); });
  };
  EXPECT_NE(refusal(system, file).find("of the mixer or of the feed, got both"), std::string::npos);
  const lcsm::SafeTensors feed = file_of(system, "feed.", *feed_of(system, kNameChannels));
  EXPECT_NE(refusal(parse_system("s4d"), feed).find("expected"), std::string::npos);
}

}  // namespace runner
