// Numbers of kernels and launches that only a card can decide: blocks of a multiprocessor, stages,
// how time is split. Each has a rule; a row of choices.csv, measured by `lcsm-train tune`, replaces
// the rule's number on one architecture for one shape of kernels.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lcsm {

enum class Choice {
  kWalkForwardBlocks,
  kWalkReverseBlocks,
  kWalkBackBlocks,
  kWalkStages,
  kScanForwardBlocks,
  kScanBackwardBlocks,
  kChannelsForwardBlocks,
  kChannelsBackwardBlocks,
  kChannelsSteps,
  kProductsFrom,
  kChunkSplit,
  kDeltaSplit,
  kScanSplit,
  kModesSplit,
  kProductsSplit,
};

struct ChoiceRow {
  Choice choice;
  const char* name;         // in choices.csv
  std::vector<int> values;  // that `tune` tries
  bool in_kernels;          // else only launches change
  const char* rule;         // of a split: blocks per processor; whole: time is not split
};
std::span<const ChoiceRow> choice_rows();
const ChoiceRow& row_of(Choice choice);

// A row of choices.csv.
struct ChoiceLine {
  std::string architecture;  // "sm_90"
  std::string choice;
  std::string shape;   // as kernels name it: "64_k_bfloat16"; "*" = every other one
  std::string value;   // a number or "rule"
  std::string source;  // a card's name, or "rule, not measured"
};
// Throws std::invalid_argument, naming the line, for what is no such row.
std::vector<ChoiceLine> read_choices(std::string_view csv);
std::string choices_text(const std::vector<ChoiceLine>& lines);
// The table that is committed.
std::vector<ChoiceLine> committed_choices();

// The numbers that replace rules.
class Choices {
 public:
  Choices() = default;  // rules only
  Choices(const std::vector<ChoiceLine>& lines, std::string_view architecture);

  // The number for a shape: of its own row, of "*", else the rule's.
  int of(Choice choice, std::string_view shape, int rule = 0) const;
  // These, but this number for every shape.
  Choices with(Choice choice, int value) const;
  // What the source of a shape's kernels begins with: "" where rules hold.
  std::string defines(std::string_view shape, std::initializer_list<Choice> of_kernels) const;

  // What was asked for: choice and shape, with the rule's number, 0 where only the kernels know it.
  using Asked = std::map<std::pair<Choice, std::string>, int>;
  // Copies made from now on note what they are asked.
  void note(std::shared_ptr<Asked> asked) { asked_ = std::move(asked); }

 private:
  struct Number {
    Choice choice;
    std::string shape;
    int value;
  };
  std::vector<Number> numbers_;  // the first that fits holds
  std::shared_ptr<Asked> asked_;
};

// Splits time, of so many parts, so that each processor gets `each` blocks (0: time is whole),
// where there are so many blocks already. Returns the parts of a segment.
int parts_of_segment(int parts, int blocks, int processors, int each);
// The shape of a split: whether blocks leave processors idle decides, too.
std::string split_shape(const std::string& shape, int blocks, int processors);

}  // namespace lcsm
