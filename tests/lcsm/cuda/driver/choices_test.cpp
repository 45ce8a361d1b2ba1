// The table of choices: its valid lines, and their effects on launches and sources.
#include "lcsm/cuda/driver/choices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "lcsm/cuda/chunk/chunk_calls.h"

namespace lcsm::test {
namespace {

constexpr const char* kRow = "sm_90,walk-stages,128_tiles_bfloat16,1,a card\n";
std::string table(const std::string& rows) {
  return "architecture,choice,shape,value,source\n" + rows;
}
std::string refusal(const std::string& text) {
  try {
    read_choices(text);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

ChunkWork walk() {
  ChunkWork work;
  work.bfloat16 = true;
  work.chunk.B = 4, work.chunk.T = 640, work.chunk.K = 128, work.chunk.D = 256;
  return work;
}
struct Launches {
  std::string source;
  std::vector<unsigned> numbers;  // of grids and shared memory
  bool operator==(const Launches&) const = default;
};
Launches launches(const ChunkWork& work) {
  Launches all{chunk_source(work).text, {}};
  const Allocate none = [](const char*, std::size_t) { return nullptr; };
  for (const KernelCall& call : chunk_backward_calls(work, none))
    all.numbers.insert(all.numbers.end(), {call.grid[0], call.grid[1], call.shared_bytes});
  return all;
}

}  // namespace

TEST(Choices, AreEachARowOfTheirTable) {
  for (std::size_t n = 0; n < choice_rows().size(); ++n)
    EXPECT_EQ(static_cast<std::size_t>(choice_rows()[n].choice), n) << choice_rows()[n].name;
}

// Unmeasured shapes use the rule.
TEST(Choices, OfTheCommittedTableAreRulesUnlessACardIsNamed) {
  const std::vector<ChoiceLine> lines = committed_choices();
  for (const ChoiceLine& line : lines)
    EXPECT_TRUE(line.source != "rule, not measured" || line.value == "rule") << line.choice;
  for (const char* architecture : {"sm_80", "sm_90"})
    for (const ChoiceRow& row : choice_rows())
      EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                              [&](const ChoiceLine& line) {
                                return line.architecture == architecture && line.shape == "*" &&
                                       line.choice == row.name;
                              }),
                1)
          << row.name;
  EXPECT_EQ(read_choices(choices_text(lines)).size(), lines.size());
}

TEST(Choices, AreOfOneArchitectureAndTheirOwnShapeFirst) {
  const auto lines = read_choices(table(std::string("sm_90,walk-stages,*,2,a card\n") + kRow));
  const Choices choices(lines, "sm_90");
  EXPECT_EQ(choices.of(Choice::kWalkStages, "128_tiles_bfloat16", 7), 1);
  EXPECT_EQ(choices.of(Choice::kWalkStages, "64_bfloat16", 7), 2);
  EXPECT_EQ(choices.of(Choice::kChunkSplit, "64_bfloat16", 7), 7);
  EXPECT_EQ(Choices(lines, "sm_80").of(Choice::kWalkStages, "128_tiles_bfloat16", 7), 7);
  EXPECT_EQ(choices.with(Choice::kWalkStages, 3).of(Choice::kWalkStages, "64_bfloat16"), 3);
}

TEST(Choices, AreRefusedWithLineAndReason) {
  EXPECT_EQ(refusal(table(kRow)), "");
  EXPECT_EQ(refusal(table(std::string(kRow) + "sm_90,walk-stage,*,1,a card\n")),
            "choices.csv:3: unknown choice 'walk-stage'; did you mean 'walk-stages'?");
  EXPECT_EQ(refusal(table("sm_90,walk-stages,*,3,a card\n")),
            "choices.csv:2: expected a value of walk-stages, 1, 2 or rule, got '3'");
  EXPECT_NE(refusal(table("sm_90,walk-stages\n")).find("got an empty field"), std::string::npos);
  EXPECT_NE(refusal("choice,value\n").find("choices.csv:1: expected architecture,choice,"),
            std::string::npos);
}

TEST(Choices, ChangeLaunchesAndSourcesOnlyWhereTheyAreMade) {
  const Launches by_rules = launches(walk());
  EXPECT_EQ(by_rules.source.find("#define"), std::string::npos);
  ChunkWork work = walk();
  work.choices = Choices(read_choices(table("sm_90,walk-stages,*,rule,a card\n"
                                            "sm_90,walk-stages,64_bfloat16,1,a card\n")),
                         "sm_90");
  EXPECT_EQ(launches(work), by_rules);
  work.choices = Choices(read_choices(table(kRow)), "sm_90");
  const Launches changed = launches(work);
  EXPECT_EQ(changed.source, "#define LCSM_WALK_STAGES 1\n" + by_rules.source);
  EXPECT_LT(changed.numbers.back(), by_rules.numbers.back()) << "one stage less of walk_back";
}

TEST(Choices, SplitTimeIntoEqualPartsForAllProcessors) {
  EXPECT_EQ(parts_of_segment(10, 8, 40, 0), 10);
  EXPECT_EQ(parts_of_segment(10, 8, 40, 1), 2);
  EXPECT_EQ(parts_of_segment(10, 8, 40, 2), 1);
  EXPECT_EQ(parts_of_segment(10, 100, 40, 2), 10);
  EXPECT_EQ(parts_of_segment(3, 0, 1, 2), 2);
}

// 16 blocks of 40 processors: two segments, or five.
TEST(Choices, DecideHowTimeIsSplit) {
  ChunkWork work = walk();
  work.processors = 40;
  EXPECT_EQ(launches(work).numbers[1], 2u - 1);
  work.choices = Choices().with(Choice::kChunkSplit, 2);
  EXPECT_EQ(launches(work).numbers[1], 5u - 1);
}

}  // namespace lcsm::test
