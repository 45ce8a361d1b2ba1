#include "lcsm/machines/map_op.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <array>
#include <optional>

#include "lcsm/cpu/map_cpu.h"
#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/cuda/step/map_calls.h"
#include "lcsm/tensors/shares.h"

namespace lcsm {
namespace {

using at::Tensor;

constexpr double kFlopsPerNumber = 50;  // two or three functions

class MapOperation : public Operation {
 public:
  MapOperation(std::shared_ptr<const Tape> tape, std::int64_t B, std::int64_t T, std::int64_t N)
      : tape_(std::move(tape)),
        sizes_{B, T, N},
        rows_(N == 1 ? B : B * T),
        columns_(N == 1 ? T : N) {}

  Tensors forward(const Tensors& in) const override {
    const Tensor out = at::empty(sizes_, in[0].options());
    AT_DISPATCH_FLOATING_TYPES(out.scalar_type(), "map_formula", [&] {
      Map<scalar_t> map = map_of<scalar_t>(in);
      map.out = out.mutable_data_ptr<scalar_t>();
      share([&](std::int64_t first, std::int64_t last, std::int64_t) {
        map_kernels<scalar_t>().forward(map, first, last);
      });
    });
    return {out};
  }

  Tensors backward(const Tensors& in, const Tensors&, const Tensors& d_out) const override {
    Tensors d_in;
    if (!d_out[0].defined()) return Tensors(in.size());
    const Tensor d = d_out[0].contiguous();
    AT_DISPATCH_FLOATING_TYPES(d.scalar_type(), "map_formula_backward", [&] {
      Map<scalar_t> map = map_of<scalar_t>(in);
      map.d_out = d.const_data_ptr<scalar_t>();
      for (std::size_t n = 0; n < in.size(); ++n) {
        d_in.push_back(by_row(n) ? at::empty(in[n].sizes(), d.options())
                                 : at::zeros({workers(), in[n].numel()}, d.options()));
        map.d_leaves.push_back(d_in[n].mutable_data_ptr<scalar_t>());
      }
      share([&](std::int64_t first, std::int64_t last, std::int64_t worker) {
        map_kernels<scalar_t>().backward(map, first, last, worker);
      });
    });
    for (std::size_t n = 0; n < in.size(); ++n)
      if (!by_row(n)) d_in[n] = d_in[n].sum(0).view(in[n].sizes());
    return d_in;
  }

 private:
  bool by_row(std::size_t n) const { return over_steps(tape_->values[n].spread); }

  template <class T>
  Map<T> map_of(const Tensors& in) const {
    Map<T> map;
    map.tape = tape_.get();
    map.rows = rows_;
    map.columns = columns_;
    for (const Tensor& leaf : in) map.leaves.push_back(leaf.const_data_ptr<T>());
    return map;
  }

  std::int64_t workers() const {
    return std::min<std::int64_t>(
        rows_, threads_for(kFlopsPerNumber * static_cast<double>(rows_ * columns_)));
  }

  void share(const std::function<void(std::int64_t, std::int64_t, std::int64_t)>& work) const {
    const std::int64_t W = workers();
    const auto some = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t w = begin; w < end; ++w) work(rows_ * w / W, rows_ * (w + 1) / W, w);
    };
    if (W == 1) return some(0, 1);
    at::parallel_for(0, W, 1, some);
  }

  const std::shared_ptr<const Tape> tape_;
  const std::array<std::int64_t, 3> sizes_;
  const std::int64_t rows_, columns_;  // if N = 1, the columns are the steps
};

class MapOnGpu : public Operation {
 public:
  // `learns`: whether the gradient of each leaf is wanted.
  MapOnGpu(GpuOrCpu gpu, std::shared_ptr<const Tape> tape, at::IntArrayRef sizes,
           at::ScalarType type, std::vector<bool> learns)
      : gpu_(std::move(gpu)),
        tape_(std::move(tape)),
        sizes_(sizes.vec()),
        type_(type),
        learns_(std::move(learns)) {}

  Tensors forward(const Tensors& in) const override {
    const Tensor out = at::empty(sizes_, in[0].options().dtype(type_));
    MapWork work = work_of(in);
    work.map.out = numbers(out);
    gpu_->run(map_source(work), "a formula", {map_forward_call(work)});
    return {out};
  }

