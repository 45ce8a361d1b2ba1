// The operators that lcsm's Python package calls. A layer comes as the text of spec.h, its weights
// in the order of its description, a state with its names, one in a line.
#include <torch/csrc/stable/library.h>

#include "lcsm/stable/failure.h"
#include "lcsm/tensors/operation.h"
#include "lcsm/tensors/product.h"
#include "runner/python/gpu.h"
#include "runner/python/model.h"
#include "runner/python/spec.h"

namespace runner {
namespace {

using at::Tensor;
using lcsm::Tensors;

thread_local std::string names_of_state;  // of the last call

lcsm::BlockState state_of(const std::string& names, const Tensors& tensors) {
  lcsm::BlockState state;
  std::istringstream lines(names);
  for (const Tensor& tensor : tensors) {
    std::string name;  // one that is empty may have no line
    std::getline(lines, name);
    state[name] = tensor;
  }
  return state;
}

Tensors results(const Tensor& output, const lcsm::BlockState& state) {
  Tensors out{output};
  names_of_state.clear();
  for (const auto& [name, tensor] : state) {
    names_of_state += name + '\n';
    out.push_back(tensor);
  }
  return out;
}

// `what` is undefined or has these sizes and numbers.
void expect(const char* what, const Tensor& tensor, at::IntArrayRef sizes, at::ScalarType dtype) {
  if (!tensor.defined() || (tensor.sizes() == sizes && tensor.scalar_type() == dtype)) return;
  throw std::invalid_argument(c10::str(
      "lcsm: expected ", what, " ", sizes, " of ", at::toString(dtype), ", got ", tensor.sizes(),
      " of ", at::toString(tensor.scalar_type()), ": expand or convert it"));
}

// products: the number of autocast's type, -1 without autocast.
at::Ambient ambient(bool learns, std::int64_t products) {
  if (products < 0) return {.learns = learns, .products = {}};
  return {.learns = learns, .products = static_cast<at::ScalarType>(products)};
}

// The definition uses only LibTorch's operations, which have derivatives of every order.
lcsm::Products products_by(bool by_definition) {
  return by_definition ? lcsm::Products::kLibTorch : lcsm::Products::kBest;
}

lcsm::On on(const Tensor& x, bool by_definition) {
  if (by_definition) return lcsm::Backend::kReference;
  return gpu_of(x.device());
}

std::string describe(const at::Text& spec) {
  return lcsm::keeping_failure([&] { return made_layer(spec).description(); });
}
std::string state_names() { return names_of_state; }

Tensors first_values(const at::Text& spec, std::int64_t seed) {
  return lcsm::keeping_failure([&] {
    const MadeLayer& made = made_layer(spec);
    Tensors values;
    for (const lcsm::Parameter& tensor : made.tensors())
      values.push_back(made.first_values(tensor, static_cast<std::uint64_t>(seed)));
    return values;
  });
}

Tensors layer(const at::Text& spec, const Tensor& x, const Tensors& weights, const at::Text& names,
              const Tensors& state, const std::optional<Tensor>& padding,
              const std::optional<Tensor>& residual, bool wants_state, bool learns,
              std::int64_t products, bool by_definition) {
  return lcsm::keeping_failure([&] {
    if (x.dim() != 3 || x.size(1) == 0)
      throw std::invalid_argument("lcsm: expected x [B, T > 0, d], got " + c10::str(x.sizes()));
    if (!at::isFloatingType(x.scalar_type()))
      throw std::invalid_argument("lcsm: expected x of a floating dtype, got " +
                                  std::string(at::toString(x.scalar_type())));
    expect("padding", padding.value_or(Tensor()), {x.size(0), x.size(1)}, at::kBool);
    expect("residual", residual.value_or(Tensor()), x.sizes(), x.scalar_type());
    const at::AmbientGuard guard(ambient(learns, products));
    const CurrentDevice current(x.device());
    const lcsm::ProductsBy by(products_by(by_definition));
    lcsm::BlockContext context;
    context.padding = padding.value_or(Tensor());
    context.residual = residual.value_or(Tensor());
    context.state = state_of(names, state);
    context.wants_state = wants_state;
    const lcsm::On computed = on(x, by_definition);
    context.backend = computed.backend;
    context.gpu = computed.gpu;
    const lcsm::BlockResult result = made_layer(spec)(weights, x, context);
    return results(result.output, result.state);
  });
}

// Symbols in the order of the description; an empty tensor of one axis: not given.
Tensors recurrence(const at::Text& spec, const Tensor& i, const Tensor& e, const Tensor& s,
                   const Tensors& symbols, const at::Text& names, const Tensors& state, bool learns,
                   std::int64_t products, bool by_definition) {
  return lcsm::keeping_failure([&] {
    const at::AmbientGuard guard(ambient(learns, products));
    const CurrentDevice current(i.device());
    const lcsm::Recurrence& recurrence = made_layer(spec).expect_code().recurrence;
    const lcsm::BlockState given = state_of(names, state);
    lcsm::RecurrenceInputs in{i, e, s, {}, lcsm::state_of_code(given)};
    const lcsm::On computed = on(i, by_definition);
    const at::TensorOptions wide = i.options().dtype(lcsm::state_dtype(i.scalar_type()));
    for (std::size_t n = 0; n < recurrence.symbols().size() && n < symbols.size(); ++n) {
      const lcsm::Symbol& symbol = recurrence.symbols()[n];
      if (symbols[n].dim() != 1 || symbols[n].numel() > 0)
        in.symbols[symbol] = symbols[n];
      else if (stem_of(symbol).source == lcsm::Source::kFixed)
        in.symbols[symbol] = fixed_tensor(symbol, recurrence.variant().sizes, wide, computed.gpu);
    }
    const lcsm::RecurrenceResult result = recurrence(in, computed);
    const lcsm::BlockState left = lcsm::by_name(result.state);
    lcsm::refuse_unknown_state(given, left);
    return results(result.y, left);
  });
}

std::string describe_model(const at::Text& config, std::int64_t vocab) {
  return lcsm::keeping_failure([&] { return made_model(config, vocab).description(); });
}

Tensor model(const at::Text& config, std::int64_t vocab, const Tensor& values,
             const Tensors& weights, const std::optional<Tensor>& padding,
             const std::optional<Tensor>& source, const std::optional<Tensor>& source_padding,
             bool learns, std::int64_t products) {
  return lcsm::keeping_failure([&] {
    const auto is_of = [](const char* what, const Tensor& mask, const Tensor& steps) {
      if (steps.dim() >= 2) expect(what, mask, {steps.size(0), steps.size(1)}, at::kBool);
    };
    is_of("padding", padding.value_or(Tensor()), values);
    if (source) is_of("source_padding", source_padding.value_or(Tensor()), *source);
    const at::AmbientGuard guard(ambient(learns, products));
    const CurrentDevice current(values.device());
    return made_model(config, vocab)(weights,
                                     {values, padding.value_or(Tensor()), source.value_or(Tensor()),
                                      source_padding.value_or(Tensor())},
                                     gpu_of(values.device()));
  });
}

// A piece of sequences that begins at this step, and the state after the piece before.
Tensors continued(const at::Text& config, std::int64_t vocab, const Tensor& values,
                  const Tensors& weights, std::int64_t begin, const at::Text& names,
                  const Tensors& state, bool learns, std::int64_t products) {
  return lcsm::keeping_failure([&] {
    const at::AmbientGuard guard(ambient(learns, products));
    const CurrentDevice current(values.device());
    Inputs inputs{values};
    inputs.begin = begin;
    const lcsm::BlockState given = state_of(names, state);
    Carried carried = carried_in(given, values.device());
    const Tensor output =
        made_model(config, vocab)(weights, inputs, gpu_of(values.device()), &carried);
    if (!can_go_on(carried))
      throw std::invalid_argument(
          "lcsm: expected a model whose layers all carry a state, got one with attention or with "
          "filters that follow from the length: give it whole sequences");
    const lcsm::BlockState left = tensors_of(carried);
    if (begin > 0) {
      lcsm::refuse_unknown_state(given, left);
      lcsm::refuse_unknown_state(left, given);
    }
    return results(output, left);
  });
}

STABLE_TORCH_LIBRARY(lcsm, library) {
  library.def("describe(str spec) -> str");
  library.def("state_names() -> str");
  library.def("first_values(str spec, int seed) -> Tensor[]");
  library.def(
      "layer(str spec, Tensor x, Tensor[] weights, str names, Tensor[] state, Tensor? padding,"
      " Tensor? residual, bool wants_state, bool learns, int products, bool by_definition)"
      " -> Tensor[]");
  library.def(
      "recurrence(str spec, Tensor i, Tensor e, Tensor s, Tensor[] symbols, str names,"
      " Tensor[] state, bool learns, int products, bool by_definition) -> Tensor[]");
  library.def("describe_model(str config, int vocab) -> str");
  library.def(
      "model(str config, int vocab, Tensor values, Tensor[] weights, Tensor? padding,"
      " Tensor? source, Tensor? source_padding, bool learns, int products) -> Tensor");
  library.def(
      "continued(str config, int vocab, Tensor values, Tensor[] weights, int begin, str names,"
      " Tensor[] state, bool learns, int products) -> Tensor[]");
  library.def("names_with_numbers() -> str");
  library.def("with_numbers(int function, Tensor x, float[] numbers) -> Tensor");
}
STABLE_TORCH_LIBRARY_IMPL(lcsm, CompositeExplicitAutograd, library) {
  library.impl("describe", TORCH_BOX(&describe));
  library.impl("describe_model", TORCH_BOX(&describe_model));
  library.impl("names_with_numbers", TORCH_BOX(&at::names_with_numbers));
  library.impl("state_names", TORCH_BOX(&state_names));
  library.impl("first_values", TORCH_BOX(&first_values));
}
STABLE_TORCH_LIBRARY_IMPL(lcsm, CompositeImplicitAutograd, library) {
  library.impl("layer", TORCH_BOX(&layer));
  library.impl("continued", TORCH_BOX(&continued));
  library.impl("model", TORCH_BOX(&model));
  library.impl("recurrence", TORCH_BOX(&recurrence));
}

}  // namespace
}  // namespace runner
