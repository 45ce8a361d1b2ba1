// The options of a family: rows of a table, and the values of one layer.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace lcsm {

enum class OptionKind : std::uint8_t { kFlag, kInteger, kNumber, kWord, kText };

// The property of a layer's place in its model that sets the option by default.
enum class Place : std::uint8_t { kNone, kLayer, kLayers };

struct OptionRow {
  std::string_view name, help;
  OptionKind kind = OptionKind::kFlag;
  std::string_view preset;       // as text
  std::string_view words = "";   // of a word: what it may be, separated by blanks
  double least = 0, most = 0;    // of a number
  std::string_view needs = "";   // "form=complex", "form!=real": otherwise it has no meaning
  std::string_view tensor = "";  // a size that can be read off this tensor ...
  std::size_t axis = 0;          // ... along this axis
  Place place = Place::kNone;
};

constexpr OptionRow flag(std::string_view name, bool preset, std::string_view help,
                         std::string_view needs = "") {
  return {.name = name, .help = help, .preset = preset ? "true" : "false", .needs = needs};
}
constexpr OptionRow word(std::string_view name, std::string_view words, std::string_view preset,
                         std::string_view help, std::string_view needs = "") {
  return {.name = name,
          .help = help,
          .kind = OptionKind::kWord,
          .preset = preset,
          .words = words,
          .needs = needs};
}
constexpr OptionRow text(std::string_view name, std::string_view preset, std::string_view help) {
  return {.name = name, .help = help, .kind = OptionKind::kText, .preset = preset};
}
constexpr OptionRow number(std::string_view name, std::string_view preset, double least,
                           double most, std::string_view help, std::string_view needs = "") {
  return {.name = name,
          .help = help,
          .kind = OptionKind::kNumber,
          .preset = preset,
          .least = least,
          .most = most,
          .needs = needs};
}
constexpr OptionRow integer(std::string_view name, std::string_view preset, double least,
                            std::string_view help, std::string_view tensor = "",
                            std::size_t axis = 0) {
  return {.name = name,
          .help = help,
          .kind = OptionKind::kInteger,
          .preset = preset,
          .least = least,
          .most = 1 << 30,
          .tensor = tensor,
          .axis = axis};
}

// Options of blocks that differ from layer to layer of a model.
inline constexpr OptionRow kLayer = {.name = "layer",
                                     .help = "its place in the model, from 0; a model sets it",
                                     .kind = OptionKind::kInteger,
                                     .preset = "0",
                                     .most = 1 << 30,
                                     .place = Place::kLayer};
inline constexpr OptionRow kLayers = {.name = "layers",
                                      .help = "layers of the model; a model sets it",
                                      .kind = OptionKind::kInteger,
                                      .preset = "1",
                                      .least = 1,
                                      .most = 1 << 30,
                                      .place = Place::kLayers};

template <std::size_t A, std::size_t B>
constexpr std::array<OptionRow, A + B> joined(const std::array<OptionRow, A>& first,
                                              const std::array<OptionRow, B>& second) {
  std::array<OptionRow, A + B> all{};
  for (std::size_t n = 0; n < A; ++n) all[n] = first[n];
  for (std::size_t n = 0; n < B; ++n) all[A + n] = second[n];
  return all;
}

// The values of a family's options. Asking for one that the family lacks is a bug, and throws.
class Options {
 public:
  Options(std::string_view family, std::span<const OptionRow> rows);

  // "modes=4". Throws std::invalid_argument: who, expected, got.
  void set(std::string_view setting);
  void set(std::string_view name, std::string_view value);

  // Throws std::invalid_argument for a value that was set and has no meaning beside the others, and
  // for a layer that is none of the layers.
  void check() const;

  // Gives options of the layer's place that were not set their values.
  void put_place(std::int64_t layer, std::int64_t layers);

  bool flag(std::string_view name) const { return text(name) == "true"; }
  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  bool is_set(std::string_view name) const { return set_.contains(name); }
  std::span<const OptionRow> rows() const { return rows_; }

 private:
  std::string_view family_;
  std::span<const OptionRow> rows_;
  std::map<std::string, std::string, std::less<>> values_, set_;
};

}  // namespace lcsm
