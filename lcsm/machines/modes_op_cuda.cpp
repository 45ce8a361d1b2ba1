#include "lcsm/machines/modes_op_cuda.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros_like.h>

#include "lcsm/cuda/modes/modes_calls.h"
#include "lcsm/tensors/workspace.h"

namespace lcsm {
namespace {

using at::Tensor;

class ModesMachineCuda : public Operation {
 public:
  ModesMachineCuda(std::shared_ptr<Gpu> gpu, std::vector<DirectionKind> kinds, bool learns)
      : gpu_(std::move(gpu)), kinds_(std::move(kinds)), learns_(learns) {
    results = 1 + kinds_.size();
  }

  // Returns y, the last u of each direction, and each direction's u before the tiles.
  Tensors forward(const Tensors& inputs) const override {
    const Tensor& x = inputs[0];
    const std::vector<Direction> directions = named(inputs);
    ModesWork work = work_of(inputs, directions);
    Tensors result{at::empty_like(x)}, kept;
    work.modes.y = result[0].mutable_data_ptr();
    for (std::size_t n = 0; n < directions.size(); ++n) {
      ModesDirectionCuda& to = work.modes.directions[n];
      result.push_back(last_like(x, directions[n].q));
      kept.push_back(at::empty(
          {learns_ ? static_cast<std::int64_t>(modes_kept_count(work, static_cast<int>(n))) : 0},
          x.options().dtype(at::kFloat)));
      to.first = parts(directions[n].u);
      to.last = parts(result.back());
      to.before = learns_ ? data<float>(kept.back()) : nullptr;
    }
    run(x, work, modes_forward_calls);
    result.insert(result.end(), kept.begin(), kept.end());
    return result;
  }

  Tensors backward(const Tensors& inputs, const Tensors& outputs,
                   const Tensors& d_outputs) const override {
    const Tensor& x = inputs[0];
    const std::vector<Direction> directions = named(inputs);
    ModesWork work = work_of(inputs, directions);
    const Tensor d_y = d_outputs[0].defined() ? d_outputs[0].contiguous() : at::zeros_like(x);
    work.modes.d_y = d_y.const_data_ptr();
    Tensors result{at::empty_like(x)}, alive;
    work.modes.d_x = result[0].mutable_data_ptr();
    for (std::size_t n = 0; n < directions.size(); ++n) {
      ModesDirectionCuda& of = work.modes.directions[n];
      of.before = data<float>(outputs[results + n]);
      alive.push_back(d_outputs[1 + n].defined() ? d_outputs[1 + n].contiguous().resolve_conj()
                                                 : Tensor());
      of.first = parts(alive.back());
      result.push_back(at::empty_like(directions[n].q));
      work.d_q[n] = parts(result.back());
      result.push_back(at::empty_like(directions[n].c));
      work.d_c[n] = parts(result.back());
      if (!kinds_[n].continues) continue;
      result.push_back(last_like(x, directions[n].q));
      of.last = parts(result.back());
    }
    run(x, work, modes_backward_calls);
    return result;
  }

 private:
  std::vector<Direction> named(const Tensors& inputs) const {
    return directions_of(inputs, kinds_);
  }

  // Complex numbers are pairs.
  static double* parts(const Tensor& tensor) { return static_cast<double*>(numbers(tensor)); }
  static Tensor last_like(const Tensor& x, const Tensor& q) {
    return at::empty({x.size(0), q.size(0), q.size(1)}, q.options());
  }

  ModesWork work_of(const Tensors& inputs, const std::vector<Direction>& directions) const {
    const Tensor& x = inputs[0];
    ModesWork work;
    work.bfloat16 = x.scalar_type() == at::kBFloat16;
    work.is_complex = directions[0].q.is_complex();
    work.processors = gpu_->processors();
    work.choices = gpu_->choices();
    ModesCuda& modes = work.modes;
    modes.B = static_cast<int>(x.size(0));
    modes.T = static_cast<int>(x.size(1));
    modes.D = static_cast<int>(x.size(2));
    modes.count = static_cast<int>(directions.size());
    modes.x = x.const_data_ptr();
    for (std::size_t n = 0; n < directions.size(); ++n) {
      const Direction& each = directions[n];
      ModesDirectionCuda& to = modes.directions[n];
      to.N = static_cast<int>(each.q.size(0));
      to.back = each.back;
      to.late = each.late;
      to.q = parts(each.q);
      to.c = parts(each.c);
    }
    return work;
  }

  void run(const Tensor& x, const ModesWork& work, decltype(modes_forward_calls)* calls) const {
    Workspace space(x);
    gpu_->run(modes_source(work), "the sum of modes", calls(work, space.allocate()));
  }

  const std::shared_ptr<Gpu> gpu_;
  const std::vector<DirectionKind> kinds_;
  const bool learns_;
};

}  // namespace

Tensors modes_machine_cuda(std::shared_ptr<Gpu> gpu, const Tensor& x,
                           const std::vector<Direction>& directions) {
  if (x.scalar_type() != at::kFloat && x.scalar_type() != at::kBFloat16)
    throw std::invalid_argument(
        std::string("modes on a GPU: expected x in float32 or bfloat16, got ") +
        at::toString(x.scalar_type()));
  Tensors inputs{x.contiguous()};
  std::vector<DirectionKind> kinds;
  for (const Direction& each : directions) {
    kinds.push_back({each.u.defined(), each.back, each.late});
    for (const Tensor& tensor : {each.q, each.c, each.u})
      if (tensor.defined()) inputs.push_back(tensor.contiguous().resolve_conj());
  }
  return differentiable(
      c10::make_intrusive<ModesMachineCuda>(std::move(gpu), std::move(kinds), learns(inputs)),
      inputs);
}

}  // namespace lcsm
