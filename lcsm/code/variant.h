// A code with its sizes filled in: its gate, and the tensors of one layer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/code/code.h"

namespace lcsm {

struct Sizes {
  int d = 512, k = 128;  // the paper's WikiText-103 model
};

struct Variant {
  Code code;
  Oscillation oscillation;
  Gate gate;  // in a matrix oscillation, real is the vector v of o = I - (scale e) v^T
  Sizes sizes;

  bool e_static() const { return code.e == 0; }
  bool s_static() const { return code.s == 0; }
  bool is_complex() const { return gate.angle != nullptr; }  // the memory is complex
  // True if a static e or s is 1 and has no tensor: scale and read weight the memory instead.
  bool has_unit_stages() const { return oscillation.read != nullptr; }
  const Expr& o() const { return code.fixed ? oscillation.fixed : oscillation.o; }
  double tau() const { return code.tau.value_or(kDefaultTau); }
  int rank(const Symbol& p) const;  // inner size of a low-rank projection, 0 = not low-rank
};

// Sizes in the code override the model's.
Variant make_variant(const Code& code, const Catalogue& catalogue, Sizes model = {});

// Tensors that an optimizer treats alike.
enum class ParameterGroup : std::uint8_t {
  kMatrices,  // weights of projections, and static e and s
  kGate,      // all learned tensors of o, its scale and read
  kNorm,      // scales and shifts of norms, and biases: never decayed
};
std::string_view to_string(ParameterGroup group);  // "matrices", "gate", "norm"

// A parameter, or a constant of the layer. Names are a format: weights are saved under them.
struct Parameter {
  std::string name;                 // "oscillation.p_k.weight"
  std::vector<std::int64_t> shape;  // {} = one number
  Expr init;                        // entry by entry
  bool learned = true;              // false: fixed, or frozen by the code
  bool of_gate = false;             // belongs to o, its scale or its read
  bool linear = false;              // a projection with the default init of linear layers
  Axes axes = Axes::kNone;          // the axes of a symbol's own tensor
  // These three are set only for tensors that no code describes. If there is no init formula
  // (null), `start` describes the initial values and `drawn` draws them, from the name and the seed
  // alone.
  std::optional<ParameterGroup> group = {};
  std::string start = {};
  std::function<std::vector<double>(std::uint64_t seed)> drawn = {};
  bool statistic = false;  // a running statistic of a norm: saved with the weights, counted nowhere
  int heads = 1;           // a symbol's own tensors, one per head, stacked along axis 0
  bool of_kernel = true;   // false: a tensor of a filter's layer that is around the convolution
  bool shared = false;     // one for all layers of a model

  std::int64_t count() const;
};

// The symbols of the gate, its scale and its read, each once.
std::vector<Symbol> gate_symbols(const Variant& variant);
// The gate's symbols whose values a recurrence gets besides i, e and s.
std::vector<Symbol> given_symbols(const Variant& variant);

// The init formula of a learned symbol.
Expr first_value(const Variant& variant, const Symbol& w);

// Lists tensors in the order input, expand, oscillation, shrink, norm, output.
std::vector<Parameter> tensors_of(const Variant& variant);

ParameterGroup group_of(const Parameter& parameter);
std::string start_text(const Parameter& parameter);  // describes its initial values

// Numbers that the official layer stores without using them, and that the papers' totals count.
std::int64_t stored_count(const Variant& variant);

// The value of a fixed symbol (slope, theta, index, size) in a cell.
double fixed_value(const Symbol& symbol, const Sizes& sizes, int k, int d);

}  // namespace lcsm
