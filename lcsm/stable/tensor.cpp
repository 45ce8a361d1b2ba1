#include "lcsm/stable/tensor.h"

#include <torch/csrc/inductor/aoti_torch/generated/c_shim_aten.h>

#include <cmath>
#include <stdexcept>

#include "lcsm/stable/extras.h"
#include "lcsm/stable/failure.h"

namespace at {
namespace {

bool is_whole(ScalarType dtype) { return dtype == kLong || dtype == kInt || dtype == kByte; }

// With an integer tensor, a fraction becomes float32, as in ATen.
Tensor in_type_of(const Tensor& x, double number) {
  const bool fraction = is_whole(x.scalar_type()) && number != std::floor(number);
  return full({}, number, fraction ? x.options().dtype(kFloat) : x.options());
}

// a - alpha b. The ABI has no sum; a - (-1) b equals a + b to the last bit.
Tensor less(const Tensor& a, const Tensor& given, double alpha) {
  // alpha is a floating-point number, so integers go through float64. A bool operand takes the type
  // of a.
  if (is_whole(a.scalar_type()) && is_whole(given.scalar_type()))
    return less(a.to(kDouble), given.to(kDouble), alpha).to(kLong);
  const Tensor b = given.scalar_type() == kBool ? given.to(a.scalar_type()) : given;
  AtenTensorHandle out = nullptr;
  check_call(aoti_torch_aten_subtract_Tensor(a.get(), b.get(), alpha, &out), "subtract");
  return Tensor(out);
}

}  // namespace

void refuse_call(const char* name) {
  throw std::runtime_error(lcsm::taken_failure().value_or(
      "lcsm: LibTorch's operator " + std::string(name) + " failed: its message is on stderr"));
}

std::ostream& operator<<(std::ostream& out, const IntArrayRef& sizes) {
  out << '[';
  for (std::size_t n = 0; n < sizes.size(); ++n) out << (n > 0 ? ", " : "") << sizes[n];
  return out << ']';
}

std::string Device::str() const {
  if (type_ == aoti_torch_device_type_cpu()) return "cpu";
  if (is_meta()) return "meta";
  return (type_ == aoti_torch_device_type_cuda() ? "cuda:" : "device ") + std::to_string(index_);
}

std::int64_t Tensor::dim() const {
  std::int64_t out = 0;
  check_call(aoti_torch_get_dim(get(), &out), "dim");
  return out;
}
std::int64_t Tensor::numel() const {
  std::int64_t out = 0;
  check_call(aoti_torch_get_numel(get(), &out), "numel");
  return out;
}
std::int64_t Tensor::size(std::int64_t dim) const {
  std::int64_t out = 0;
  check_call(aoti_torch_get_size(get(), dim, &out), "size");
  return out;
}
std::int64_t Tensor::stride(std::int64_t dim) const {
  std::int64_t out = 0;
  check_call(aoti_torch_get_stride(get(), dim, &out), "stride");
  return out;
}
IntArrayRef Tensor::sizes() const {
  std::int64_t* out = nullptr;
  check_call(aoti_torch_get_sizes(get(), &out), "sizes");
  return {out, static_cast<std::size_t>(dim())};
}
bool Tensor::is_contiguous() const {
  bool out = false;
  check_call(aoti_torch_is_contiguous(get(), &out), "is_contiguous");
  return out;
}
ScalarType Tensor::scalar_type() const {
  std::int32_t out = 0;
  check_call(aoti_torch_get_dtype(get(), &out), "dtype");
  return torch::stable::detail::to<ScalarType>(torch::stable::detail::from(out));
}
bool Tensor::is_complex() const {
  const ScalarType type = scalar_type();
  return type == kComplexFloat || type == kComplexDouble;
}
Device Tensor::device() const {
  std::int32_t type = 0, index = 0;
  check_call(aoti_torch_get_device_type(get(), &type), "device");
  check_call(aoti_torch_get_device_index(get(), &index), "device");
  return {type, type == aoti_torch_device_type_cpu() ? -1 : index};
}
const void* Tensor::const_data_ptr() const {
  const void* out = nullptr;
  check_call(torch_get_const_data_ptr(get(), &out), "data_ptr");
  return out;
}
void* Tensor::data_ptr() const {
  void* out = nullptr;
  check_call(torch_get_mutable_data_ptr(get(), &out), "data_ptr");
  return out;
}

Tensor Tensor::to(ScalarType dtype) const {
  if (dtype == scalar_type()) return *this;
  return call("aten::to", "dtype", *this, dtype, false, false, std::optional<MemoryFormat>());
}
Tensor Tensor::to(const TensorOptions& options) const {
  if (options.on == device()) return to(options.type);
  const torch::stable::Device on(torch::stable::detail::to<torch::headeronly::DeviceType>(
                                     torch::stable::detail::from(options.on.type())),
                                 options.on.index());
  return call("aten::to", "device", *this, on, options.type, false, false,
              std::optional<MemoryFormat>());
}
Tensor Tensor::contiguous() const {
  return is_contiguous() ? *this : call("aten::contiguous", "", *this, MemoryFormat::Contiguous);
}
Tensor Tensor::clone(std::optional<MemoryFormat> format) const {
  return call("aten::clone", "", *this, format);
}
Tensor Tensor::detach() const { return call("aten::detach", "", *this); }
double Tensor::item_as_double() const {
  double out = 0;
  const Tensor wide = to(TensorOptions(kDouble));
  check_call(aoti_torch_item_float64(wide.get(), &out), "item");
  return out;
}
bool Tensor::requires_grad() const { return AmbientGuard::now().learns; }

// ----- Views -----

Tensor Tensor::as_strided(IntArrayRef sizes, IntArrayRef strides, std::int64_t offset) const {
  return call("aten::as_strided", "", *this, Sizes(sizes), Sizes(strides), std::optional(offset));
}
std::vector<Tensor> Tensor::chunk(std::int64_t chunks, std::int64_t dim) const {
  return call<std::vector<Tensor>>("aten::chunk", "", *this, chunks, dim);
}
Tensor Tensor::expand(IntArrayRef sizes) const {
  return call("aten::expand", "", *this, Sizes(sizes), false);
}
Tensor Tensor::flatten(std::int64_t first, std::int64_t last) const {
  return call("aten::flatten", "using_ints", *this, first, last);
}
Tensor Tensor::movedim(std::int64_t from, std::int64_t to) const {
  return call("aten::movedim", "int", *this, from, to);
}
Tensor Tensor::narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const {
  return call("aten::narrow", "", *this, dim, start, length);
}
Tensor Tensor::permute(IntArrayRef dims) const {
  return call("aten::permute", "", *this, Sizes(dims));
}
Tensor Tensor::reshape(IntArrayRef sizes) const {
  return call("aten::reshape", "", *this, Sizes(sizes));
}
Tensor Tensor::select(std::int64_t dim, std::int64_t index) const {
  return call("aten::select", "int", *this, dim, index);
}
std::vector<Tensor> Tensor::split(std::int64_t size, std::int64_t dim) const {
  return call<std::vector<Tensor>>("aten::split", "Tensor", *this, size, dim);
}
std::vector<Tensor> Tensor::split_with_sizes(IntArrayRef sizes, std::int64_t dim) const {
  return call<std::vector<Tensor>>("aten::split_with_sizes", "", *this, Sizes(sizes), dim);
}
Tensor Tensor::squeeze(std::int64_t dim) const { return call("aten::squeeze", "dim", *this, dim); }
Tensor Tensor::transpose(std::int64_t a, std::int64_t b) const {
  return call("aten::transpose", "int", *this, a, b);
}
std::vector<Tensor> Tensor::unbind(std::int64_t dim) const {
  return call<std::vector<Tensor>>("aten::unbind", "int", *this, dim);
}
Tensor Tensor::unflatten(std::int64_t dim, IntArrayRef sizes) const {
  return call("aten::unflatten", "int", *this, dim, Sizes(sizes));
}
Tensor Tensor::unfold(std::int64_t dim, std::int64_t size, std::int64_t step) const {
  return call("aten::unfold", "", *this, dim, size, step);
}
Tensor Tensor::unsqueeze(std::int64_t dim) const { return call("aten::unsqueeze", "", *this, dim); }
Tensor Tensor::view(IntArrayRef sizes) const { return call("aten::view", "", *this, Sizes(sizes)); }

// ----- Rearranged copies -----

Tensor Tensor::flip(IntArrayRef dims) const { return call("aten::flip", "", *this, Sizes(dims)); }
Tensor Tensor::gather(std::int64_t dim, const Tensor& index) const {
  return call("aten::gather", "", *this, dim, index, false);
}
Tensor Tensor::index_copy(std::int64_t dim, const Tensor& index, const Tensor& source) const {
  return call("aten::index_copy", "", *this, dim, index, source);
}
Tensor Tensor::index_select(std::int64_t dim, const Tensor& index) const {
  return call("aten::index_select", "", *this, dim, index);
}
Tensor Tensor::masked_fill(const Tensor& mask, double number) const {
  return call("aten::masked_fill", "Tensor", *this, mask, full({}, number, options()));
}
Tensor Tensor::nonzero() const { return call("aten::nonzero", "", *this); }
Tensor Tensor::repeat(IntArrayRef times) const {
  return call("aten::repeat", "", *this, Sizes(times));
}
Tensor Tensor::repeat_interleave(std::int64_t times, std::int64_t dim) const {
  return call("aten::repeat_interleave", "self_int", *this, times, std::optional(dim),
              std::optional<std::int64_t>());
}
Tensor Tensor::scatter(std::int64_t dim, const Tensor& index, const Tensor& source) const {
  return call("aten::scatter", "src", *this, dim, index, source);
}
Tensor Tensor::scatter_add(std::int64_t dim, const Tensor& index, const Tensor& source) const {
  return call("aten::scatter_add", "", *this, dim, index, source);
}
Tensor Tensor::tril(std::int64_t diagonal) const { return call("aten::tril", "", *this, diagonal); }
Tensor Tensor::triu(std::int64_t diagonal) const { return call("aten::triu", "", *this, diagonal); }

// ----- Numbers -----

Tensor Tensor::abs() const { return at::abs(*this); }
Tensor Tensor::add(const Tensor& other) const { return *this + other; }
Tensor Tensor::clamp_max(double most) const {
  return call("aten::clamp_max", "Tensor", *this, in_type_of(*this, most));
}
Tensor Tensor::clamp_min(double least) const {
  return call("aten::clamp_min", "Tensor", *this, in_type_of(*this, least));
}
Tensor Tensor::conj() const { return call("aten::conj", "", *this); }
Tensor Tensor::eq(double number) const { return *this == number; }
Tensor Tensor::floor_divide(std::int64_t by) const {
  return call("aten::floor_divide", "", *this, in_type_of(*this, static_cast<double>(by)));
}
Tensor Tensor::gt(double number) const { return *this > number; }
Tensor Tensor::logical_and(const Tensor& other) const {
  return call("aten::logical_and", "", *this, other);
}
Tensor Tensor::logical_not() const { return call("aten::logical_not", "", *this); }
Tensor Tensor::remainder(std::int64_t by) const {
  return call("aten::remainder", "Tensor", *this, in_type_of(*this, static_cast<double>(by)));
}
Tensor Tensor::resolve_conj() const { return call("aten::resolve_conj", "", *this); }
Tensor Tensor::sqrt() const { return at::sqrt(*this); }
Tensor Tensor::square() const { return call("aten::square", "", *this); }

// ----- Over axes -----

Tensor Tensor::all() const { return call("aten::all", "", *this); }
Tensor Tensor::all(std::int64_t dim, bool keepdim) const {
  return call("aten::all", "dim", *this, dim, keepdim);
}
Tensor Tensor::amax(IntArrayRef dims, bool keepdim) const {
  return call("aten::amax", "", *this, Sizes(dims), keepdim);
}
Tensor Tensor::any() const { return call("aten::any", "", *this); }
Tensor Tensor::any(std::int64_t dim, bool keepdim) const {
  return call("aten::any", "dim", *this, dim, keepdim);
}
std::pair<Tensor, Tensor> Tensor::cummin(std::int64_t dim) const {
  return call_for_two("aten::cummin", "", *this, dim);
}
Tensor Tensor::max() const { return call("aten::max", "", *this); }
Tensor Tensor::mean(IntArrayRef dims, bool keepdim) const {
  return call("aten::mean", "dim", *this, std::optional<Sizes>(dims), keepdim, kSameType);
}
Tensor Tensor::sum(IntArrayRef dims, bool keepdim) const {
  return call("aten::sum", "dim_IntList", *this, std::optional<Sizes>(dims), keepdim, kSameType);
}

// ----- In place: operators whose schema has a Scalar factor copy a result instead -----

namespace {

template <class... Arguments>
const Tensor& in_place(const Tensor& x, const char* name, const char* overload,
                       const Arguments&... arguments) {
  call(name, overload, x, arguments...);
  return x;
}

}  // namespace

const Tensor& Tensor::add_(const Tensor& other) const { return copy_(*this + other); }
const Tensor& Tensor::add_(double number) const { return copy_(*this + number); }
const Tensor& Tensor::addmm_(const Tensor& a, const Tensor& b) const { return add_(mm(a, b)); }
const Tensor& Tensor::baddbmm_(const Tensor& a, const Tensor& b) const { return add_(bmm(a, b)); }
const Tensor& Tensor::copy_(const Tensor& other) const {
  return in_place(*this, "aten::copy_", "", other, false);
}
const Tensor& Tensor::div_(const Tensor& other) const {
  return in_place(*this, "aten::div_", "Tensor", other);
}
const Tensor& Tensor::div_(double number) const { return div_(number_beside(*this, number)); }
const Tensor& Tensor::exp_() const { return in_place(*this, "aten::exp_", ""); }
const Tensor& Tensor::fill_(double number) const {
  check_call(aoti_torch_aten_fill__Scalar(get(), number), "fill_");
  return *this;
}
const Tensor& Tensor::masked_fill_(const Tensor& mask, double number) const {
  return in_place(*this, "aten::masked_fill_", "Tensor", mask, full({}, number, options()));
}
const Tensor& Tensor::mul_(const Tensor& other) const {
  return in_place(*this, "aten::mul_", "Tensor", other);
}
const Tensor& Tensor::mul_(double number) const { return mul_(number_beside(*this, number)); }
const Tensor& Tensor::neg_() const { return in_place(*this, "aten::neg_", ""); }
const Tensor& Tensor::requires_grad_(bool learned) const {
  check_call(torch_set_requires_grad(get(), learned), "requires_grad_");
  return *this;
}
const Tensor& Tensor::square_() const { return in_place(*this, "aten::square_", ""); }
const Tensor& Tensor::sub_(const Tensor& other) const { return copy_(*this - other); }
const Tensor& Tensor::triu_(std::int64_t diagonal) const {
  return in_place(*this, "aten::triu_", "", diagonal);
}

// ----- Operators -----

// A number is not rounded to the half precision of x. As in ATen, it becomes a CPU tensor without
// axes, which does not change the type of the result.
Tensor number_beside(const Tensor& x, double number) {
  const bool half = x.scalar_type() == kBFloat16 || x.scalar_type() == kHalf;
  return half && x.dim() > 0 ? full({}, number, kDouble) : in_type_of(x, number);
}

Tensor operator+(const Tensor& a, const Tensor& b) { return less(a, b, -1); }
Tensor operator-(const Tensor& a, const Tensor& b) { return less(a, b, 1); }
Tensor operator*(const Tensor& a, const Tensor& b) { return call("aten::mul", "Tensor", a, b); }
Tensor operator/(const Tensor& a, const Tensor& b) { return call("aten::div", "Tensor", a, b); }
Tensor operator<(const Tensor& a, const Tensor& b) { return call("aten::lt", "Tensor", a, b); }
Tensor operator<=(const Tensor& a, const Tensor& b) { return call("aten::le", "Tensor", a, b); }
Tensor operator>(const Tensor& a, const Tensor& b) { return call("aten::gt", "Tensor", a, b); }
Tensor operator>=(const Tensor& a, const Tensor& b) { return call("aten::ge", "Tensor", a, b); }
Tensor operator==(const Tensor& a, const Tensor& b) { return call("aten::eq", "Tensor", a, b); }
Tensor operator-(const Tensor& a) { return neg(a); }
Tensor operator~(const Tensor& a) { return call("aten::bitwise_not", "", a); }
Tensor operator&(const Tensor& a, const Tensor& b) {
  return call("aten::bitwise_and", "Tensor", a, b);
}
Tensor operator|(const Tensor& a, const Tensor& b) {
  return call("aten::bitwise_or", "Tensor", a, b);
}

}  // namespace at
