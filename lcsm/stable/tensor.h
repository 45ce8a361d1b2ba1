// The part of ATen that our files use, on LibTorch's stable ABI. Later versions of LibTorch keep
// this ABI, so a library compiled with this header in place of ATen works with them too. Names and
// meanings are ATen's. Every function goes through LibTorch's dispatcher, so autograd records it.
#pragma once

#include <torch/csrc/stable/library.h>
#include <torch/headeronly/core/MemoryFormat.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace at {

using torch::headeronly::MemoryFormat;
using torch::headeronly::ScalarType;
using torch::headeronly::toString;

inline constexpr ScalarType kByte = ScalarType::Byte, kBool = ScalarType::Bool,
                            kLong = ScalarType::Long, kInt = ScalarType::Int,
                            kBFloat16 = ScalarType::BFloat16, kHalf = ScalarType::Half,
                            kFloat = ScalarType::Float, kDouble = ScalarType::Double,
                            kComplexFloat = ScalarType::ComplexFloat,
                            kComplexDouble = ScalarType::ComplexDouble;

class IntArrayRef : public torch::headeronly::HeaderOnlyArrayRef<std::int64_t> {
 public:
  using HeaderOnlyArrayRef::HeaderOnlyArrayRef;
  IntArrayRef(const HeaderOnlyArrayRef& other) : HeaderOnlyArrayRef(other) {}

  std::vector<std::int64_t> vec() const { return {begin(), end()}; }
  bool operator==(const IntArrayRef& other) const { return equals(other); }
};
std::ostream& operator<<(std::ostream& out, const IntArrayRef& sizes);

using DeviceType = std::int32_t;

class Device {
 public:
  Device(DeviceType type, std::int32_t index) : type_(type), index_(index) {}

  DeviceType type() const { return type_; }
  bool is_meta() const { return type_ == aoti_torch_device_type_meta(); }
  std::int32_t index() const { return index_; }
  std::string str() const;
  bool operator==(const Device&) const = default;

 private:
  DeviceType type_;
  std::int32_t index_;
};

struct TensorOptions {
  ScalarType type = kFloat;
  Device on = {aoti_torch_device_type_cpu(), -1};

