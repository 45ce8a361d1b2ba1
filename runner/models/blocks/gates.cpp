#include "runner/models/blocks/gates.h"

#include <ATen/ops/ones.h>

#include <array>
#include <map>
#include <mutex>
#include <stdexcept>
#include <tuple>

#include "lcsm/base/row_names.h"

namespace runner {
namespace {

using at::Tensor;

struct GateRow {
  std::string_view name;
  bool elementwise;  // one row k, written and read as it is
  std::string_view o, scale;
  std::string_view bounded = {};  // an equivalent row for `symbol` <= 0, which is chunked
  const lcsm::Symbol* symbol = nullptr;
};

constexpr std::array kGates = {
    GateRow{"decay", false, "exp(p)", "", "bounded", &kP},
    GateRow{"decay_k", false, "exp(p_k)", "", "bounded_k", &kPk},
    GateRow{"bounded", false, "exp(min(p, 0))", ""},
    GateRow{"bounded_k", false, "exp(min(p_k, 0))", ""},
    GateRow{"state_space", false, "exp(p_d * w_kd)", "p_d"},
    GateRow{"decay_d", true, "exp(p_d)", ""},
    GateRow{"gate_d", true, "p_d", ""},
};

// The rows above, and for "10" and "m2" also the built-in oscillations.
const lcsm::Catalogue& catalogue() {
  static const lcsm::Catalogue all = [] {
    lcsm::Catalogue rows;
    for (const GateRow& row : kGates)
      rows.add(lcsm::make_oscillation({.name = std::string(row.name),
                                       .o = std::string(row.o),
                                       .scale = std::string(row.scale),
                                       .growth = true}));
    return rows;
  }();
  return all;
}

// Null for gates of the language.
const GateRow* row_of(std::string_view gate) { return lcsm::row_named(kGates, gate); }

bool is_elementwise(std::string_view gate) {
  const GateRow* row = row_of(gate);
  return row != nullptr && row->elementwise;
}

// Where p is 0, min(p, 0) has half of its gradient.
bool is_bounded(const Tensor& p) {
  const double most = p.numel() == 0 ? 0 : p.detach().max().item<double>();
  return most < 0 || (most == 0 && !p.requires_grad());
}

std::string_view bounded_where_it_is(std::string_view gate, const lcsm::RecurrenceInputs& in) {
  const GateRow* row = row_of(gate);
  if (row == nullptr || row->bounded.empty()) return gate;
  return is_bounded(in.symbols.at(*row->symbol)) ? row->bounded : gate;
}

lcsm::Code code_of(std::string_view gate) {
  const lcsm::Oscillation* row = catalogue().find(gate);
  if (row == nullptr) throw std::logic_error("no gate named " + std::string(gate));
  const std::string name(gate), sides = is_elementwise(gate) ? "0" : "1";
  return lcsm::parse_code(row->whole ? name : sides + "-" + name + "-" + sides + "-0", catalogue());
}

// Compiled once for each size.
const lcsm::Recurrence& compiled(std::string_view gate, lcsm::Sizes sizes) {
  static std::mutex mutex;
  static std::map<std::tuple<std::string_view, int, int>, lcsm::Recurrence> known;
  const std::lock_guard lock(mutex);
  const std::tuple key(gate, sizes.d, sizes.k);
  auto found = known.find(key);
  if (found == known.end())
    found = known.emplace(key, make_variant(code_of(gate), catalogue(), sizes)).first;
  return found->second;
}

}  // namespace

lcsm::RecurrenceResult gated(std::string_view gate, lcsm::RecurrenceInputs in, const lcsm::On& on) {
  const std::int64_t D = in.i.size(2);
  if (is_elementwise(gate)) in.e = in.s = at::ones({1, D}, in.i.options());
  const std::int64_t K = is_elementwise(gate) ? 1 : in.e.size(2);
  const bool reference = on.backend == lcsm::Backend::kReference;
  const lcsm::Recurrence& recurrence = compiled(
      reference || on.gpu ? gate : bounded_where_it_is(gate, in),  // a GPU is not waited for
      {.d = static_cast<int>(D), .k = static_cast<int>(K)});
  return recurrence(in, on);
}

Tensor heads_into_batch(const Tensor& x) {
  const Tensor all = x.transpose(1, 2).flatten(0, 1);
  return x.dim() == 3 ? all.unsqueeze(2) : all;
}

Tensor heads_from_batch(const Tensor& x, std::int64_t heads) {
  return x.view({x.size(0) / heads, heads, x.size(1), x.size(2)}).transpose(1, 2);
}

}  // namespace runner
