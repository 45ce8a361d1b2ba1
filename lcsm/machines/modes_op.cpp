#include "lcsm/machines/modes_op.h"

#include <ATen/Dispatch.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

#include "lcsm/machines/modes_call.h"
#include "lcsm/machines/modes_op_cuda.h"

namespace lcsm {
namespace {

using at::Tensor;

class ModesMachine : public Operation {
 public:
  ModesMachine(const std::vector<Direction>& directions, bool learns)
      : block_(block_of(directions)), learns_(learns) {
    for (const Direction& each : directions)
      kinds_.push_back({each.u.defined(), each.back, each.late});
    results = 1 + directions.size();
  }

  // Returns y, the last u of each direction, and each direction's u before the blocks.
  Tensors forward(const Tensors& inputs) const override {
    const Tensor& x = inputs[0];
    Tensors result{at::empty_like(x)}, states;
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "modes_machine", [&] {
      const ModesCall<scalar_t> call(x, named(inputs), block_, learns_);
      ModesScan<scalar_t> scan = call.scan();
      scan.y = data<scalar_t>(result[0]);
      call.shares().run(
          [&](const ModesPart& part) { modes_kernels<scalar_t>().forward(scan, part); });
      for (const PackedDirection& each : call.packed()) {
        result.push_back(unplanes(each.u, x.size(2)));
        states.push_back(each.states);
      }
    });
    result.insert(result.end(), states.begin(), states.end());
    return result;
  }

  Tensors backward(const Tensors& inputs, const Tensors& outputs,
                   const Tensors& d_outputs) const override {
    const Tensor& x = inputs[0];
    const Tensor d_y = d_outputs[0].defined() ? d_outputs[0].contiguous() : Tensor();
    const Tensors states(outputs.begin() + static_cast<std::ptrdiff_t>(results), outputs.end());
    Tensors result;
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "modes_machine_backward", [&] {
      result = gradients<scalar_t>(inputs, states, d_y, d_outputs);
    });
    return result;
  }

 private:
  struct Gradient {
    Tensor q, c, u;
  };

  std::vector<Direction> named(const Tensors& inputs) const {
    return directions_of(inputs, kinds_);
  }

  template <class T>
  Tensors gradients(const Tensors& inputs, const Tensors& states, const Tensor& d_y,
                    const Tensors& d_outputs) const {
    const Tensor& x = inputs[0];
    const std::vector<Direction> directions = named(inputs);
    const Tensor d_x = d_y.defined() ? at::empty_like(x) : at::zeros_like(x);
    std::vector<Gradient> gradient(directions.size());
    if (d_y.defined()) {
      const ModesCall<T> call(x, directions, block_, false, states);
      run(call, d_y, d_x);
      for (std::size_t n = 0; n < directions.size(); ++n)
        gradient[n] = of_sums(call, directions[n], n);
    }
    for (std::size_t n = 0; n < directions.size(); ++n)
      if (d_outputs[1 + n].defined())
        add_of_last<T>(x, directions[n], states[n], d_outputs[1 + n], d_x, &gradient[n]);
    Tensors result{d_x};
    for (std::size_t n = 0; n < directions.size(); ++n) {
      result.push_back(gradient[n].q);
      result.push_back(gradient[n].c);
      if (kinds_[n].continues) result.push_back(gradient[n].u);
    }
    return result;
  }

  template <class T>
  static void run(const ModesCall<T>& call, const Tensor& d_y, const Tensor& d_x,
                  bool adds = false) {
    ModesScan<T> scan = call.scan();
    scan.d_y = data<T>(d_y);
    scan.d_x = data<T>(d_x);
    scan.adds = adds;
    call.shares().run([&](const ModesPart& part) { modes_kernels<T>().backward(scan, part); });
  }

