#include "runner/train/trainer/optimizer_gpu.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_copy.h>
#include <ATen/ops/zeros.h>

#include "lcsm/tensors/workspace.h"

namespace runner {
namespace {

// The size of a tensor in floats, rounded up to 16 bytes.
std::int64_t padded(const at::Tensor& tensor) { return (tensor.numel() + 3) / 4 * 4; }

// Parts of flat buffers, one after the other.
class Places {
 public:
  // Advances to the next tensor's offset, which is equal in all buffers.
  void next(const at::Tensor& like) { at_ = std::exchange(end_, end_ + padded(like)); }
  at::Tensor of(const at::Tensor& flat, const at::Tensor& like) const {
    return flat.narrow(0, at_, like.numel()).view(like.sizes());
  }

 private:
  std::int64_t at_ = 0, end_ = 0;
};

// `*tensor` with its values keeps them in `part`.
void move_into(const at::Tensor& part, at::Tensor* tensor) {
  part.copy_(*tensor);
  tensor->set_data(part);
}

}  // namespace

FlatAdam::FlatAdam(std::shared_ptr<lcsm::Gpu> gpu, const OptimizerSettings& settings,
                   std::vector<ParameterGroup>* groups)
    : gpu_(std::move(gpu)) {
  const at::NoGradGuard raw;
  std::int64_t count = 0;
  for (const ParameterGroup& group : *groups) {
    for (const at::Tensor& value : group.values) count += padded(value);
    work_.ranges.push_back({count, group.decay, group.rate});
  }
  const at::TensorOptions options = groups->front().values.front().options();
  for (at::Tensor* flat : {&values_, &means_, &squares_, &gradients_})
    *flat = at::zeros({count}, options.requires_grad(false));
  steps_ = at::zeros({}, options.requires_grad(false).dtype(at::kLong));
  Places places;
  for (ParameterGroup& group : *groups)
    for (std::size_t i = 0; i < group.values.size(); ++i) {
      at::Tensor& value = group.values[i];
      places.next(value);
      move_into(places.of(values_, value), &value);
      move_into(places.of(means_, value), &group.state[0][i]);
      move_into(places.of(squares_, value), &group.state[1][i]);
      parts_.push_back(places.of(gradients_, value));
    }
  lcsm::AdamCuda& adam = work_.adam;
  adam.count = count;
  adam.values = values_.mutable_data_ptr<float>();
  adam.means = means_.mutable_data_ptr<float>();
  adam.squares = squares_.mutable_data_ptr<float>();
  adam.gradients = gradients_.const_data_ptr<float>();
  adam.steps = reinterpret_cast<long long*>(steps_.mutable_data_ptr<std::int64_t>());
  adam.beta1 = settings.beta1;
  adam.beta2 = settings.beta2;
  adam.eps = settings.eps;
  adam.decoupled = settings.decoupled;
}

void FlatAdam::queue(const std::vector<ParameterGroup>& groups, const DeviceStep& step) {
  const at::NoGradGuard raw;
  std::vector<at::Tensor> to, from;
  auto part = parts_.begin();
  for (const ParameterGroup& group : groups)
    for (const at::Tensor& value : group.values) {
      const at::Tensor into = *part++;
      if (value.grad().defined()) {
        to.push_back(into);
        from.push_back(value.grad());
      } else {
        into.zero_();
      }
    }
  if (!to.empty()) at::_foreach_copy_(to, from);
  lcsm::AdamWork work = work_;
  work.adam.rate = step.rate.const_data_ptr<double>();
  work.adam.loss_norm = step.loss_norm.mutable_data_ptr<double>();
  work.adam.clip = step.clip;
  work.adam.most_loss = step.most_loss;
  lcsm::Workspace space(values_);
  gpu_->run(lcsm::adam_source(), "Adam", lcsm::adam_calls(work, space.allocate()));
}

}  // namespace runner
