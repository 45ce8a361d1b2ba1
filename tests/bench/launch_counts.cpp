// launch_counts CODE B,T,D,K TYPE PROCESSORS [FILE...]: prints as JSON what the recurrence of a
// code launches on a GPU with this many multiprocessors, counted by the PTX judge. `lcsm-train
// bench eos --device model:NAME` runs it.
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lcsm/code/plan.h"
#include "lcsm/kernel/cuda_machine.h"
#include "runner/config/run/code_argument.h"
#include "runner/train/bench/bench_eos.h"
#include "runner/train/bench/bench_eos_case.h"
#include "runner/train/bench/bench_setting.h"
#include "tests/lcsm/layer/fake_tensors.h"

namespace {

using nlohmann::ordered_json;
using Words = std::vector<std::string>;

// The beginning of opcodes, and what one of a warp counts.
struct Row {
  std::string_view opcode;
  const char* what;
  double each;
};
constexpr double kBfloat16 = 2 * 16 * 8 * 16, kTf32 = 2 * 16 * 8 * 8;
constexpr Row kRows[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16", "tensor", kBfloat16},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32", "tensor", 2 * kTf32},
    {"mma.", nullptr, 0},
    {"ex2.", "special", 1},
    {"lg2.", "special", 1},
    {"rcp.", "special", 1},
    {"rsqrt.", "special", 1},
    {"sqrt.", "special", 1},
    {"div.", "special", 1},
    {"sin.", "special", 1},
    {"cos.", "special", 1},
    {"tanh.", "special", 1},
};

bool is_sum(const std::string& opcode) {
  for (const char* name : {"fma.", "mul.", "add.", "sub."})
    if (opcode.starts_with(name)) return true;
  return false;
}

ordered_json launch_json(const std::string& kernel, const ptx::Counts& counts) {
  ordered_json json = {{"kernel", kernel}, {"blocks", counts.blocks}, {"tensor", 0.},
                       {"narrow", 0.},     {"special", 0.},           {"wide", 0.}};
  const auto add = [&](const char* what, double amount) {
    json[what] = json[what].get<double>() + amount;
  };
  for (const auto& [opcode, executed] : counts.by_opcode) {
    const auto n = static_cast<double>(executed);
    const Row* found = nullptr;
    for (const Row& row : kRows)
      if (found == nullptr && opcode.starts_with(row.opcode)) found = &row;
    if (found != nullptr && found->what == nullptr)
      throw std::runtime_error("launch_counts: expected a known product, got " + opcode);
    if (found != nullptr)
      add(found->what, n * found->each);
    else if (is_sum(opcode) && opcode.ends_with(".f32"))
      add("narrow", n);
    else if (is_sum(opcode) && opcode.ends_with(".f64"))
      add("wide", n);
  }
  json["wavefronts"] = counts.shared.used;
  json["ideal"] = counts.shared.ideal;
  json["accessed"] = 32 * (counts.global_read.used + counts.global_write.used);
  json["bytes"] = 32 * (counts.read_once + counts.written_once);
  return json;
}

ordered_json counted(const Words& words) {
  const runner::CodeArgument given = runner::read_code(words[0], {words.begin() + 4, words.end()});
  const runner::BenchShape shape = runner::parse_shape(words[1]);
  const lcsm::Variant variant = lcsm::make_variant(given.code, given.catalogue, shape.sizes);
  at::set_num_threads(1);
  lcsm::test::FakeGpu fake;
  fake.processors = std::stoi(words[3]);
  ordered_json launches = ordered_json::array(), json;
  fake.counted = [&](const std::string& kernel, const ptx::Counts& counts) {
    launches.push_back(launch_json(kernel, counts));
  };
  const lcsm::test::FakeTensors tensors(&fake);
  const runner::BenchCase inputs =
      runner::make_case(variant, {shape.B, shape.T, variant.sizes}, runner::type_of(words[2]));
  json["machine"] = to_string(lcsm::cuda_machine_of(variant, lcsm::plan_of(variant)));
  const at::Tensor y = lcsm::Recurrence(variant)(inputs.inputs, fake.gpu()).y;
  json["forward"] = std::exchange(launches, ordered_json::array());
  runner::gradients_of(inputs, y);
  json["backward"] = launches;
  json["inputs"] = inputs.bytes() - static_cast<std::int64_t>(y.nbytes());
  json["output"] = y.nbytes();
  if (const std::string findings = fake.findings(); !findings.empty())
    throw std::runtime_error("launch_counts: the judge found:\n" + findings);
  return json;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Words words(argv + 1, argv + argc);
    if (words.size() < 4)
      throw std::invalid_argument(
          "launch_counts: expected CODE B,T,D,K TYPE PROCESSORS [FILE...], got " +
          std::to_string(words.size()) + " words");
    fmt::print("{}\n", counted(words).dump());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
