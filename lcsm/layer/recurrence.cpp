#include "lcsm/layer/recurrence.h"

#include <ATen/ops/empty.h>
#include <c10/util/StringUtil.h>

#include <stdexcept>
#include <string>

#include "lcsm/layer/compiled.h"
#include "lcsm/machines/constant.h"
#include "lcsm/tensors/product.h"

namespace lcsm {
namespace {

using Shape = std::vector<std::int64_t>;

std::string text_of(at::IntArrayRef shape) {
  std::string text = "[";
  for (const std::int64_t size : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

void expect(const std::string& name, const at::Tensor& tensor, const Shape& shape,
            const at::Tensor& like, at::ScalarType dtype) {
  if (!tensor.defined())
    throw std::invalid_argument("recurrence: expected '" + name + "' " + text_of(shape) +
                                ", got none");
  if (tensor.sizes() != at::IntArrayRef(shape))
    throw std::invalid_argument("recurrence: expected '" + name + "' " + text_of(shape) + ", got " +
                                text_of(tensor.sizes()));
  // With bfloat16 inputs, other tensors may be float32 (state_dtype).
  const at::ScalarType given = tensor.scalar_type();
  if ((given != dtype && given != state_dtype(dtype)) || tensor.device() != like.device())
    throw std::invalid_argument("recurrence: expected '" + name + "' of dtype " +
                                at::toString(dtype) + " on " + like.device().str() + ", got " +
                                at::toString(given) + " on " + tensor.device().str());
}

void expect(const std::string& name, const at::Tensor& tensor, const Shape& shape,
            const at::Tensor& like) {
  expect(name, tensor, shape, like, like.scalar_type());
}

Shape along(Axes axes, const Sizes& sizes, Shape shape = {}) {
  if (over_k(axes)) shape.push_back(sizes.k);
  if (over_d(axes)) shape.push_back(sizes.d);
  return shape;
}

}  // namespace

void check_inputs(const Variant& v, const std::vector<Symbol>& symbols,
                  const RecurrenceInputs& in) {
  const std::int64_t K = v.sizes.k, D = v.sizes.d;
  if (!in.i.defined() || in.i.dim() != 3 || in.i.size(1) == 0 || in.i.size(2) != D ||
      !at::isFloatingType(in.i.scalar_type()))
    throw std::invalid_argument("recurrence: expected 'i' [B, T > 0, " + std::to_string(D) +
                                "] of a floating dtype, got " +
                                (in.i.defined() ? text_of(in.i.sizes()) : "none"));
  const std::int64_t B = in.i.size(0), T = in.i.size(1);
  expect("e", in.e, v.e_static() ? Shape{K, D} : Shape{B, T, K}, in.i);
  expect("s", in.s, v.s_static() ? Shape{K, D} : Shape{B, T, K}, in.i);
  if (in.s_imaginary.defined()) {
    if (!v.s_static() || !v.is_complex())
      throw std::invalid_argument(
          "recurrence: 's_imaginary' needs a static s and a gate that rotates");
    expect("s_imaginary", in.s_imaginary, {K, D}, in.i);
  }
  if (in.log_decay.defined()) {
    if (!v.oscillation.matrix)
      throw std::invalid_argument(
          "recurrence: 'log_decay' needs a matrix oscillation, such as fwp");
    expect("log_decay", in.log_decay, {B, T}, in.i);
  }
  for (const Symbol& s : symbols) {
    const SymbolStem& stem = stem_of(s);
    const auto found = in.symbols.find(s);
    const Axes axes = stem.name == "size" ? Axes::kNone : s.axes;
    expect(to_string(s), found == in.symbols.end() ? at::Tensor() : found->second,
           along(axes, v.sizes, stem.source == Source::kData ? Shape{B, T} : Shape{}), in.i);
  }
  const at::ScalarType sums = state_dtype(in.i.scalar_type());
  if (in.state.m.defined())
    expect("state", in.state.m, {B, v.gate.angle ? 2 * K : K, D}, in.i, sums);
  if (v.gate.cumulative && in.state.m.defined() != in.state.log_sum.defined())
    throw std::invalid_argument(
        "recurrence: a running softmax continues from 'state' and 'log_sum': expected both, got "
        "one");
  if (v.gate.cumulative && in.state.log_sum.defined())
    expect("log_sum", in.state.log_sum, along(running_softmax_log(v).axes, v.sizes, {B}), in.i,
           sums);
}

at::ScalarType state_dtype(at::ScalarType dtype) {
  return dtype == at::kDouble ? at::kDouble : at::kFloat;
}

Recurrence::Recurrence(const Variant& variant)
    : compiled_(std::make_shared<const Compiled>(variant)) {}

const Variant& Recurrence::variant() const { return compiled_->v; }
const std::vector<Symbol>& Recurrence::symbols() const { return compiled_->symbols; }

RecurrenceResult Recurrence::operator()(const RecurrenceInputs& given, const On& on) const {
  RecurrenceInputs in = given;
  in.i = rounded_for_products(given.i);
  if (!variant().e_static()) in.e = rounded_for_products(given.e);
  if (!variant().s_static()) in.s = rounded_for_products(given.s);
  check_inputs(variant(), symbols(), in);
  RecurrenceObserver::see(*this, in);
  const bool by_definition = on.backend == Backend::kReference;
  const at::ScalarType dtype = given.i.scalar_type(), sums = state_dtype(in.i.scalar_type());
  if (!by_definition && (on.gpu || in.i.scalar_type() == sums)) {
    RecurrenceResult result = by_machines(*compiled_, in, on.gpu);
    result.y = result.y.to(dtype);
    return result;
  }
  RecurrenceInputs wide{in.i.to(sums), in.e.to(sums), in.s.to(sums), {}, in.state};
  if (in.s_imaginary.defined()) wide.s_imaginary = in.s_imaginary.to(sums);
  if (in.log_decay.defined()) wide.log_decay = in.log_decay.to(sums);
  for (const auto& [symbol, tensor] : in.symbols) wide.symbols[symbol] = tensor.to(sums);
  RecurrenceResult result = by_definition ? recurrence_reference(variant(), wide)
                                          : by_machines(*compiled_, wide, nullptr);
  result.y = result.y.to(dtype);
  return result;
}

namespace {

at::Tensor fixed_numbers(const Symbol& symbol, const Sizes& sizes) {
  const Axes axes = stem_of(symbol).name == "size" ? Axes::kNone : symbol.axes;
  at::Tensor values = at::empty(along(axes, sizes), at::kDouble);
  double* out = values.mutable_data_ptr<double>();
  for (int k = 0; k < (over_k(axes) ? sizes.k : 1); ++k)
    for (int d = 0; d < (over_d(axes) ? sizes.d : 1); ++d)
      *out++ = fixed_value(symbol, sizes, k, d);
  return values;
}

}  // namespace

at::Tensor fixed_tensor(const Symbol& symbol, const Sizes& sizes, const at::TensorOptions& options,
                        const GpuOrCpu& gpu) {
  const auto make = [&] { return fixed_numbers(symbol, sizes).to(options); };
  if (!gpu) return make();
  return constant(
      gpu, c10::str("fixed ", to_string(symbol), " ", sizes.k, " ", sizes.d, " ", options.dtype()),
      make);
}

}  // namespace lcsm
