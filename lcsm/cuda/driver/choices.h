// Numbers of kernels and launches that only measurements decide: blocks per multiprocessor, stages,
// how time is split. A rule gives each number. A row of choices.csv, measured by `lcsm-train tune`,
// replaces it on one architecture for one shape of kernels.
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
  kWalkKernels,
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

// One row of choices.csv. It may say that the rule holds.
struct ChoiceLine {
  std::string architecture;  // "sm_90"
  std::string choice;
  std::string shape;   // as kernels name it: "64_k_bfloat16"; "*" = every other one
  std::string value;   // a number or "rule"
  std::string source;  // a card's name, or "rule, not measured"
};
// Throws std::invalid_argument with the number of the first invalid line.
std::vector<ChoiceLine> read_choices(std::string_view csv);
std::string choices_text(const std::vector<ChoiceLine>& lines);
// choices.csv, which is compiled into the program.
std::vector<ChoiceLine> committed_choices();

// The numbers that replace rules.
class Choices {
 public:
  Choices() = default;  // rules only
  Choices(const std::vector<ChoiceLine>& lines, std::string_view architecture);

  // Returns the number of the shape's own row, else of "*", else the rule's.
  int of(Choice choice, std::string_view shape, int rule = 0) const;
  // Returns a copy with this number for every shape.
  Choices with(Choice choice, int value) const;
  // Returns a #define for each choice whose number differs from the rule's: the first lines of the
  // source of a shape's kernels.
  std::string defines(std::string_view shape, std::initializer_list<Choice> of_kernels) const;

  // The choices and shapes that were looked up, each with the rule's number; 0 if only the kernels
  // know it.
  using Asked = std::map<std::pair<Choice, std::string>, int>;
  // This object, and copies made from now on, add what is looked up to `asked`.
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

// Splits `parts` of time into equal segments, as many as give each processor `each` blocks (0: one
// segment). Without a split there are `blocks`. Returns the parts of a segment.
int parts_of_segment(int parts, int blocks, int processors, int each);
// The name of a shape for choices of splits: whether `blocks` leave processors idle matters, too.
std::string split_shape(const std::string& shape, int blocks, int processors);

}  // namespace lcsm
