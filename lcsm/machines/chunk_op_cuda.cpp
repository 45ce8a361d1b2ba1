#include "lcsm/machines/chunk_op_cuda.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros_like.h>

#include "lcsm/cuda/chunk/chunk_calls.h"
#include "lcsm/tensors/workspace.h"

namespace lcsm {
namespace {

using at::Tensor;

class ChunkMachineCuda : public Operation {
 public:
  ChunkMachineCuda(std::shared_ptr<Gpu> gpu, const ChunkKind& kind, bool learns)
      : gpu_(std::move(gpu)), is_(kind), learns_(learns) {
    results = 2;
  }

  // Returns y, m and the kept memories.
  Tensors forward(const Tensors& inputs) const override {
    const ChunkInputs in = chunk_inputs(inputs, is_);
    ChunkWork work = work_of(in);
    const Tensor y = at::empty_like(in.i), m = memory_like(in);
    const Tensor kept = at::empty({learns_ ? static_cast<std::int64_t>(chunk_kept_count(work)) : 0},
                                  in.i.options());
    work.chunk.kept = learns_ ? numbers(kept) : nullptr;
    const Tensor first = aligned(in.m);
    work.first = data<float>(first);
    work.chunk.last = data<float>(m);
    work.chunk.to_y = numbers(y);
    run(in, work, chunk_forward_calls);
    return {y, m, kept};
  }

  Tensors backward(const Tensors& inputs, const Tensors& outputs,
                   const Tensors& d_outputs) const override {
    const ChunkInputs in = chunk_inputs(inputs, is_);
    const Tensor d_y =
        d_outputs[0].defined() ? d_outputs[0].contiguous() : at::zeros_like(outputs[0]);
    const Tensor d_last = aligned(d_outputs[1]);
    ChunkWork work = work_of(in);
    ChunkCuda& chunk = work.chunk;
    chunk.kept = numbers(outputs[2]);
    chunk.y = numbers(outputs[0]);
    chunk.d_y = chunk_input(d_y);
    work.first = data<float>(d_last);
    Tensors result;
    const auto like = [&](const Tensor& tensor) -> void* {
      if (!tensor.defined()) return nullptr;
      result.push_back(at::empty(tensor.sizes(), tensor.options()));
      return numbers(result.back());
    };
    chunk.d_i = like(in.i);
    work.d_e = like(in.e);
    work.d_s = like(in.s);
    work.d_log_k = like(in.log_k);
    chunk.d_log_d = like(in.log_d);
    const Tensor d_m = is_.continues ? memory_like(in) : Tensor();
    chunk.last = data<float>(d_m);
    run(in, work, chunk_backward_calls);
    if (is_.continues) result.push_back(d_m);
    return result;
  }

 private:
  static Tensor memory_like(const ChunkInputs& in) {
    return at::empty({in.i.size(0), in.e.size(2), in.i.size(2)}, in.i.options().dtype(at::kFloat));
  }

  ChunkWork work_of(const ChunkInputs& in) const {
    ChunkWork work;
    work.bfloat16 = in.i.scalar_type() == at::kBFloat16;
    work.processors = gpu_->processors();
    work.choices = gpu_->choices();
    ChunkCuda& chunk = work.chunk;
    chunk.B = static_cast<int>(in.i.size(0));
    chunk.T = static_cast<int>(in.i.size(1));
    chunk.K = static_cast<int>(in.e.size(2));
    chunk.D = static_cast<int>(in.i.size(2));
    chunk.i = chunk_input(in.i);
    chunk.e = chunk_input(in.e);
    chunk.s = chunk_input(in.s);
    chunk.log_k = chunk_input(in.log_k);
    chunk.log_d = chunk_input(in.log_d);
    chunk.enters = is_.continues;
    chunk.one_log_k = in.log_k.defined() && in.log_k.dim() == 2;
    return work;
  }

  void run(const ChunkInputs& in, const ChunkWork& work,
           decltype(chunk_forward_calls)* calls) const {
    Workspace space(in.i);
    gpu_->run(chunk_source(work), "the chunked recurrence", calls(work, space.allocate()));
  }

  const std::shared_ptr<Gpu> gpu_;
  const ChunkKind is_;
  const bool learns_;
};

// [B, T, N] or, for one number per step, [B, T].
Tensor decays(const Tensor& log, std::int64_t B, std::int64_t T, std::int64_t N) {
  if (log.dim() == 0 || log.size(-1) < N) return log.expand({B, T, 1}).squeeze(2);
  const Tensor all = log.expand({B, T, N});
  return all.stride(2) == 1 ? all : all.contiguous();
}

}  // namespace

ChunkInputCuda chunk_input(const Tensor& x) {
  if (!x.defined()) return {};
  return {numbers(x), x.stride(0), x.stride(1)};
}

Tensors chunk_machine_cuda(std::shared_ptr<Gpu> gpu, const ChunkInputs& in) {
  const std::int64_t B = in.i.size(0), T = in.i.size(1), D = in.i.size(2), K = in.e.size(2);
  const auto as_i = [&](const Tensor& x) { return x.to(in.i.scalar_type()); };
  Tensors inputs{in.i.contiguous(), as_i(in.e).contiguous(), as_i(in.s).contiguous()};
  const ChunkKind kind{in.log_k.defined(), in.log_d.defined(), in.m.defined()};
  if (kind.decays_k) inputs.push_back(decays(as_i(in.log_k), B, T, K));
  if (kind.decays_d) inputs.push_back(decays(as_i(in.log_d), B, T, D));
  if (kind.continues) inputs.push_back(in.m.contiguous());
  return differentiable(c10::make_intrusive<ChunkMachineCuda>(std::move(gpu), kind, learns(inputs)),
                        inputs);
}

}  // namespace lcsm
