#include "runner/train/bench/step_profile.h"

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string_view>

#include "runner/base/process/steady_time.h"
#include "runner/base/text/text_table.h"

namespace runner {
namespace {

// The facts about a tensor that a profile needs, since it must not keep the tensor alive.
struct Seen {
  double bytes = 0, numbers = 0, deep = 0;  // deep: the size of the last axis
  const void* memory = nullptr;
};

void see(const at::Tensor& tensor, std::vector<Seen>* all) {
  if (!tensor.defined()) return;
  const auto numbers = static_cast<double>(tensor.numel());
  all->push_back({numbers * static_cast<double>(tensor.element_size()), numbers,
                  tensor.dim() == 0 ? 1 : static_cast<double>(tensor.size(-1)),
                  tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl() : nullptr});
}

std::vector<Seen> seen_in(std::span<const c10::IValue> values) {
  std::vector<Seen> all;
  for (const c10::IValue& value : values) {
    if (value.isTensor()) see(value.toTensor(), &all);
    if (value.isTensorList())
      for (const at::Tensor& each : value.toTensorVector()) see(each, &all);
  }
  return all;
}

// A result that lies in an input's memory and is not written: a view.
bool is_view(const Seen& result, const std::vector<Seen>& inputs, std::string_view name) {
  return !name.ends_with('_') && result.memory != nullptr &&
         std::ranges::find(inputs, result.memory, &Seen::memory) != inputs.end();
}

constexpr std::string_view kProductNames[] = {"aten::mm",      "aten::addmm",
                                              "aten::bmm",     "aten::linear",
                                              "aten::baddbmm", "mkldnn::_linear_pointwise"};

// 2 M N K of a product [.., M, K] by [.., K, N].
double flops_of(std::string_view name, const std::vector<Seen>& inputs, const Seen& result) {
  if (std::ranges::find(kProductNames, name) == std::end(kProductNames)) return 0;
  const std::size_t left = name.ends_with("addmm") || name.ends_with("baddbmm");
  return inputs.size() <= left ? 0 : 2 * result.numbers * inputs[left].deep;
}

// "torch::autograd::CppNode<lcsm::WideAffine>" is the backward pass of WideAffine.
std::string short_name(std::string name, bool backward) {
  if (const auto node = name.find("CppNode<"); node != name.npos)
    name = name.substr(node + 8, name.rfind('>') - node - 8);
  if (name.find("aten::") == name.npos && name.find("mkldnn::") == name.npos)
    if (const auto scope = name.rfind("::"); scope != name.npos) name = name.substr(scope + 2);
  return backward ? "backward of " + name : name;
}

}  // namespace

struct StepProfile::Recorder {
  struct Frame {
    std::string name;
    std::vector<Seen> inputs;
    double started = 0, called = 0;  // called: seconds in the operations that it calls
  };
  struct Context : at::ObserverContext {};

  static thread_local Recorder* current;

  // LibTorch gives the inputs only now.
  static std::unique_ptr<at::ObserverContext> start(const at::RecordFunction& function) {
    const auto inputs = function.inputs();
    if (current != nullptr)
      current->open.push_back(
          {function.name(), seen_in({inputs.data(), inputs.size()}), steady_seconds()});
    return std::make_unique<Context>();
  }
  static void end(const at::RecordFunction& function, at::ObserverContext*) {
    if (current != nullptr && !current->open.empty()) current->close(function);
  }

  void close(const at::RecordFunction& function) {
    const double now = steady_seconds();
    const Frame frame = std::move(open.back());
    open.pop_back();
    if (!open.empty()) open.back().called += now - frame.started;
    const std::string& name = frame.name;
    ProfileRow& row =
        rows[short_name(name, function.scope() == at::RecordScope::BACKWARD_FUNCTION)];
    row.seconds += now - frame.started - frame.called;
    if (!open.empty() && open.back().name == name) return;  // another overload of the operation
    ++row.calls;
    bool written = false;
    for (const Seen& result : seen_in(function.outputs())) {
      if (is_view(result, frame.inputs, name)) continue;
      written = true;
      row.bytes += result.bytes;
      row.flops += flops_of(name, frame.inputs, result);
    }
    if (written)
      for (const Seen& input : frame.inputs) row.bytes += input.bytes;
  }

  std::vector<Frame> open;
  std::map<std::string, ProfileRow> rows;
  at::CallbackHandle handle = 0;
};

thread_local StepProfile::Recorder* StepProfile::Recorder::current = nullptr;

StepProfile::StepProfile() : recorder_(std::make_unique<Recorder>()) {
  Recorder::current = recorder_.get();
  recorder_->handle = at::addThreadLocalCallback(
      at::RecordFunctionCallback(&Recorder::start, &Recorder::end)
          .needsInputs(true)
          .needsOutputs(true)
          .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION,
                   at::RecordScope::USER_SCOPE}));
}

StepProfile::~StepProfile() {
  at::removeCallback(recorder_->handle);
  Recorder::current = nullptr;
}

std::vector<ProfileRow> StepProfile::rows() const {
  std::vector<ProfileRow> all;
  for (const auto& [name, row] : recorder_->rows) {
    all.push_back(row);
    all.back().operation = name;
  }
  std::ranges::sort(all, std::greater(), &ProfileRow::seconds);
  return all;
}

std::string profile_table(std::vector<ProfileRow> rows, double seconds, double steps, double gflops,
                          double gbps) {
  TextTable table({{"operation"},
                   {"calls", Align::kRight},
                   {"ms", Align::kRight},
                   {"share", Align::kRight},
                   {"MB", Align::kRight},
                   {"GFLOP", Align::kRight},
                   {"of what it could", Align::kRight}});
  const auto add = [&](const ProfileRow& row) {
    const double least = std::max(row.flops / (1e9 * gflops), row.bytes / (1e9 * gbps));
    const auto number = [](double value, const char* format) {
      return value > 0 ? fmt::format(fmt::runtime(format), value) : "";
    };
    table.add_row({row.operation, number(static_cast<double>(row.calls) / steps, "{:.0f}"),
                   fmt::format("{:.2f}", 1e3 * row.seconds / steps),
                   fmt::format("{:.1f} %", 100 * row.seconds / seconds),
                   number(1e-6 * row.bytes / steps, "{:.1f}"),
                   number(1e-9 * row.flops / steps, "{:.2f}"),
                   row.seconds > 0 ? number(100 * least / row.seconds, "{:.0f} %") : ""});
  };
  constexpr double kLeastShare = 0.01;
  ProfileRow others{.operation = "others"}, outside{.operation = "outside of operations"};
  outside.seconds = seconds;
  for (const ProfileRow& row : rows) {
    outside.seconds -= row.seconds;
    if (row.seconds >= kLeastShare * seconds) {
      add(row);
      continue;
    }
    others.calls += row.calls;
    others.seconds += row.seconds;
  }
  add(others);
  add(outside);
  return table.text({});
}

}  // namespace runner