  // LibTorch's gradient of a complex number is the real part's plus i times the imaginary part's.
  template <class T>
  static Gradient of_sums(const ModesCall<T>& call, const Direction& direction, std::size_t n) {
    const PackedDirection& sums = call.packed()[n];
    const Tensor w = unplanes(sums.w, direction.q.size(1));
    const Tensor before = direction.late ? w : direction.q * w;
    // sum over t of d_y_t u_t = sum over t of w_t x_t, plus w times u before the first step.
    Tensor reads = call.w_x(n);
    if (direction.u.defined()) reads = reads + (before * direction.u).sum(0);
    return {(direction.c * call.w_u(n)).conj().resolve_conj(), reads.conj().resolve_conj(),
            (direction.c * before).conj().resolve_conj()};
  }

  // Adds the gradients of the last u: it is carried back as w is, with c = 1.
  template <class T>
  void add_of_last(const Tensor& x, Direction direction, const Tensor& states, const Tensor& d_last,
                   const Tensor& d_x, Gradient* gradient) const {
    direction.c = at::ones_like(direction.c);
    direction.late = true;
    const ModesCall<T> call(x, {direction}, block_, false, {states});
    const PackedDirection& sums = call.packed()[0];
    sums.w.copy_(planes(d_last.conj().resolve_conj(), sums.w.size(-1)));
    run(call, Tensor(), d_x, /*adds=*/true);
    const Gradient more = of_sums(call, direction, 0);
    gradient->q = gradient->q.defined() ? gradient->q + more.q : more.q;
    gradient->u = gradient->u.defined() ? gradient->u + more.u : more.u;
  }

  std::vector<DirectionKind> kinds_;
  const std::int64_t block_;
  const bool learns_;
};

void check(const Tensor& x, const std::vector<Direction>& directions) {
  TORCH_CHECK(x.dim() == 3 && x.size(1) > 0 && x.size(2) > 0,
              "modes: expected x [B, T > 0, D > 0], got ", x.sizes());
  const std::int64_t B = x.size(0), D = x.size(2);
  TORCH_CHECK(directions.size() == 1 || directions.size() == 2,
              "modes: expected one direction or two, got ", directions.size());
  for (const Direction& each : directions) {
    TORCH_CHECK(each.q.dim() == 2 && each.q.size(0) > 0 && each.q.size(1) == D &&
                    each.q.sizes() == each.c.sizes(),
                "modes: expected q and c [N, D = ", D, "], got ", each.q.sizes(), " and ",
                each.c.sizes());
    const at::ScalarType kind = directions[0].q.scalar_type();
    TORCH_CHECK((kind == at::kDouble || kind == at::kComplexDouble) &&
                    each.q.scalar_type() == kind && each.c.scalar_type() == kind &&
                    (!each.u.defined() || each.u.scalar_type() == kind),
                "modes: expected q, c and u all float64 or all complex128, got ",
                each.q.scalar_type(), " and ", each.c.scalar_type());
    TORCH_CHECK(!each.u.defined() || each.u.sizes() == at::IntArrayRef({B, each.q.size(0), D}),
                "modes: expected u [B, N, D] = [", B, ", ", each.q.size(0), ", ", D, "], got ",
                each.u.sizes());
  }
}

}  // namespace

std::vector<Direction> directions_of(const Tensors& inputs,
                                     const std::vector<DirectionKind>& kinds) {
  auto next = inputs.begin() + 1;
  std::vector<Direction> directions;
  for (const DirectionKind& kind : kinds) {
    Direction each{*next, *(next + 1), Tensor(), kind.back, kind.late};
    next += 2;
    if (kind.continues) each.u = *next++;
    directions.push_back(std::move(each));
  }
  return directions;
}

Tensors modes_machine(const Tensor& x, const std::vector<Direction>& directions,
                      const GpuOrCpu& gpu) {
  check(x, directions);
  if (gpu) return modes_machine_cuda(gpu, x, directions);
  Tensors inputs{x.contiguous()};
  for (const Direction& each : directions) {
    inputs.push_back(each.q.contiguous());
    inputs.push_back(each.c.contiguous());
    if (each.u.defined()) inputs.push_back(each.u.contiguous());
  }
  return differentiable(c10::make_intrusive<ModesMachine>(directions, learns(inputs)), inputs);
}

}  // namespace lcsm