  Tensors backward(const Tensors& in, const Tensors&, const Tensors& d_out) const override {
    Tensors d_in(in.size());
    if (!d_out[0].defined()) return d_in;
    const Tensor d = d_out[0].contiguous();
    MapWork work = work_of(in);
    work.map.d_out = numbers(d);
    for (std::size_t n = 0; n < in.size(); ++n)
      if (spread(n) == Spread::kCells) {
        d_in[n] = at::empty(in[n].sizes(), in[n].options());
        work.map.d_leaves[n] = numbers(d_in[n]);
      }
    // Sums of parts of the axes over which a leaf does not vary.
    const MapSums parts = map_sums(work);
    for (std::size_t n = 0; n < in.size(); ++n)
      if (spread(n) != Spread::kCells && learns_[n]) {
        const bool steps = spread(n) == Spread::kSteps;
        d_in[n] = at::empty({steps ? in[n].numel() : parts.blocks,
                             static_cast<std::int64_t>(steps ? parts.tiles : parts.columns)},
                            in[n].options().dtype(at::kFloat));
        work.map.d_leaves[n] = numbers(d_in[n]);
      }
    gpu_->run(map_source(work), "a formula", {map_backward_call(work)});
    for (std::size_t n = 0; n < in.size(); ++n)
      if (spread(n) != Spread::kCells && learns_[n])
        d_in[n] = (spread(n) == Spread::kSteps      ? d_in[n].sum(1)
                   : spread(n) == Spread::kChannels ? d_in[n].sum(0)
                                                    : d_in[n].view({-1}).sum(0))
                      .view(in[n].sizes())
                      .to(in[n].scalar_type());
    return d_in;
  }

 private:
  Spread spread(std::size_t leaf) const { return tape_->values[leaf].spread; }

  MapWork work_of(const Tensors& in) const {
    MapWork work{tape_.get(), false, type_ == at::kBFloat16};
    work.processors = gpu_->processors();
    for (std::size_t n = 0; n < in.size(); ++n) {
      work.map.leaves[n] = numbers(in[n]);
      if (over_steps(spread(n)))
        work.bfloat16_leaves = in[n].scalar_type() == at::kBFloat16;
      else
        work.sums = work.sums || learns_[n];
    }
    work.map.count = sizes_[0] * sizes_[1] * sizes_[2];
    work.map.columns = static_cast<int>(sizes_[2]);
    return work;
  }

  const GpuOrCpu gpu_;
  const std::shared_ptr<const Tape> tape_;
  const std::vector<std::int64_t> sizes_;
  const at::ScalarType type_;
  const std::vector<bool> learns_;
};

}  // namespace

MapFormula::MapFormula(const Expr& e, std::int64_t N) : N_(N), symbols_(symbols_of(e)) {
  std::vector<TapeLeaf> leaves;
  for (const Symbol& s : symbols_) {
    const Type type = type_of(symbol(s));
    const bool axis = (type.k || type.d) && stem_of(s).name != "size";
    const Spread spread = type.data       ? axis || N == 1 ? Spread::kCells : Spread::kSteps
                          : axis && N > 1 ? Spread::kChannels
                                          : Spread::kNumber;
    leaves.push_back({s, spread, true});
  }
  tape_ = std::make_shared<const Tape>(make_tape(e, nullptr, leaves));
}

Tensor MapFormula::operator()(const std::function<Tensor(const Symbol&)>& value_of, std::int64_t B,
                              std::int64_t T) const {
  const Pending whole = pending(value_of, B, T);
  return differentiable(whole.by, whole.from)[0];
}

Pending MapFormula::pending(const std::function<Tensor(const Symbol&)>& value_of, std::int64_t B,
                            std::int64_t T) const {
  Tensors in;
  for (const Symbol& s : symbols_) in.push_back(value_of(s).contiguous());
  return {c10::make_intrusive<MapOperation>(tape_, B, T, N_), in};
}

Tensor MapFormula::on(const GpuOrCpu& gpu, const std::function<Tensor(const Symbol&)>& value_of,
                      std::int64_t B, std::int64_t T, at::ScalarType type) const {
  if (symbols_.size() > kMapLeaves || B * T * N_ == 0) return {};
  Tensors in;
  std::vector<bool> learning;
  std::optional<at::ScalarType> of_data;
  bool equal = true;
  for (std::size_t n = 0; n < symbols_.size(); ++n) {
    in.push_back(value_of(symbols_[n]).contiguous());
    const Tensor& leaf = in.back();
    learning.push_back(learns({leaf}));
    const Spread spread = tape_->values[n].spread;
    const std::int64_t rows = over_steps(spread) ? B * T : 1;
    const bool axis = spread == Spread::kCells || spread == Spread::kChannels;
    if (leaf.numel() != rows * (axis ? N_ : 1)) return {};
    if (over_steps(spread)) {
      equal = equal && leaf.scalar_type() == of_data.value_or(leaf.scalar_type());
      of_data = leaf.scalar_type();
    } else if (leaf.scalar_type() != at::kFloat) {
      return {};
    }
  }
  if (!of_data) return {};
  if (!equal)
    for (Tensor& leaf : in) leaf = leaf.to(at::kFloat);
  return differentiable(c10::make_intrusive<MapOnGpu>(gpu, tape_, at::IntArrayRef{B, T, N_}, type,
                                                      std::move(learning)),
                        in)[0];
}

}  // namespace lcsm
