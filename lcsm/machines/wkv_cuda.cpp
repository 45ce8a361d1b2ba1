#include "lcsm/machines/wkv_cuda.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros_like.h>

#include <stdexcept>

#include "lcsm/cuda/wkv/wkv_calls.h"
#include "lcsm/tensors/operation.h"
#include "lcsm/tensors/workspace.h"

namespace lcsm {
namespace {

using at::Tensor;

// Inputs k, v, w, u and, if it continues, mean and log_sum; results y, and mean and log_sum after
// the last step; kept for backward: mean and log_sum before the steps of each warp.
class WkvMachineCuda : public Operation {
 public:
  WkvMachineCuda(std::shared_ptr<Gpu> gpu, bool learns) : gpu_(std::move(gpu)), learns_(learns) {
    results = 3;
  }

  Tensors forward(const Tensors& in) const override {
    WkvWork work = work_of(in);
    WkvCuda& wkv = work.wkv;
    const Tensor y = at::empty_like(in[0]), mean = floats(in, {wkv.B, wkv.D}),
                 log_sum = at::empty_like(mean),
                 kept = floats(in, {learns_ ? static_cast<std::int64_t>(wkv_kept_count(wkv)) : 0});
    wkv.y = numbers(y);
    wkv.last_mean = data<float>(mean);
    wkv.last_log_sum = data<float>(log_sum);
    if (learns_) wkv.kept = data<float>(kept);
    run(in, work, wkv_forward_calls);
    return {y, mean, log_sum, kept};
  }

  Tensors backward(const Tensors& in, const Tensors& out, const Tensors& d_out) const override {
    WkvWork work = work_of(in);
    WkvCuda& wkv = work.wkv;
    const Tensor d_y = d_out[0].defined() ? d_out[0].contiguous() : at::zeros_like(out[0]),
                 d_mean = d_out[1].defined() ? d_out[1].contiguous() : Tensor(),
                 d_log_sum = d_out[2].defined() ? d_out[2].contiguous() : Tensor();
    Tensors result{at::empty_like(in[0]), at::empty_like(in[1])};
    const Tensor d_w_u = floats(in, {2, wkv.D});
    wkv.kept = data<float>(out[3]);
    wkv.d_y = numbers(d_y);
    wkv.d_mean = data<float>(d_mean);
    wkv.d_log_sum = data<float>(d_log_sum);
    wkv.d_k = numbers(result[0]);
    wkv.d_v = numbers(result[1]);
    work.d_w_u = data<float>(d_w_u);
    result.insert(result.end(), {d_w_u[0], d_w_u[1]});
    if (in.size() > 4) {
      result.insert(result.end(), {at::empty_like(in[4]), at::empty_like(in[5])});
      wkv.d_first_mean = data<float>(result[4]);
      wkv.d_first_log_sum = data<float>(result[5]);
    }
    run(in, work, wkv_backward_calls);
    return result;
  }

 private:
  static Tensor floats(const Tensors& in, at::IntArrayRef shape) {
    return at::empty(shape, in[0].options().dtype(at::kFloat));
  }

  WkvWork work_of(const Tensors& in) const {
    WkvWork work;
    work.bfloat16 = in[0].scalar_type() == at::kBFloat16;
    work.processors = gpu_->processors();
    WkvCuda& wkv = work.wkv;
    wkv.B = static_cast<int>(in[0].size(0));
    wkv.T = static_cast<int>(in[0].size(1));
    wkv.D = static_cast<int>(in[0].size(2));
    wkv.k = numbers(in[0]);
    wkv.v = numbers(in[1]);
    wkv.w = data<float>(in[2]);
    wkv.u = data<float>(in[3]);
    if (in.size() > 4) {
      wkv.mean = data<float>(in[4]);
      wkv.log_sum = data<float>(in[5]);
    }
    return work;
  }

  void run(const Tensors& in, const WkvWork& work, decltype(wkv_forward_calls)* calls) const {
    Workspace space(in[0]);
    gpu_->run(wkv_source(work), "the mean of RWKV-4", calls(work, space.allocate()));
  }

  const std::shared_ptr<Gpu> gpu_;
  const bool learns_;
};

}  // namespace

WkvResult wkv_cuda(std::shared_ptr<Gpu> gpu, const WkvInputs& in) {
  const at::ScalarType type = in.k.scalar_type();
  if (type != at::kFloat && type != at::kBFloat16)
    throw std::invalid_argument(
        std::string("the mean of RWKV-4 on a GPU: expected k in float32 or bfloat16, got ") +
        at::toString(type));
  Tensors inputs{in.k.contiguous(), in.v.to(type).contiguous()};
  for (const Tensor& tensor : {in.w, in.u, in.mean, in.log_sum})
    if (tensor.defined()) inputs.push_back(tensor.to(at::kFloat).contiguous());
  const Tensors out =
      differentiable(c10::make_intrusive<WkvMachineCuda>(std::move(gpu), learns(inputs)), inputs);
  return {out[0], out[1], out[2]};
}

}  // namespace lcsm
