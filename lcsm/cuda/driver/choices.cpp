#include "lcsm/cuda/driver/choices.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "lcsm/cuda/driver/choices_file.h"

namespace lcsm {
namespace {

constexpr std::string_view kHeader = "architecture,choice,shape,value,source";
constexpr std::string_view kEvery = "*", kRule = "rule";

// "walk-stages": LCSM_WALK_STAGES, as in common/choices_cuda.h.
std::string macro_of(Choice choice) {
  std::string macro = std::string("LCSM_") + row_of(choice).name;
  for (char& letter : macro)
    letter =
        letter == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return macro;
}

[[noreturn]] void refuse(int line, const std::string& what) {
  throw std::invalid_argument("choices.csv:" + std::to_string(line) + ": " + what);
}

// The source is the rest of a line and may contain commas.
ChoiceLine read_line(std::string_view text, int line) {
  ChoiceLine row;
  for (std::string* field : {&row.architecture, &row.choice, &row.shape, &row.value})
    *field = take_until(&text, ',');
  row.source = text;
  for (const std::string* field : {&row.architecture, &row.shape, &row.source})
    if (field->empty()) refuse(line, "expected " + std::string(kHeader) + ", got an empty field");
  std::vector<std::string> names;
  for (const ChoiceRow& each : choice_rows()) names.emplace_back(each.name);
  const auto known = std::find(names.begin(), names.end(), row.choice);
  if (known == names.end())
    refuse(line, "unknown choice '" + row.choice + "'" + did_you_mean(row.choice, names));
  const std::vector<int>& values = choice_rows()[known - names.begin()].values;
  if (row.value != kRule && std::none_of(values.begin(), values.end(), [&](int value) {
        return std::to_string(value) == row.value;
      }))
    refuse(line, "expected a value of " + row.choice + ", " +
                     joined_of(values, [](int value) { return std::to_string(value); }) +
                     " or rule, got '" + row.value + "'");
  return row;
}

}  // namespace

std::span<const ChoiceRow> choice_rows() {
  using enum Choice;
  constexpr const char* kOwn = "of its size, as in walk_cuda.h";
  static const std::vector<ChoiceRow> rows = {
      {kWalkForwardBlocks, "walk-forward-blocks", {1, 2, 3, 4}, true, kOwn},
      {kWalkReverseBlocks, "walk-reverse-blocks", {1, 2, 3, 4}, true, kOwn},
      {kWalkBackBlocks, "walk-back-blocks", {1, 2}, true, kOwn},
      {kWalkStages, "walk-stages", {1, 2}, true, "2 above 64 rows if only rows decay, else 1"},
      {kWalkKernels, "walk-kernels", {1, 2}, true, "1 for four sequences a processor, else 2"},
      {kScanForwardBlocks, "scan-forward-blocks", {2, 3, 4}, true, "4, complex 3"},
      {kScanBackwardBlocks, "scan-backward-blocks", {1, 2, 3}, true, "3, where memory allows"},
      {kChannelsForwardBlocks, "channels-forward-blocks", {1, 2, 3}, true, "2"},
      {kChannelsBackwardBlocks, "channels-backward-blocks", {1, 2}, true, "2, in float32 1"},
      {kChannelsSteps, "channels-steps", {2, 4, 8}, true, "8, above 2 leaves 4, above 5 leaves 2"},
      {kProductsFrom, "products-from", {3, 5, 9, 17}, true, "5 pairs of modes"},
      {kChunkSplit, "chunk-split", {1, 2, 4}, false, "1, from 4 chunks on"},
      {kDeltaSplit, "delta-split", {1, 2, 4}, false, "1 if all ends find a processor, else whole"},
      {kScanSplit, "scan-split", {1, 2, 4, 8}, false, "2, channels whole from 1 on"},
      {kModesSplit, "modes-split", {1, 2, 4, 8}, false, "4, few modes whole from 1.5 on"},
      {kProductsSplit, "products-split", {1, 2, 4}, false, "2, whole from 0.75 on"},
  };
  return rows;
}

const ChoiceRow& row_of(Choice choice) { return choice_rows()[static_cast<std::size_t>(choice)]; }

std::vector<ChoiceLine> read_choices(std::string_view csv) {
  std::vector<ChoiceLine> rows;
  if (const std::string_view header = take_until(&csv, '\n'); header != kHeader)
    refuse(1, "expected " + std::string(kHeader) + ", got '" + std::string(header) + "'");
  for (int line = 2; !csv.empty(); ++line) rows.push_back(read_line(take_until(&csv, '\n'), line));
  return rows;
}

std::string choices_text(const std::vector<ChoiceLine>& lines) {
  std::string text(kHeader);
  for (const ChoiceLine& row : lines)
    text += "\n" + row.architecture + "," + row.choice + "," + row.shape + "," + row.value + "," +
            row.source;
  return text + "\n";
}

std::vector<ChoiceLine> committed_choices() { return read_choices(kChoicesCsv); }

Choices::Choices(const std::vector<ChoiceLine>& lines, std::string_view architecture) {
  for (const bool every : {false, true})
    for (const ChoiceLine& row : lines) {
      if (row.architecture != architecture || (row.shape == kEvery) != every) continue;
      const auto same = [&](const ChoiceRow& each) { return each.name == row.choice; };
      numbers_.push_back({std::find_if(choice_rows().begin(), choice_rows().end(), same)->choice,
                          row.shape, row.value == kRule ? 0 : std::stoi(row.value)});
    }
}

int Choices::of(Choice choice, std::string_view shape, int rule) const {
  if (asked_) {
    int& noted = (*asked_)[{choice, std::string(shape)}];
    noted = std::max(noted, rule);
  }
  for (const Number& number : numbers_)
    if (number.choice == choice && (number.shape == kEvery || number.shape == shape))
      return number.value == 0 ? rule : number.value;
  return rule;
}

Choices Choices::with(Choice choice, int value) const {
  Choices changed = *this;
  changed.numbers_.insert(changed.numbers_.begin(), {choice, std::string(kEvery), value});
  return changed;
}

std::string Choices::defines(std::string_view shape,
                             std::initializer_list<Choice> of_kernels) const {
  std::string text;
  for (const Choice choice : of_kernels)
    if (const int value = of(choice, shape))
      text += "#define " + macro_of(choice) + " " + std::to_string(value) + "\n";
  return text;
}

int parts_of_segment(int parts, int blocks, int processors, int each) {
  const int wanted = std::clamp(each * processors / std::max(blocks, 1), 1, parts);
  return (parts + wanted - 1) / wanted;
}

std::string split_shape(const std::string& shape, int blocks, int processors) {
  return shape + (blocks < processors ? "_few" : "_many");
}

}  // namespace lcsm
