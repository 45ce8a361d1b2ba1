#include "tests/bench/launch_counts.h"

#include <ATen/Parallel.h>

#include <stdexcept>
#include <utility>

#include "lcsm/code/plan.h"
#include "lcsm/cuda/cuda_machine.h"
#include "tests/lcsm/layer/fake_tensors.h"

namespace runner {
namespace {

// The beginning of opcodes, and what one of a warp counts.
struct Opcode {
  std::string_view begins;
  double LaunchCount::*what;  // null: unknown
  double each;
};
constexpr double kBfloat16 = 2 * 16 * 8 * 16, kTf32 = 2 * 16 * 8 * 8;
constexpr Opcode kOpcodes[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16", &LaunchCount::tensor, kBfloat16},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32", &LaunchCount::tensor, 2 * kTf32},
    {"mma.", nullptr, 0},
    {"ex2.", &LaunchCount::special, 1},
    {"lg2.", &LaunchCount::special, 1},
    {"rcp.", &LaunchCount::special, 1},
    {"rsqrt.", &LaunchCount::special, 1},
    {"sqrt.", &LaunchCount::special, 1},
    {"div.", &LaunchCount::special, 1},
    {"sin.", &LaunchCount::special, 1},
    {"cos.", &LaunchCount::special, 1},
    {"tanh.", &LaunchCount::special, 1},
};

bool is_sum(const std::string& opcode) {
  for (const char* name : {"fma.", "mul.", "add.", "sub."})
    if (opcode.starts_with(name)) return true;
  return false;
}

LaunchCount count_of(const std::string& kernel, const ptx::Counts& counts) {
  LaunchCount count{.kernel = kernel, .blocks = static_cast<double>(counts.blocks)};
  for (const auto& [opcode, executed] : counts.by_opcode) {
    const auto n = static_cast<double>(executed);
    const Opcode* found = nullptr;
    for (const Opcode& row : kOpcodes)
      if (found == nullptr && opcode.starts_with(row.begins)) found = &row;
    if (found != nullptr && found->what == nullptr)
      throw std::runtime_error("launch_counts: expected a known product, got " + opcode);
    if (found != nullptr)
      count.*found->what += n * found->each;
    else if (is_sum(opcode) && opcode.ends_with(".f32"))
      count.narrow += n;
    else if (is_sum(opcode) && opcode.ends_with(".f64"))
      count.wide += n;
  }
  count.wavefronts = static_cast<double>(counts.shared.used);
  count.ideal = static_cast<double>(counts.shared.ideal);
  count.accessed = 32 * static_cast<double>(counts.global_read.used + counts.global_write.used);
  count.bytes = 32 * static_cast<double>(counts.read_once + counts.written_once);
  return count;
}

// All but the kernel's name grows with the sequences.
LaunchCount times(LaunchCount count, double sequences) {
  for (double LaunchCount::*each :
       {&LaunchCount::blocks, &LaunchCount::tensor, &LaunchCount::narrow, &LaunchCount::special,
        &LaunchCount::wide, &LaunchCount::wavefronts, &LaunchCount::ideal, &LaunchCount::accessed,
        &LaunchCount::bytes})
    count.*each *= sequences;
  return count;
}

// LibTorch's own operations on one thread.
class OneThread {
 public:
  OneThread() { at::set_num_threads(1); }
  ~OneThread() { at::set_num_threads(before_); }
  OneThread(const OneThread&) = delete;

 private:
  const int before_ = at::get_num_threads();
};

}  // namespace

CountedCase counted_case(const lcsm::Variant& variant, const BenchShape& shape,
                         at::ScalarType dtype, int processors, std::int64_t sequences) {
  const OneThread one;
  const auto all = static_cast<double>(sequences);
  CountedCase of;
  std::vector<LaunchCount> launches;
  lcsm::test::FakeGpu fake;
  fake.processors = processors;
  fake.counted = [&](const std::string& kernel, const ptx::Counts& counts) {
    launches.push_back(times(count_of(kernel, counts), all));
  };
  const lcsm::test::FakeTensors tensors(&fake);
  const BenchCase inputs = make_case(variant, {shape.B, shape.T, variant.sizes}, dtype);
  of.machine = to_string(lcsm::cuda_machine_of(variant, lcsm::plan_of(variant)));
  const at::Tensor y = lcsm::Recurrence(variant)(inputs.inputs, fake.gpu()).y;
  of.forward.launches = launches;
  gradients_of(inputs, y);
  of.both.launches = launches;
  if (const std::string findings = fake.findings(); !findings.empty())
    throw std::runtime_error("launch_counts: the judge found:\n" + findings);
  const double output = all * static_cast<double>(y.nbytes()),
               read = all * static_cast<double>(inputs.bytes()) - output;
  of.forward.least_bytes = read + output;
  of.both.least_bytes = of.forward.least_bytes + 2 * read + output;
  return of;
}

}  // namespace runner