  TensorOptions() = default;
  TensorOptions(ScalarType dtype) : type(dtype) {}
  TensorOptions(ScalarType dtype, Device device) : type(dtype), on(device) {}
  TensorOptions dtype(ScalarType other) const { return {other, on}; }
  Device device() const { return on; }
  TensorOptions device(Device other) const { return {type, other}; }
  TensorOptions requires_grad(bool) const { return *this; }
  ScalarType dtype() const { return type; }
};

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(AtenTensorHandle owned) : handle_(owned, aoti_torch_delete_tensor_object) {}

  bool defined() const { return handle_ != nullptr; }
  void reset() { handle_.reset(); }
  AtenTensorHandle get() const { return handle_.get(); }
  bool is_same(const Tensor& other) const { return const_data_ptr() == other.const_data_ptr(); }

  std::int64_t dim() const;
  std::int64_t numel() const;
  std::int64_t size(std::int64_t dim) const;
  std::int64_t stride(std::int64_t dim) const;
  IntArrayRef sizes() const;
  bool is_contiguous() const;
  ScalarType scalar_type() const;
  Device device() const;
  bool is_cpu() const { return device().type() == aoti_torch_device_type_cpu(); }
  bool is_cuda() const { return device().type() == aoti_torch_device_type_cuda(); }
  bool is_complex() const;
  bool requires_grad() const;  // as the caller of our operator states
  const char* dtype() const { return toString(scalar_type()); }
  TensorOptions options() const { return {scalar_type(), device()}; }

  const void* const_data_ptr() const;
  void* data_ptr() const;
  void* mutable_data_ptr() const { return data_ptr(); }
  template <class T>
  const T* const_data_ptr() const {
    return static_cast<const T*>(const_data_ptr());
  }
  template <class T>
  T* mutable_data_ptr() const {
    return static_cast<T*>(data_ptr());
  }

  Tensor to(ScalarType dtype) const;
  Tensor to(const Device& device) const { return to(TensorOptions(scalar_type(), device)); }
  Tensor to(const TensorOptions& options) const;
  Tensor contiguous() const;
  Tensor clone(std::optional<MemoryFormat> format = std::nullopt) const;
  Tensor detach() const;
  template <class T>
  T item() const {
    return static_cast<T>(item_as_double());
  }

  // Views
  Tensor operator[](std::int64_t index) const { return select(0, index); }
  std::vector<Tensor> chunk(std::int64_t chunks, std::int64_t dim) const;
  Tensor as_strided(IntArrayRef sizes, IntArrayRef strides, std::int64_t offset) const;
  Tensor expand(IntArrayRef sizes) const;
  Tensor expand_as(const Tensor& other) const { return expand(other.sizes()); }
  Tensor flatten(std::int64_t first = 0, std::int64_t last = -1) const;
  Tensor mT() const { return transpose(-2, -1); }
  Tensor movedim(std::int64_t from, std::int64_t to) const;
  Tensor narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const;
  Tensor permute(IntArrayRef dims) const;
  Tensor reshape(IntArrayRef sizes) const;
  Tensor select(std::int64_t dim, std::int64_t index) const;
  std::vector<Tensor> split(std::int64_t size, std::int64_t dim) const;
  std::vector<Tensor> split_with_sizes(IntArrayRef sizes, std::int64_t dim) const;
  Tensor squeeze(std::int64_t dim) const;
  Tensor t() const { return transpose(0, 1); }
  Tensor transpose(std::int64_t a, std::int64_t b) const;
  std::vector<Tensor> unbind(std::int64_t dim) const;
  Tensor unflatten(std::int64_t dim, IntArrayRef sizes) const;
  Tensor unfold(std::int64_t dim, std::int64_t size, std::int64_t step) const;
  Tensor unsqueeze(std::int64_t dim) const;
  Tensor view(IntArrayRef sizes) const;
  Tensor view_as(const Tensor& other) const { return view(other.sizes()); }

  // Rearranged copies
  Tensor flip(IntArrayRef dims) const;
  Tensor gather(std::int64_t dim, const Tensor& index) const;
  Tensor index_copy(std::int64_t dim, const Tensor& index, const Tensor& source) const;
  Tensor index_select(std::int64_t dim, const Tensor& index) const;
  Tensor masked_fill(const Tensor& mask, double number) const;
  Tensor nonzero() const;
  Tensor repeat(IntArrayRef times) const;
  Tensor repeat_interleave(std::int64_t times, std::int64_t dim) const;
  Tensor scatter(std::int64_t dim, const Tensor& index, const Tensor& source) const;
  Tensor scatter_add(std::int64_t dim, const Tensor& index, const Tensor& source) const;
  Tensor tril(std::int64_t diagonal = 0) const;
  Tensor triu(std::int64_t diagonal = 0) const;

  // Numbers
  Tensor abs() const;
  Tensor add(const Tensor& other) const;
  Tensor clamp(double least, double most) const { return clamp_min(least).clamp_max(most); }
  Tensor clamp_max(double most) const;
  Tensor clamp_min(double least) const;
  Tensor conj() const;
  Tensor eq(double number) const;
  Tensor floor_divide(std::int64_t by) const;
  Tensor gt(double number) const;
  Tensor logical_and(const Tensor& other) const;
  Tensor logical_not() const;
  Tensor remainder(std::int64_t by) const;
  Tensor resolve_conj() const;
  Tensor sqrt() const;
  Tensor square() const;

  // Over axes
  Tensor all(std::int64_t dim, bool keepdim = false) const;
  Tensor amax(IntArrayRef dims, bool keepdim = false) const;
  Tensor any() const;
  Tensor any(std::int64_t dim, bool keepdim = false) const;
  Tensor all() const;
  std::pair<Tensor, Tensor> cummin(std::int64_t dim) const;  // values, indices
  Tensor max() const;
  Tensor mean(IntArrayRef dims, bool keepdim = false) const;
  Tensor sum(IntArrayRef dims, bool keepdim = false) const;

  // In place
  const Tensor& add_(const Tensor& other) const;
  const Tensor& add_(double number) const;
  const Tensor& addmm_(const Tensor& a, const Tensor& b) const;    // += a b
  const Tensor& baddbmm_(const Tensor& a, const Tensor& b) const;  // += a b, per batch entry
  const Tensor& copy_(const Tensor& other) const;
  const Tensor& div_(const Tensor& other) const;
  const Tensor& div_(double number) const;
  const Tensor& exp_() const;
  const Tensor& fill_(double number) const;
  const Tensor& masked_fill_(const Tensor& mask, double number) const;
  const Tensor& mul_(const Tensor& other) const;
  const Tensor& mul_(double number) const;
  const Tensor& neg_() const;
  const Tensor& requires_grad_(bool learned = true) const;
  const Tensor& square_() const;
  const Tensor& sub_(const Tensor& other) const;
  const Tensor& triu_(std::int64_t diagonal) const;

 private:
  double item_as_double() const;

  std::shared_ptr<AtenTensorOpaque> handle_;
};

using TensorList = std::vector<Tensor>;

