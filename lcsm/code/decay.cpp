#include "lcsm/code/decay.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "lcsm/base/random.h"
#include "lcsm/code/tables.h"
#include "lcsm/formula/evaluate.h"
#include "lcsm/formula/logarithm.h"

namespace lcsm {
namespace {

constexpr int kCells = 256, kSteps = 32, kDraws = 1024;

// One entry of a parameter, drawn by its init formula.
double draw(const Expr& init, const Sizes& sizes, int k, int d, Random& random) {
  return evaluate(init, [&](const Symbol& s) {
    const std::string_view stem = stem_of(s).name;
    if (stem == "normal") return random.normal();
    if (stem == "uniform") return 2 * random.uniform() - 1;
    return fixed_value(s, sizes, k, d);
  });
}

class Sampler {
 public:
  explicit Sampler(const Variant& v) : v_(v) {
    for (const Parameter& tensor : tensors_of(v)) {
      if (!tensor.of_gate || !tensor.name.ends_with(".weight")) continue;
      // oscillation.SYMBOL.weight, or .down.weight and .up.weight
      const std::size_t begin = tensor.name.find('.') + 1;
      const std::string symbol = tensor.name.substr(begin, tensor.name.find('.', begin) - begin);
      double& deviation = deviation_.try_emplace(symbol, 1.0).first->second;
      deviation *= spread(tensor);
    }
    expand_deviation_ = 1 / std::sqrt(3.0);  // of a linear layer with default weights
  }

  void choose_cell() {
    k_ = static_cast<int>(random_.uniform() * v_.sizes.k);
    d_ = static_cast<int>(random_.uniform() * v_.sizes.d);
    learned_.clear();
  }

  double value(const Symbol& s) {
    const std::string_view stem = stem_of(s).name;
    if (stem == "tau") return v_.tau();
    if (stem == "p") return deviation_.at(to_string(s)) * random_.normal();
    if (stem == "e") return activated(expand_deviation_ * random_.normal());
    if (stem != "w") return fixed_value(s, v_.sizes, k_, d_);
    const auto [known, fresh] = learned_.try_emplace(s, 0.0);
    if (fresh) known->second = draw(first_value(v_, s), v_.sizes, k_, d_, random_);
    return known->second;
  }

  double centre(const Symbol& s) const {
    const std::string_view stem = stem_of(s).name;
    if (stem == "tau") return v_.tau();
    if (stem == "p") return 0;
    if (stem == "e") return activated(0);
    if (stem != "w") return fixed_value(s, v_.sizes, 0, 0);
    return evaluate(first_value(v_, s), [&](const Symbol& of) {
      return stem_of(of).source == Source::kRandom ? 0 : fixed_value(of, v_.sizes, 0, 0);
    });
  }

 private:
  // The standard deviation of a linear layer's outputs for unit-variance inputs.
  double spread(const Parameter& weights) {
    double squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double w = draw(weights.init, v_.sizes, 0, 0, random_);
      squares += w * w;
    }
    return std::sqrt(squares / kDraws * static_cast<double>(weights.shape[1]));
  }

  double activated(double x) const {
    const std::string_view formula = activation_rows()[static_cast<std::size_t>(v_.code.a)].formula;
    return evaluate(parse_formula(formula, FormulaUse::kActivation),
                    [x](const Symbol&) { return x; });
  }

  const Variant& v_;
  Random random_{1};
  std::map<std::string, double> deviation_;
  std::map<Symbol, double> learned_;
  double expand_deviation_;
  int k_ = 0, d_ = 0;
};

// Mean of log |o| over the steps of one cell; by the stable logarithm where there is one.
double mean_log(const Expr& real, const std::optional<Expr>& log_o, Sampler& sampler) {
  double sum = 0;
  const std::vector<Symbol> symbols = symbols_of(real);
  std::vector<double> values(symbols.size());
  const auto value_of = [&](const Symbol& s) {
    const auto at = std::lower_bound(symbols.begin(), symbols.end(), s);
    return values[static_cast<std::size_t>(at - symbols.begin())];
  };
  for (int step = 0; step < kSteps; ++step) {
    // A symbol that occurs twice has one value per step.
    for (std::size_t i = 0; i < symbols.size(); ++i) values[i] = sampler.value(symbols[i]);
    sum += log_o ? evaluate(*log_o, value_of) : std::log(std::abs(evaluate(real, value_of)));
  }
  return sum / kSteps;
}

}  // namespace

double half_life(double mean_log_o) {
  return mean_log_o < 0 ? std::numbers::ln2 / -mean_log_o : kInfinity;
}

double kept(double half_life_tokens, double tokens) {
  return half_life_tokens == 0 ? 0 : std::exp2(-tokens / half_life_tokens);
}

InitialDecay initial_decay(const Variant& variant) {
  InitialDecay result;
  if (variant.oscillation.matrix) return {InitialDecay::Kind::kMatrix};
  if (variant.gate.cumulative) result.kind = InitialDecay::Kind::kHarmonic;
  Sampler sampler(variant);
  const std::optional<Expr> log_o = log_of(variant.gate.real);
  result.centre = evaluate(variant.gate.real, [&](const Symbol& s) { return sampler.centre(s); });
  if (variant.gate.angle) result.centre = std::abs(result.centre);
  std::vector<double> lives;
  for (int cell = 0; cell < kCells; ++cell) {
    sampler.choose_cell();
    lives.push_back(half_life(mean_log(variant.gate.real, log_o, sampler)));
  }
  std::sort(lives.begin(), lives.end());
  result.low = lives[kCells / 10];
  result.median = lives[kCells / 2];
  result.high = lives[kCells * 9 / 10];
  return result;
}

}  // namespace lcsm
