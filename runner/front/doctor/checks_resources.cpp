#include <fmt/format.h>

#include <algorithm>

#include "runner/base/text/counts.h"
#include "runner/cluster/launch/engines.h"
#include "runner/front/doctor/checks.h"

namespace runner {
Check cores_check(const lcsm::Allowance& allowed) {
  Check check{"cores", State::kOk, std::to_string(allowed.cores()), "", {}};
  if (allowed.cores() < allowed.cores_online)
    check.value +=
        fmt::format(" of {}{}", allowed.cores_online,
                    allowed.cores_quota > 0 ? fmt::format(" (quota of {:g})", allowed.cores_quota)
                                            : " (affinity mask)");
  check.data = {{"usable", allowed.cores()},
                {"online", allowed.cores_online},
                {"affinity", allowed.cores_affinity},
                {"quota", allowed.cores_quota},
                {"model", lcsm::cpu_model()}};
  return check;
}

Check memory_check(const lcsm::Allowance& allowed) {
  const bool limited = allowed.memory_limit > 0;
  const std::uint64_t most = limited ? allowed.memory_limit : allowed.memory_total;
  Check check{"memory",
              State::kOk,
              fmt::format("{:.1f} GiB free of {:.1f}{}", gib(allowed.memory_free), gib(most),
                          limited ? " (cgroup limit)" : ""),
              "",
              {}};
  check.data = {{"free", allowed.memory_free},
                {"limit", allowed.memory_limit},
                {"total", allowed.memory_total}};
  if (gib(allowed.memory_free) < 1) {
    check.state = State::kWarn;
    check.advice = "An lcsm-train process needs about 0.5 GiB to start (LibTorch).";
  }
  return check;
}

Check gpu_check(const Gpus& gpus, const TrainProgram& train) {
  Check check{"gpus", State::kOk, "", "", {{"driver", gpus.driver}, {"reason", gpus.reason}}};
  check.data["devices"] = nlohmann::ordered_json::array();
  for (const Gpu& gpu : gpus.devices) {
    check.value += fmt::format("{}{}, {:.0f} of {:.0f} GiB free", check.value.empty() ? "" : "; ",
                               gpu.name, gib(gpu.memory_free), gib(gpu.memory_total));
    check.data["devices"].push_back({{"name", gpu.name},
                                     {"uuid", gpu.uuid},
                                     {"memory_free", gpu.memory_free},
                                     {"memory_total", gpu.memory_total}});
  }
  if (gpus.devices.empty()) {
    check.value = "none: " + gpus.reason;
    return check;
  }
  check.value += ", driver " + gpus.driver;
  if (train.version.ends_with("no CUDA")) {
    check.state = State::kWarn;
    check.advice =
        "lcsm-train was built without CUDA: install the CUDA 13 toolkit and run ./bootstrap again.";
  }
  return check;
}

Check train_check(const TrainProgram& train) {
  Check check{"lcsm-train", State::kOk, train.version, "", {}};
  check.data = {{"path", train.path.string()},
                {"starts", train.starts},
                {"version", train.version},
                {"seconds", train.seconds},
                {"libraries", train.libraries}};
  if (train.starts) {
    for (const std::string& library : train.libraries)
      if (library.starts_with("libtorch_cpu.so => "))
        check.value += ", " + library.substr(std::string("libtorch_cpu.so => ").size());
    return check;
  }
  if (!train.no_libtorch.empty()) {
    check.state = State::kWarn;
    check.value = "no LibTorch yet";
    check.advice = train.no_libtorch;
    return check;
  }
  check.state = State::kFail;
  check.value = train.trouble;
  check.advice = "No run can be trained: run ./bootstrap.";
  for (const std::string& library : train.libraries)
    if (library.ends_with("not found")) check.advice += " " + library + ".";
  return check;
}

Check engine_check(const std::string& name, EngineCheck check) {
  return {name, check.good ? State::kOk : State::kWarn, std::move(check.value),
          std::move(check.advice), std::move(check.data)};
}

Check gnuplot_check(const Tool& gnuplot) {
  Check check{"gnuplot", State::kOk, gnuplot.version, "", {}};
  check.data = {{"found", gnuplot.found}, {"version", gnuplot.version}};
  if (gnuplot.found && gnuplot.trouble.empty()) return check;
  check.state = State::kWarn;
  check.value = gnuplot.found ? gnuplot.trouble : "not found";
  check.advice = "Figures need it: apt-get install gnuplot-nox.";
  return check;
}

std::string state_name(State state) {
  return state == State::kOk ? "ok" : state == State::kWarn ? "warn" : "fail";
}

State worst_of(const std::vector<Check>& checks) {
  State worst = State::kOk;
  for (const Check& check : checks) worst = std::max(worst, check.state);
  return worst;
}

std::vector<Check> check_all(const std::filesystem::path& workspace) {
  std::vector<Check> checks = check_workspace(workspace);
  const lcsm::Allowance allowed = lcsm::read_allowance();
  const TrainProgram train = find_train_program();
  checks.push_back(memory_check(allowed));
  checks.push_back(cores_check(allowed));
  checks.push_back(gpu_check(find_gpus(), train));
  checks.push_back(train_check(train));
  for (auto& [name, check] : Engines(workspace).checks())
    checks.push_back(engine_check(name, std::move(check)));
  checks.push_back(gnuplot_check(find_tool("gnuplot")));
  return checks;
}

}  // namespace runner