// A number as a tensor, for an operator on x and a Scalar.
Tensor number_beside(const Tensor& x, double number);

#define LCSM_OPERATOR(sign)                                                                     \
  Tensor operator sign(const Tensor& a, const Tensor& b);                                       \
  inline Tensor operator sign(const Tensor& a, double b) { return a sign number_beside(a, b); } \
  inline Tensor operator sign(double a, const Tensor& b) { return number_beside(b, a) sign b; }
LCSM_OPERATOR(+)
LCSM_OPERATOR(-)
LCSM_OPERATOR(*)
LCSM_OPERATOR(/)
LCSM_OPERATOR(<)
LCSM_OPERATOR(<=)
LCSM_OPERATOR(>)
LCSM_OPERATOR(>=)
LCSM_OPERATOR(==)
#undef LCSM_OPERATOR
Tensor operator-(const Tensor& a);
Tensor operator~(const Tensor& a);
Tensor operator&(const Tensor& a, const Tensor& b);
Tensor operator|(const Tensor& a, const Tensor& b);

// Sizes among the arguments of an operator.
using Sizes = torch::headeronly::HeaderOnlyArrayRef<std::int64_t>;

// A text among the arguments of our operators: torch 2.11 never frees a std::string there (pytorch
// issue 191340).
struct Text : std::string {
  using std::string::string;
};

// Calls LibTorch's operator NAME.OVERLOAD with all arguments of its schema. A Scalar cannot be
// passed.
template <class Result = Tensor, class... Arguments>
Result call(const char* name, const char* overload, const Arguments&... arguments);

// Calls a function of torch on a tensor and numbers. The stable ABI cannot pass the numbers, so our
// library's Python half makes the call.
Tensor call_with_numbers(const char* name, const Tensor& x, const std::vector<double>& numbers);
std::string names_with_numbers();  // of these functions, in the order of their numbers

}  // namespace at

// ----- Tensors among LibTorch's arguments -----

namespace torch::stable::detail {

template <>
struct FromImpl<at::Tensor> {
  static StableIValue call(const at::Tensor& tensor, std::uint64_t, bool) {
    AtenTensorHandle handle = nullptr;
    TORCH_ERROR_CODE_CHECK(tensor.defined() ? aoti_torch_new_tensor_handle(tensor.get(), &handle)
                                            : aoti_torch_new_uninitialized_tensor(&handle));
    return reinterpret_cast<StableIValue>(handle);
  }
};

template <>
struct ToImpl<at::Tensor> {
  static at::Tensor call(StableIValue value, std::uint64_t, bool) {
    const auto handle = reinterpret_cast<AtenTensorHandle>(value);
    bool defined = false;
    TORCH_ERROR_CODE_CHECK(aoti_torch_is_defined(handle, &defined));
    const at::Tensor tensor(handle);
    return defined ? tensor : at::Tensor();
  }
};

template <>
struct ToImpl<at::Text> {
  static at::Text call(StableIValue value, std::uint64_t, bool) {
    const auto handle = reinterpret_cast<StringHandle>(value);
    std::size_t size = 0;
    const char* data = nullptr;
    TORCH_ERROR_CODE_CHECK(torch_string_length(handle, &size));
    TORCH_ERROR_CODE_CHECK(torch_string_c_str(handle, &data));
    at::Text text(data, size);
    TORCH_ERROR_CODE_CHECK(torch_delete_string(handle));
    return text;
  }
};

}  // namespace torch::stable::detail

namespace at {

[[noreturn]] void refuse_call(const char* name);
inline void check_call(AOTITorchError error, const char* name) {
  if (error != AOTI_TORCH_SUCCESS) refuse_call(name);
}
inline constexpr std::optional<ScalarType> kSameType;  // the dtype argument of a result: none

template <class... Arguments>
std::pair<Tensor, Tensor> call_for_two(const char* name, const char* overload,
                                       const Arguments&... arguments) {
  StableIValue stack[] = {torch::stable::detail::from(arguments)...};
  static_assert(sizeof...(arguments) >= 2);
  check_call(torch_call_dispatcher(name, overload, stack, TORCH_ABI_VERSION), name);
  return {torch::stable::detail::to<Tensor>(stack[0]), torch::stable::detail::to<Tensor>(stack[1])};
}
template <class Result, class... Arguments>
Result call(const char* name, const char* overload, const Arguments&... arguments) {
  StableIValue stack[] = {torch::stable::detail::from(arguments)...};
  check_call(torch_call_dispatcher(name, overload, stack, TORCH_ABI_VERSION), name);
  return torch::stable::detail::to<Result>(stack[0]);
}

}  // namespace at
