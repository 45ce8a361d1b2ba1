#include "runner/data/datasets/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lcsm/base/safe_text.h"
#include "runner/data/datasets/dataset.h"
#include "runner/data/datasets/own_names.h"

namespace runner {
namespace {

constexpr std::uint64_t kShown = 40;         // values of a sequence that is not text
constexpr std::uint32_t kFrame = 2;          // pixels of a contact sheet
constexpr std::uint32_t kLeastSide = 96;     // of a picture there, enlarged by whole factors
constexpr std::uint32_t kUsualColumns = 64;  // of a picture, in a pipe

std::string numbers(std::uint64_t count, const auto& value_at) {
  std::string text;
  for (std::uint64_t i = 0; i < std::min(count, kShown); ++i)
    text += fmt::format("{}{:.4g}", i == 0 ? "" : " ", value_at(i));
  return count > kShown ? text + fmt::format(" ... ({})", count) : text;
}

std::string answer_of(const OwnNames& own, const DataFile& file, std::uint64_t example) {
  if (file.shape().classes > 0 && file.label(example) < own.labels.size())
    return lcsm::safe_text(own.labels[file.label(example)]);
  if (file.shape().classes > 0) return std::to_string(file.label(example));
  const std::span<const float> targets = file.targets(example);
  return numbers(targets.size(), [&](std::uint64_t i) { return targets[i]; });
}

// The beginning of a text.
std::string own_text(const OwnNames& own, const DataFile& file, std::string_view sequence) {
  if (own.tokens == "bytes") return lcsm::safe_text(sequence.substr(0, 2 * kShown));
  std::string text;
  const Element element = file.shape().element;
  for (std::uint64_t i = 0; i < std::min(sequence.size() / bytes_of(element), kShown); ++i) {
    const auto number = static_cast<std::size_t>(value_of(sequence, element, i));
    text += own.tokens == "words" && i > 0 ? " " : "";
    text += number < own.vocabulary.size() ? own.vocabulary[number] : "?";
  }
  return lcsm::safe_text(text);
}

std::string values_of(const std::string& name, const OwnNames& own, const DataFile& file,
                      std::uint64_t example) {
  const DatasetRow* const row = find_dataset(name);
  std::string text;
  for (std::uint32_t which = 0; which < file.shape().sequences; ++which) {
    const std::string_view sequence = file.sequence(example, which);
    const Element element = file.shape().element;
    text += which == 0 ? "" : " | ";
    if (!own.tokens.empty())
      text += own_text(own, file, sequence);
    else if (row != nullptr && row->text != nullptr)
      text += row->text(sequence);
    else
      text += numbers(sequence.size() / bytes_of(element),
                      [&](auto i) { return value_of(sequence, element, i); });
  }
  return text;
}

// The mean of a pixel's channels.
int shade_of_pixel(std::string_view pixels, const DataShape& shape, std::size_t pixel) {
  int sum = 0;
  for (std::uint32_t c = 0; c < shape.channels; ++c)
    sum += static_cast<unsigned char>(pixels[pixel * shape.channels + c]);
  return sum / static_cast<int>(shape.channels);
}

// The mean of a square of pixels.
int shade_of(std::string_view pixels, const DataShape& shape, std::uint32_t y, std::uint32_t x,
             std::uint32_t side) {
  int sum = 0, count = 0;
  for (std::uint32_t v = y; v < std::min(y + side, shape.rows); ++v)
    for (std::uint32_t u = x; u < std::min(x + side, shape.columns); ++u, ++count)
      sum += shade_of_pixel(pixels, shape, std::size_t{v} * shape.columns + u);
  return sum / std::max(count, 1);
}

// A pixel is two characters wide, since a character is about twice as high as it is wide.
std::string blocks(std::string_view pixels, const DataShape& shape, const Terminal& terminal) {
  static const std::vector<std::string> kBlocks = {" ", "░", "▒", "▓", "█"},
                                        kPlain = {" ", ".", "+", "#", "@"};
  const std::vector<std::string>& shades = terminal.unicode || !terminal.tty ? kBlocks : kPlain;
  const std::uint32_t fit =
      terminal.width > 1 ? static_cast<std::uint32_t>(terminal.width) / 2 : kUsualColumns;
  const std::uint32_t side = (shape.columns + fit - 1) / fit;
  std::string text;
  for (std::uint32_t y = 0; y < shape.rows; y += side) {
    std::string line;
    for (std::uint32_t x = 0; x < shape.columns; x += side) {
      const int shade = shade_of(pixels, shape, y, x, side);
      const std::string& block = shades[static_cast<std::size_t>((shade + 32) / 64)];
      line += block + block;
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

std::string sample_text(const std::string& name, const DataFile& file, std::uint64_t example,
                        const Terminal& terminal) {
  const OwnNames own = own_names(file.recipe());
  const std::string answer = answer_of(own, file, example);
  const std::string head = fmt::format("{}  {}", example, answer);
  if (file.shape().rows > 0)
    return head + "\n" + blocks(file.sequence(example), file.shape(), terminal);
  return head + (answer.empty() ? "" : "  <-  ") + values_of(name, own, file, example) + "\n";
}

Picture contact_sheet(const DataFile& file, const std::vector<std::uint64_t>& examples) {
  const DataShape& shape = file.shape();
  const std::uint32_t scale = std::max(1u, kLeastSide / std::max(1u, shape.columns));
  const auto across = static_cast<std::uint32_t>(
      std::ceil(std::sqrt(static_cast<double>(std::max<std::size_t>(1, examples.size())))));
  const auto down = static_cast<std::uint32_t>((examples.size() + across - 1) / across);
  const std::uint32_t high = scale * shape.rows + 2 * kFrame;
  const std::uint32_t wide = scale * shape.columns + 2 * kFrame;
  Picture sheet{down * high, across * wide, {}};
  sheet.pixels.assign(std::size_t{sheet.rows} * sheet.columns, '\0');
  for (std::uint32_t i = 0; i < examples.size(); ++i) {
    const std::string_view pixels = file.sequence(examples[i]);
    const std::uint32_t top = i / across * high, left = i % across * wide;
    const std::uint32_t classes = std::max(2u, shape.classes);
    const auto frame = static_cast<char>(64 + 191 * file.label(examples[i]) / (classes - 1));
    for (std::uint32_t y = 0; y < high; ++y)
      for (std::uint32_t x = 0; x < wide; ++x) {
        const bool inside = y >= kFrame && y < high - kFrame && x >= kFrame && x < wide - kFrame;
        sheet.pixels[std::size_t{top + y} * sheet.columns + left + x] =
            inside ? static_cast<char>(shade_of_pixel(
                         pixels, shape,
                         std::size_t{(y - kFrame) / scale} * shape.columns + (x - kFrame) / scale))
                   : frame;
      }
  }
  return sheet;
}

}  // namespace runner
