#include "runner/systems/system.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "ets/families/s4.h"
#include "lcsm/code/code.h"
#include "lcsm/code/tables.h"
#include "runner/systems/blocks.h"
#include "tests/message_of.h"
#include "tests/source_folder.h"

namespace runner {
namespace {

std::string readme_at(const char* path) {
  std::ifstream file(source_folder() / path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string refusal_of_system(const std::string& text) {
  return message_of<std::invalid_argument>([&] { parse_system(text); });
}

TEST(System, EveryRowIsWholeAndItsReadingIsACode) {
  const lcsm::Catalogue catalogue;
  for (const SystemRow& row : system_rows()) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(system_named(row.name), &row) << "a name stands twice";
    EXPECT_FALSE(row.help.empty() || row.equation.empty() || row.source.empty());
    const System system = parse_system(row.name);
    EXPECT_EQ(to_string(system), row.name);
    EXPECT_FALSE(lcsm::tensors_of(mixer_of(system, 32)).empty());
    if (const auto feed = feed_of(system, 32)) {
      EXPECT_FALSE(lcsm::tensors_of(*feed).empty());
    }
    if (row.reading.code.empty()) continue;
    EXPECT_EQ(lcsm::to_string(lcsm::parse_code(row.reading.code, catalogue), catalogue),
              row.reading.code);
  }
}

// The first page counts what there is.
TEST(System, AreAsManyAsTheReadmeSays) {
  const std::string readme = readme_at("README.md");
  if (readme.empty()) GTEST_SKIP() << "source tree not found: " << source_folder();
  for (const auto& [count, what] : {std::pair{system_rows().size(), " layers of the literature"},
                                    {lcsm::oscillation_rows().size(), " oscillations"},
                                    {lcsm::activation_rows().size(), " activations"}})
    EXPECT_NE(readme.find(" " + std::to_string(count) + what), std::string::npos)
        << "README.md should say " << count << what;
}

// The first cell of a table's row has the block's name.
TEST(System, HasItsBlockInATableOfTheReadmes) {
  const std::string pages = readme_at("ets/README.md") + readme_at("runner/models/README.md") +
                            readme_at("runner/systems/README.md");
  if (pages.empty()) GTEST_SKIP() << "source tree not found: " << source_folder();
  std::string first_cells;
  for (std::size_t at = pages.find("\n| `"); at != pages.npos; at = pages.find("\n| `", at + 1))
    first_cells += pages.substr(at, pages.find(" |", at) - at);
  for (const lcsm::BlockRow* block : all_blocks())
    EXPECT_NE(first_cells.find("`" + std::string(block->name) + "`"), std::string::npos)
        << block->name << " needs a row in a table of blocks: runner/systems/README.md, for a "
        << "family ets/README.md, for a code with parts runner/models/README.md";
}

// These two systems are codes, so the reading is the system itself.
TEST(System, ReadsInDurAndGfwWhatTheyCompute) {
  const lcsm::Catalogue catalogue;
  for (const char* name : {"dur", "gfw"}) {
    const lcsm::Code read = lcsm::parse_code(system_named(name)->reading.code, catalogue),
                     run = parts_of(mixer_of(parse_system(name), 32))->variant.code;
    EXPECT_EQ(read.o, run.o) << name;
    EXPECT_EQ(read.a, run.a) << name;
    EXPECT_EQ(read.tau.value_or(lcsm::kDefaultTau), run.tau.value_or(lcsm::kDefaultTau)) << name;
  }
}

TEST(System, IsSpelledByWhatDiffersFromItsRow) {
  EXPECT_EQ(to_string(parse_system("mega-chunk@chunk=128,modes=4")), "mega-chunk@modes=4");
  EXPECT_EQ(to_string(parse_system("mega@feed_hidden=160,z=64,norm=batch,norm_place=post")),
            "mega@z=64,feed_hidden=160,norm=batch,norm_place=post");
  EXPECT_EQ(to_string(parse_system("s4d@step_min=0.0100")),
            to_string(parse_system("s4d@step_min=1e-2")));
  EXPECT_TRUE(parse_system("mamba@reading=lcsm").as_read);
}

// Options that a model sets are not in the name; options that are set are, even with the first
// layer's values.
TEST(System, SpellsThePlaceOfALayerThatIsSet) {
  EXPECT_EQ(to_string(parse_system("tnl@layer=0,layers=1")), "tnl@layer=0,layers=1");
  EXPECT_EQ(mixer_of(parse_system("tnl"), 32, {2, 6}).as<Tnl>().layer, 2);
  EXPECT_EQ(feed_of(parse_system("rwkv4"), 32, {2, 6})->as<Rwkv4Feed>().layers, 6);
  EXPECT_EQ(mixer_of(parse_system("tnl@layer=1,layers=3"), 32, {2, 6}).as<Tnl>().layer, 1);
  EXPECT_EQ(mixer_of(parse_system("s4"), 32, {0, 1, 96}).as<ets::S4>().length, 96);
  EXPECT_EQ(mixer_of(parse_system("gmlp@length=7"), 32, {0, 1, 96}).as<Gmlp>().length, 7);
  EXPECT_EQ(to_string(parse_system("s4@length=0")), "s4@length=0");
  EXPECT_NE(refusal_of_system("tnl@layer=3").find("expected less than layers = 1, got 3"),
            std::string::npos);
}

// hgrn_lm_base of OpenNLPLab/fairseq-evo: use_glu = True, multiple = 2, no glu_act.
TEST(System, GivesHgrnTheBilinearUnitOfItsAuthors) {
  for (const char* name : {"hgrn", "lrn"}) {
    const auto feed = feed_of(parse_system(name), 32);
    EXPECT_EQ(feed->as<Glu>().activation.text(), "identity") << name;
    EXPECT_EQ(lcsm::tensors_of(*feed).front().shape, (lcsm::Shape{64, 32})) << name;
  }
}

TEST(System, SeesLaterStepsWhereAnOptionOrItsBlockSaysSo) {
  EXPECT_FALSE(is_two_sided(parse_system("mega")));
  EXPECT_TRUE(is_two_sided(parse_system("mega@causal=false")));
  EXPECT_TRUE(is_two_sided(parse_system("s4@bidirectional=true")));
  EXPECT_TRUE(is_two_sided(parse_system("gfnet")));
}

TEST(System, SaysWhatItExpected) {
  EXPECT_EQ(refusal_of_system("mmaba"),
            "expected a named system, got 'mmaba'; did you mean 'mamba'?");
  EXPECT_EQ(refusal_of_system("attention"),
            "expected a named system, got 'attention'; softmax attention is 'transformer'");
  EXPECT_NE(refusal_of_system("mamba@stat=4").find("did you mean 'state'?"), std::string::npos);
  EXPECT_NE(refusal_of_system("mamba@state").find("expected OPTION=VALUE"), std::string::npos);
  EXPECT_EQ(refusal_of_system("mega@z=64,z=32"), "system mega: option 'z' is given twice");
  EXPECT_NE(refusal_of_system("mega@norm=layr").find("did you mean 'layer'?"), std::string::npos);
  EXPECT_NE(refusal_of_system("rwkv4@reading=lcsm").find("expected one of its options"),
            std::string::npos);
}

TEST(System, IsNamedByPatterns) {
  EXPECT_EQ(systems_matching("mega*").size(), 2u);
  EXPECT_TRUE(systems_matching("nothing*").empty());
  const lcsm::Catalogue catalogue;
  EXPECT_TRUE(names_system("mamba@state=4", catalogue));
  EXPECT_FALSE(names_system("ssm", catalogue));
}

// An oscillation's name alone is not a code, so "s4d" is the system; "mamba" is not if the user has
// an oscillation of this name.
TEST(System, GivesWayToAnOscillationOfTheUser) {
  lcsm::Catalogue catalogue;
  EXPECT_TRUE(names_system("s4d", catalogue));
  catalogue.add(
      lcsm::make_oscillation({.name = "mamba", .o = "sigmoid(p_k)", .origin = "my.toml:2"}));
  EXPECT_FALSE(names_system("mamba", catalogue));
}

}  // namespace
}  // namespace runner
