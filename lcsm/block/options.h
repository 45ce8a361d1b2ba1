// The options of a block: fields of a struct, which describes them once,
//
//   struct BaseConv {
//     std::int64_t taps = 3;
//     void describe(auto& option) {
//       option("taps", taps, "the length of the convolution", {.least = 1});
//     }
//   };
//
// and the options as text, which command lines and sweeps give and tables show.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lcsm {

enum class OptionKind : std::uint8_t { kFlag, kInteger, kNumber, kWord, kText };

// A property of the layer's position in its model, if it is the option's default.
enum class Place : std::uint8_t { kNone, kLayer, kLayers };

// The values that an option may have, besides its type.
struct OptionRule {
  double least = 0, most = 1 << 30;  // of a number
  std::string_view needs = "";   // "form=complex", "form!=real": the option has an effect only then
  std::string_view tensor = "";  // a size that can be read off this tensor ...
  std::size_t axis = 0;          // ... along this axis
  Place place = Place::kNone;
};

inline constexpr double kMostDropped = 0.999;  // the largest dropout rate

struct OptionRow : OptionRule {
  std::string_view name, help;
  OptionKind kind = OptionKind::kFlag;
  std::string preset;           // the default, as text
  std::string_view words = "";  // the choices of a kWord, separated by blanks
};

// A string literal as a template argument.
template <std::size_t N>
struct Words {
  consteval Words(const char (&from)[N]) {  // NOLINT: implicit, so that a literal converts
    for (std::size_t n = 0; n < N; ++n) text[n] = from[n];
  }
  char text[N]{};
};

// Compares single characters: with UBSan, g++ 12 accepts no other search as a constant expression
// in a template argument (GCC bug 71962).
constexpr bool is_one_of(std::string_view words, std::string_view word) {
  for (std::size_t at = 0; at <= words.size();) {
    std::size_t end = at, same = 0;
    for (; end < words.size() && words[end] != ' '; ++end)
      if (end - at < word.size() && words[end] == word[end - at]) ++same;
    if (same == word.size() && end - at == same) return true;
    at = end + 1;
  }
  return false;
}

// One of a few words. A word that is none of them does not compile.
template <Words kWords>
class Word {
 public:
  static constexpr std::string_view kAll{kWords.text, sizeof kWords.text - 1};

  consteval Word(const char* word) : text_(word) {  // NOLINT: implicit, so that a literal compares
    if (!is_one_of(kAll, word)) throw "none of the words";
  }
  // The word must be one of them.
  static Word of(std::string_view word);

  constexpr std::string_view text() const { return text_; }
  constexpr bool operator==(const Word&) const = default;

 private:
  constexpr Word() = default;
  std::string_view text_;
};

// The values of a block's options as text. Asking for an option that the block lacks is a bug and
// throws.
class Options {
 public:
  Options(std::string_view block, std::span<const OptionRow> rows);

  // "modes=4". Throws std::invalid_argument: who, expected, got.
  void set(std::string_view setting);
  void set(std::string_view name, std::string_view value);

  // True if the option has an effect, given the values of the others.
  bool has_effect(const OptionRow& row) const;

  // Throws std::invalid_argument if a value was set that has no effect, or if layer >= layers.
  void check() const;

  // Fills in the options that depend on the layer's position, unless they were set.
  void put_place(std::int64_t layer, std::int64_t layers);

  const std::string& text(std::string_view name) const;
  bool has(std::string_view name) const { return values_.contains(name); }
  bool is_set(std::string_view name) const { return set_.contains(name); }
  std::span<const OptionRow> rows() const { return rows_; }

 private:
  std::string_view block_;
  std::span<const OptionRow> rows_;
  std::map<std::string, std::string, std::less<>> values_, set_;
};

// ----- From a description to rows, and from texts to fields -----

std::string short_number(double value);  // at most six decimals: "0.02"
std::string preset_of(bool value);
std::string preset_of(std::int64_t value);
std::string preset_of(double value);
inline std::string preset_of(const std::string& value) { return value; }
template <Words kWords>
std::string preset_of(const Word<kWords>& word) {
  return std::string(word.text());
}

void read_option(const std::string& text, bool* field);
void read_option(const std::string& text, std::int64_t* field);
void read_option(const std::string& text, double* field);
inline void read_option(const std::string& text, std::string* field) { *field = text; }
template <Words kWords>
void read_option(const std::string& text, Word<kWords>* field) {
  *field = Word<kWords>::of(text);
}

template <class Field>
constexpr OptionKind option_kind() {
  if constexpr (std::is_same_v<Field, bool>) return OptionKind::kFlag;
  if constexpr (std::is_same_v<Field, std::int64_t>) return OptionKind::kInteger;
  if constexpr (std::is_same_v<Field, double>) return OptionKind::kNumber;
  if constexpr (std::is_same_v<Field, std::string>) return OptionKind::kText;
  return OptionKind::kWord;
}

class OptionRows {
 public:
  template <class Field>
  void operator()(std::string_view name, const Field& field, std::string_view help,
                  const OptionRule& rule = {}) {
    OptionRow row{rule, name, help, option_kind<Field>(), preset_of(field)};
    if constexpr (option_kind<Field>() == OptionKind::kWord) row.words = Field::kAll;
    rows_.push_back(std::move(row));
  }
  std::vector<OptionRow> take() { return std::move(rows_); }

 private:
  std::vector<OptionRow> rows_;
};

class OptionReader {
 public:
  explicit OptionReader(const Options& from) : from_(from) {}
  template <class Field>
  void operator()(std::string_view name, Field& field, std::string_view,
                  const OptionRule& = {}) const {
    read_option(from_.text(name), &field);
  }

 private:
  const Options& from_;
};

// The rows of a struct of options, in the order of its description.
template <class T>
std::span<const OptionRow> option_rows() {
  static const std::vector<OptionRow> rows = [] {
    OptionRows all;
    T{}.describe(all);
    return all.take();
  }();
  return rows;
}

template <class T>
T read_options(const Options& options) {
  T fields;
  OptionReader reader(options);
  fields.describe(reader);
  return fields;
}

template <Words kWords>
Word<kWords> Word<kWords>::of(std::string_view word) {
  const auto spaced = [](std::string_view text) {
    return std::string(1, ' ').append(text).append(1, ' ');
  };
  Word found;
  // A view into kAll, which outlives `word`.
  found.text_ = kAll.substr(spaced(kAll).find(spaced(word)), word.size());
  return found;
}

// ----- Options of several blocks -----

// The layer's position in the model, for blocks whose initial values or decays depend on it.
struct LayerPlaceOptions {
  std::int64_t layer = 0, layers = 1;

  void describe_layer(auto& option) {
    option("layer", layer, "its place in the model, from 0; a model sets it",
           {.place = Place::kLayer});
  }
  void describe_layers(auto& option) {
    option("layers", layers, "layers of the model; a model sets it",
           {.least = 1, .place = Place::kLayers});
  }
};

}  // namespace lcsm
