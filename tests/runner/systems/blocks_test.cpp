#include "runner/systems/blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "ets/families/family.h"
#include "runner/systems/attention.h"
#include "tests/message_of.h"
#include "tests/source_folder.h"

namespace runner {
namespace {

lcsm::Block variant(std::string_view name, const std::vector<std::string>& settings,
                    std::int64_t d = 8) {
  const lcsm::BlockRow& row = *block_named(name);
  lcsm::Options options = lcsm::options_of(row);
  for (const std::string& setting : settings) options.set(setting);
  return lcsm::make_block(row, options, d);
}

std::string refusal_of_blocks(std::string_view name, const std::vector<std::string>& settings) {
  return message_of<std::invalid_argument>([&] { variant(name, settings); });
}

std::int64_t count_of(const lcsm::Block& v) {
  std::int64_t count = 0;
  for (const lcsm::Parameter& tensor : lcsm::tensors_of(v)) count += tensor.count();
  return count;
}

bool sees_later(const lcsm::Block& block) {
  return lcsm::sees_later_steps(*block.row, block.options);
}

}  // namespace

TEST(OwnBlocks, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const lcsm::BlockRow* row : own_block_rows()) {
    EXPECT_TRUE(names.insert(row->name).second) << row->name;
    EXPECT_EQ(ets::family_named(row->name), nullptr) << row->name;
    EXPECT_EQ(block_named(row->name), row);
  }
  EXPECT_EQ(block_named("ces"), ets::family_named("ces"));
  EXPECT_EQ(block_named("nothing"), nullptr);
}

// lcsm.ets has a function for each family that Python can name.
TEST(Families, AreFunctionsOfPython) {
  std::ifstream file(source_folder() / "runner/python/lcsm/ets.py");
  if (!file) GTEST_SKIP() << "source tree not found: " << source_folder();
  const std::string module(std::istreambuf_iterator<char>(file), {});
  for (const lcsm::BlockRow* row : ets::family_rows()) {
    const bool is_word = row->name.find_first_of("-+") == std::string_view::npos;
    const bool is_listed = module.find('"' + std::string(row->name) + '"') != std::string::npos;
    EXPECT_EQ(is_listed, is_word) << row->name << ": FILTERS of runner/python/lcsm/ets.py";
  }
}

TEST(OwnBlocks, HaveAsManyFirstValuesAsTheirTensorsHaveEntries) {
  for (const lcsm::BlockRow* row : own_block_rows()) {
    std::set<std::string> names;
    for (const lcsm::Parameter& tensor : lcsm::tensors_of(variant(row->name, {}))) {
      EXPECT_TRUE(names.insert(tensor.name).second) << row->name << " " << tensor.name;
      EXPECT_FALSE(tensor.start.empty()) << tensor.name;
      const std::vector<double> values = tensor.drawn(1);
      EXPECT_EQ(static_cast<std::int64_t>(values.size()), tensor.count()) << tensor.name;
      for (const double value : values) ASSERT_TRUE(std::isfinite(value)) << tensor.name;
      EXPECT_EQ(values, tensor.drawn(1));
    }
  }
}

// Sizes that the sources give, at d = 512.
TEST(OwnBlocks, HaveTheSizesOfTheirSources) {
  constexpr std::int64_t d = 512;
  EXPECT_EQ(count_of(variant("transformer", {}, d)), 4 * d * d + 4 * d);
  EXPECT_EQ(count_of(variant("mlp", {}, d)), 8 * d * d + 5 * d);
  EXPECT_EQ(count_of(variant("glu", {}, d)), 6 * d * d + 5 * d);
  EXPECT_EQ(count_of(variant("flash", {}, d)), 6 * d * d + 5 * d + 128 * (d + 1) + 8 * 128 + 256);
  EXPECT_EQ(count_of(variant("gmlp", {}, d)), 9 * d * d + 13 * d + 512 * 512 + 512);
  EXPECT_EQ(count_of(variant("gfnet", {}, d)), 257 * d * 2);
  EXPECT_EQ(count_of(variant("linformer", {}, d)), 4 * d * d + 4 * d + 2 * 128 * 512);
  EXPECT_EQ(count_of(variant("linformer", {"shared=true"}, d)), 4 * d * d + 4 * d + 128 * 512);
}

TEST(OwnBlocks, AreTwoSidedByOptionOrAlways) {
  EXPECT_TRUE(sees_later(variant("gfnet", {})));
  EXPECT_TRUE(sees_later(variant("linformer", {})));
  EXPECT_TRUE(sees_later(variant("luna", {"bidirectional=true"})));
  EXPECT_FALSE(sees_later(variant("luna", {})));
  EXPECT_FALSE(sees_later(variant("mlp", {})));
}

TEST(OwnBlocks, SayWhatDoesNotFit) {
  EXPECT_EQ(refusal_of_blocks("performer", {"heads=3"}),
            "performer: option 'heads': expected a divisor of the 8 channels, got 3");
  EXPECT_EQ(refusal_of_blocks("bigbird", {"window=4"}),
            "bigbird: option 'window': expected an odd number, got 4");
  EXPECT_EQ(refusal_of_blocks("reformer", {"buckets=5"}),
            "reformer: option 'buckets': expected 1 or an even number, got 5");
  EXPECT_NE(refusal_of_blocks("luna", {"bidirectional=true", "activation=elu"}), "");
  EXPECT_NO_THROW(check_steps(variant("gfnet", {"length=9"}), 9));
  EXPECT_THROW(check_steps(variant("gfnet", {"length=9"}), 10), std::invalid_argument);
}

}  // namespace runner
