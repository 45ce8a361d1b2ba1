#include "lcsm/machines/delta_op_cuda.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros_like.h>

#include "lcsm/cuda/delta/delta_calls.h"
#include "lcsm/machines/chunk_op_cuda.h"
#include "lcsm/tensors/workspace.h"

namespace lcsm {
namespace {

using at::Tensor;

class DeltaMachineCuda : public Operation {
 public:
  DeltaMachineCuda(std::shared_ptr<Gpu> gpu, bool decays, bool continues, bool learns)
      : gpu_(std::move(gpu)), decays_(decays), continues_(continues), learns_(learns) {
    results = 2;
  }

  // Returns y, m, w and the kept memories.
  Tensors forward(const Tensors& inputs) const override {
    const DeltaInputs in = named(inputs);
    DeltaWork work = work_of(in);
    ChunkCuda& chunk = work.delta.chunk;
    const Tensor y = at::empty_like(in.i), w = at::empty_like(in.i), m = memory_like(in);
    const Tensor kept = at::empty(
        {learns_ ? static_cast<std::int64_t>(chunk_kept_count(chunk)) : 0}, in.i.options());
    chunk.kept = learns_ ? numbers(kept) : nullptr;
    const Tensor first = aligned(in.m);
    work.first = data<float>(first);
    chunk.i = chunk_input(in.i);
    chunk.last = data<float>(m);
    chunk.to_y = numbers(y);
    work.delta.w = learns_ ? numbers(w) : nullptr;
    run(in, work, delta_forward_calls);
    return {y, m, w, kept};
  }

  Tensors backward(const Tensors& inputs, const Tensors& outputs,
                   const Tensors& d_outputs) const override {
    const DeltaInputs in = named(inputs);
    const Tensor d_y =
        d_outputs[0].defined() ? d_outputs[0].contiguous() : at::zeros_like(outputs[0]);
    const Tensor d_last = aligned(d_outputs[1]);
    DeltaWork work = work_of(in);
    ChunkCuda& chunk = work.delta.chunk;
    chunk.i = chunk_input(outputs[2]);
    chunk.kept = numbers(outputs[3]);
    chunk.d_y = chunk_input(d_y);
    work.first = data<float>(d_last);
    Tensors result;
    const auto like = [&](const Tensor& tensor) {
      result.push_back(at::empty_like(tensor));
      return numbers(result.back());
    };
    chunk.d_i = like(in.i);
    work.d_u = like(in.u);
    work.d_v = like(in.v);
    work.d_s = like(in.s);
    if (decays_) work.d_log_a = like(in.log_a);
    const Tensor d_m = continues_ ? memory_like(in) : Tensor();
    chunk.last = data<float>(d_m);
    run(in, work, delta_backward_calls);
    if (continues_) result.push_back(d_m);
    return result;
  }

 private:
  DeltaInputs named(const Tensors& inputs) const {
    DeltaInputs in{inputs[0], inputs[1], inputs[2], inputs[3], {}, {}};
    if (decays_) in.log_a = inputs[4];
    if (continues_) in.m = inputs.back();
    return in;
  }
  static Tensor memory_like(const DeltaInputs& in) {
    return at::empty({in.i.size(0), in.u.size(2), in.i.size(2)}, in.i.options().dtype(at::kFloat));
  }

  DeltaWork work_of(const DeltaInputs& in) const {
    DeltaWork work;
    work.bfloat16 = in.i.scalar_type() == at::kBFloat16;
    work.processors = gpu_->processors();
    work.choices = gpu_->choices();
    work.delta.v = chunk_input(in.v);
    work.delta.log_a = chunk_input(in.log_a);
    ChunkCuda& chunk = work.delta.chunk;
    chunk.B = static_cast<int>(in.i.size(0));
    chunk.T = static_cast<int>(in.i.size(1));
    chunk.K = static_cast<int>(in.u.size(2));
    chunk.D = static_cast<int>(in.i.size(2));
    chunk.e = chunk_input(in.u);
    chunk.s = chunk_input(in.s);
    chunk.enters = continues_;
    return work;
  }

  void run(const DeltaInputs& in, const DeltaWork& work,
           decltype(delta_forward_calls)* calls) const {
    Workspace space(in.i);
    gpu_->run(delta_source(work), "the delta rule", calls(work, space.allocate()));
  }

  const std::shared_ptr<Gpu> gpu_;
  const bool decays_, continues_, learns_;
};

}  // namespace

Tensors delta_machine_cuda(std::shared_ptr<Gpu> gpu, const DeltaInputs& in) {
  const auto as_i = [&](const Tensor& x) { return x.to(in.i.scalar_type()).contiguous(); };
  Tensors inputs{in.i.contiguous(), as_i(in.u), as_i(in.v), as_i(in.s)};
  if (in.log_a.defined()) inputs.push_back(as_i(in.log_a));
  if (in.m.defined()) inputs.push_back(in.m.contiguous());
  return differentiable(c10::make_intrusive<DeltaMachineCuda>(std::move(gpu), in.log_a.defined(),
                                                              in.m.defined(), learns(inputs)),
                        inputs);
}

}  // namespace lcsm
