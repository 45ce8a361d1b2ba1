#include "lcsm/formula/symbols.h"

#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"

namespace lcsm {
namespace {

using S = Source;
constexpr Interval kSlope{{0, false}, {1, false}}, kAngle{{0, false}, {1, true}};
constexpr Interval kIndex{{0, true}, {kInfinity, false}};
constexpr Interval kSize{{1, true}, {kInfinity, false}};
constexpr Interval kSymmetric{{-1, true}, {1, true}};

constexpr std::array kStems = {
    SymbolStem{"p", ". k d", true, S::kData, kReals, "gs", "p", "p",
               "data: a bias-free projection of the layer's input"},
    SymbolStem{"e", "k", false, S::kData, kReals, "gs", "e", "e",
               "data: the expand vector itself, after its activation"},
    SymbolStem{"w", ". k d kd", true, S::kLearned, kReals, "gs", "w", "w",
               "learned, starts as 0.1 * normal"},
    SymbolStem{"slope", "k d kd", false, S::kFixed, kSlope, "gsi", "slope", "\\ell",
               "fixed: ALiBi slopes, 2^(-8/n), 2^(-16/n) ... 2^-8 for n entries"},
    SymbolStem{"theta", "k", false, S::kFixed, kAngle, "gsi", "\u03b8", "\\theta",
               "fixed: angles 10000^(-2 index_k / size_d)"},
    SymbolStem{"index", "k d", false, S::kFixed, kIndex, "gsi", "index", "\\mathrm{index}",
               "fixed: the index of the cell, from 0"},
    SymbolStem{"size", "k d", false, S::kFixed, kSize, "gsir", "size", "\\mathrm{size}",
               "fixed: the number of cells"},
    SymbolStem{"tau", ".", false, S::kOption, kPositive, "gs", "\u03c4", "\\tau",
               "the code's option tau (default: 16)"},
    SymbolStem{"o", ".", false, S::kData, kReals, "s", "o", "o", "the gate, without its rotation"},
    SymbolStem{"normal", ".", false, S::kRandom, kReals, "i", "normal", "\\mathcal{N}",
               "drawn from N(0, 1), per entry"},
    SymbolStem{"uniform", ".", false, S::kRandom, kSymmetric, "i", "uniform", "\\mathcal{U}",
               "drawn uniformly from (-1, 1), per entry"},
    SymbolStem{"x", ".", false, S::kData, kReals, "a", "x", "x", "the argument of an activation"},
    SymbolStem{"y", ".", false, S::kData, kReals, "", "y", "y", "a function's second argument"},
    SymbolStem{"q", ".", false, S::kData, kReals, "s", "q", "q", "the gate with its rotation"},
};

constexpr std::string_view kAxesNames[] = {"", "k", "d", "kd"};

bool allowed_in(const SymbolStem& stem, FormulaUse use) {
  return use == FormulaUse::kAny ||
         stem.uses.find("gsira"[static_cast<int>(use)]) != std::string_view::npos;
}

// True if a stem may have these axes, "" = none.
bool allows(const SymbolStem& stem, std::string_view axes) {
  return has_word(stem.axes, axes.empty() ? "." : axes);
}

// "p_k2" -> stem "p", axes "k", digits "2"; "tau" -> "tau".
struct Spelling {
  std::string_view stem, axes, digits;
};

Spelling take_apart(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') --end;
  const std::string_view word = name.substr(0, end);
  const std::size_t bar = word.find('_');
  if (bar == std::string_view::npos) return {word, "", name.substr(end)};
  return {word.substr(0, bar), word.substr(bar + 1), name.substr(end)};
}

std::vector<std::string> names_for(FormulaUse use) {
  std::vector<std::string> names;
  for (const SymbolStem& stem : kStems) {
    if (!allowed_in(stem, use)) continue;
    for (const std::string_view axes : kAxesNames)
      if (allows(stem, axes))
        names.push_back(std::string(stem.name) + (axes.empty() ? "" : "_") + std::string(axes));
  }
  return names;
}

// "are w, w_k, w_d": the names of one stem, or of all; "" if there are none.
std::string listed(const std::vector<std::string>& names, std::string_view stem) {
  std::string list;
  bool several = false;
  for (const std::string& name : names) {
    if (!stem.empty() && take_apart(name).stem != stem) continue;
    several = !list.empty();
    list += (several ? ", " : "") + name;
  }
  return list.empty() ? "" : (several ? "are " : "is ") + list;
}

// "scale, read": where a symbol may be used, from its letters in kStems.
std::string places_of(std::string_view uses) {
  constexpr std::pair<char, std::string_view> kPlaces[] = {{'g', "o"},     {'s', "scale"},
                                                           {'s', "read"},  {'i', "initial values"},
                                                           {'r', "ranks"}, {'a', "activations"}};
  std::vector<std::string> places;
  for (const auto& [letter, place] : kPlaces)
    if (uses.find(letter) != std::string_view::npos) places.emplace_back(place);
  return joined(places);
}

std::string why_not(std::string_view name, const Spelling& spelling, FormulaUse use) {
  if (spelling.stem == "p" && (spelling.axes == "kd" || spelling.axes == "dk"))
    return "would need a projection to k x d numbers per step; a product such as p_k * w_kd gives "
           "a gate over both";
  if (spelling.axes == "dk") return "has its axes in the wrong order: write _kd";
  for (const SymbolStem& stem : kStems)
    if (stem.name == spelling.stem && !allowed_in(stem, use) && !stem.uses.empty() &&
        allows(stem, spelling.axes))
      return "is allowed only in: " + places_of(stem.uses);
  const std::vector<std::string> names = names_for(use);
  if (const std::string own = listed(names, spelling.stem); !own.empty())
    return "is not a symbol; there " + own;
  if (const std::string close = nearest(name, names); !close.empty())
    return "is not a symbol; did you mean '" + close + "'?";
  return "is not a symbol; the symbols here " + listed(names, "");
}

}  // namespace

const SymbolStem& stem_of(const Symbol& s) { return kStems[s.stem]; }
std::string_view to_string(Axes axes) { return kAxesNames[static_cast<int>(axes)]; }
bool over_k(Axes axes) { return axes == Axes::kK || axes == Axes::kKD; }
bool over_d(Axes axes) { return axes == Axes::kD || axes == Axes::kKD; }

Symbol parse_symbol(std::string_view name, FormulaUse use) {
  const Spelling spelling = take_apart(name);
  for (std::size_t row = 0; row < kStems.size(); ++row) {
    const SymbolStem& stem = kStems[row];
    if (stem.name != spelling.stem || !allowed_in(stem, use)) continue;
    if (!allows(stem, spelling.axes)) break;
    Symbol result{static_cast<std::uint8_t>(row), Axes::kNone, 0};
    for (int axes = 0; axes < 4; ++axes)
      if (kAxesNames[axes] == spelling.axes) result.axes = static_cast<Axes>(axes);
    if (name.find('_') != std::string_view::npos && spelling.axes.empty()) break;
    if (spelling.digits.empty()) return result;
    const auto [end, error] = std::from_chars(
        spelling.digits.data(), spelling.digits.data() + spelling.digits.size(), result.number);
    // One spelling per symbol: no p_k0, p_k1, p_k02; at most two digits.
    if (!stem.numbered || error != std::errc{} || spelling.digits.front() == '0' ||
        result.number < 2 || result.number > 99)
      throw std::invalid_argument(
          "'" + std::string(name) +
          (stem.numbered ? "' is numbered from 2 to 99: the first of a kind has no number"
                         : "' takes no number"));
    return result;
  }
  throw std::invalid_argument("'" + std::string(name) + "' " + why_not(name, spelling, use));
}

std::string to_string(const Symbol& s) {
  std::string text(stem_of(s).name);
  if (s.axes != Axes::kNone) text += "_" + std::string(to_string(s.axes));
  if (s.number > 0) text += std::to_string(s.number);
  return text;
}

}  // namespace lcsm
