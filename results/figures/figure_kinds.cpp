#include "results/figures/figure_kinds.h"

#include <stdexcept>
#include <vector>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"

namespace results {

const FigureKind* kind_named(const std::string& name) {
  if (name.empty()) return nullptr;
  if (const FigureKind* kind = lcsm::row_named(kFigureKinds, name); kind != nullptr) return kind;
  std::vector<std::string> names;
  for (const FigureKind& kind : kFigureKinds) names.emplace_back(kind.name);
  throw std::invalid_argument("expected one of " + lcsm::joined(names) + ", got '" + name + "'" +
                              lcsm::did_you_mean(name, names));
}

const FigureKind& kind_of(const std::string& name, bool over_names) {
  const Over over = over_names ? Over::kNames : Over::kNumbers;
  const FigureKind* const named = kind_named(name);
  if (named != nullptr && named->over != Over::kNames && named->over != Over::kNumbers)
    return *named;
  std::vector<std::string> suitable;
  for (const FigureKind& kind : kFigureKinds) {
    if (kind.over != over) continue;
    if (named == nullptr || named == &kind) return kind;
    suitable.emplace_back(kind.name);
  }
  throw std::invalid_argument("expected a kind of figure over " +
                              std::string(over_names ? "names" : "numbers") + " (" +
                              lcsm::joined(suitable) + "), got '" + name + "'");
}

const FigureKind& kind_of(const Figure& figure) {
  return kind_of(figure.kind, !figure.x_names.empty());
}

}  // namespace results
