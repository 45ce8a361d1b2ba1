#include "runner/train/verbs/train_doctor.h"

#include <ATen/Version.h>
#include <fmt/format.h>
#include <link.h>
#include <torch/headeronly/version.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "lcsm/base/allowance.h"
#include "lcsm/base/revision.h"
#include "lcsm/cuda/device/device.h"
#include "lcsm/measure/ceilings.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/steady_time.h"

namespace runner {
namespace {

using nlohmann::ordered_json;

constexpr const char* kTrainDoctorFooter =
    "matmul counts 2 n^3 operations; copy counts bytes read and bytes written. Each value is\n"
    "the best of its repeats, next to the median. 'at::mm' is LibTorch's product, 'oneDNN'\n"
    "the one used where it is faster, 'lcsm' a small kernel of this program. --quick only\n"
    "shows that everything works.\n\n"
    "Examples:\n  lcsm-train doctor --json > ceilings.json";

struct TrainDoctorOptions {
  bool json = false, quick = false;
  std::string device = "all";
};

struct Report {
  std::vector<lcsm::Rate> rates;
  std::optional<lcsm::Cuda> cuda;
  std::string no_cuda;  // why there is no device, or why it could not be measured
  double seconds = 0;
};

// Every shared library in this process, as the loader found it.
std::vector<std::string> loaded_libraries() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        if (info->dlpi_name[0] == '/')
          static_cast<std::vector<std::string>*>(data)->push_back(info->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

std::string libtorch_path() {
  for (const std::string& name : loaded_libraries())
    if (name.find("/libtorch_cpu.so") != std::string::npos) return name;
  return "";
}

// A GPU failure, such as out of memory, does not hide the CPU's results.
void measure_cuda(const lcsm::CeilingOptions& ceilings, Report* report) {
  try {
    for (lcsm::Rate& rate : lcsm::cuda_ceilings(*report->cuda, ceilings))
      report->rates.push_back(std::move(rate));
  } catch (const std::exception& error) {
    report->no_cuda = std::string("the GPU could not be measured: ") + error.what();
  }
}

Report examine(const TrainDoctorOptions& options) {
  const double start = steady_seconds();
  Report report;
  const lcsm::CeilingOptions ceilings{options.quick, lcsm::read_allowance().cores()};
  // The device first: it must be opened before any call to LibTorch's CUDA.
  if (options.device == "cpu") {
    report.no_cuda = "not searched for (--device cpu)";
  } else {
    try {
      report.cuda = lcsm::open_cuda();
    } catch (const std::runtime_error& error) {
      report.no_cuda = error.what();
    }
  }
  if (options.device != "cuda") report.rates = lcsm::cpu_ceilings(ceilings);
  if (report.cuda) measure_cuda(ceilings, &report);
  report.seconds = steady_seconds() - start;
  return report;
}

// ----- JSON -----

ordered_json rate_json(const lcsm::Rate& rate) {
  return {{"device", rate.device},  {"threads", rate.threads}, {"what", rate.what},
          {"dtype", rate.dtype},    {"by", rate.by},           {"size", rate.size},
          {"unit", rate.unit},      {"best", rate.best},       {"median", rate.median},
          {"repeats", rate.repeats}};
}

ordered_json cuda_json(const Report& report) {
  const std::string built = lcsm::CudaParts().built;
  ordered_json out = {{"available", report.cuda.has_value()}, {"built", built}};
  if (!report.no_cuda.empty()) out["reason"] = report.no_cuda;
  if (!report.cuda) return out;
  out["driver"] = report.cuda->driver_version();
  for (const lcsm::CudaDevice& device : report.cuda->devices())
    out["devices"].push_back({{"name", device.name},
                              {"capability", fmt::format("{}.{}", device.major, device.minor)},
                              {"multiprocessors", device.multiprocessors},
                              {"memory", device.memory}});
  return out;
}

ordered_json to_json(const Report& report, const TrainDoctorOptions& options) {
  const lcsm::Allowance allowed = lcsm::read_allowance();
  ordered_json out = {{"schema", "lcsm-train.doctor/1"},  {"version", lcsm::kRevision.version},
                      {"commit", lcsm::kRevision.commit}, {"dirty", lcsm::kRevision.dirty},
                      {"quick", options.quick},           {"seconds", report.seconds}};
  out["libtorch"] = {{"version", TORCH_VERSION}, {"path", libtorch_path()}};
  out["cpu"] = {{"model", lcsm::cpu_model()},
                {"capability", at::get_cpu_capability()},
                {"cores_online", allowed.cores_online},
                {"threads", allowed.cores()}};
  out["ceilings"] = ordered_json::array();
  for (const lcsm::Rate& rate : report.rates) out["ceilings"].push_back(rate_json(rate));
  out["cuda"] = cuda_json(report);
  out["libraries"] = loaded_libraries();
  return out;
}

// ----- Table -----

std::string rate_line(const lcsm::Rate& rate) {
  const std::string what = rate.dtype.empty() ? rate.what : rate.what + " " + rate.dtype;
  const std::string threads = rate.threads > 0 ? std::to_string(rate.threads) : "";
  return fmt::format("{:<7}{:>7}  {:<15}{:<7}{:<15}{:>9.1f}{:>9.1f} {}\n", rate.device, threads,
                     what, rate.by, rate.size, rate.best, rate.median, rate.unit);
}

std::string to_text(const Report& report) {
  std::string out = fmt::format("{}\n{}\n{}, LibTorch uses {}\n\n", train_version(),
                                libtorch_path(), lcsm::cpu_model(), at::get_cpu_capability());
  out += fmt::format("{:<7}{:>7}  {:<15}{:<7}{:<15}{:>9}{:>9}\n", "device", "threads", "what", "by",
                     "size", "best", "median");
  for (const lcsm::Rate& rate : report.rates) out += rate_line(rate);
  out += "\n";
  if (!report.no_cuda.empty()) out += report.no_cuda + "\n";
  if (!report.cuda) return out;
  for (const lcsm::CudaDevice& device : report.cuda->devices())
    out += fmt::format("{}: capability {}.{}, {} multiprocessors, {:.0f} GiB\n", device.name,
                       device.major, device.minor, device.multiprocessors,
                       static_cast<double>(device.memory) / (1U << 30));
  return out;
}

void doctor(const TrainDoctorOptions& options) {
  const Report report = examine(options);
  if (options.device == "cuda" && !report.no_cuda.empty())
    throw Failure(report.cuda ? ExitCode::kFailed : ExitCode::kMissing, report.no_cuda);
  fmt::print("{}", options.json ? printed_json(to_json(report, options)) : to_text(report));
}

}  // namespace

std::string train_version() {
  const std::string cuda = lcsm::CudaParts().built;
  return "lcsm-train " + lcsm::revision_text() + ", LibTorch " + TORCH_VERSION +
         (cuda.empty() ? ", no CUDA" : ", CUDA " + cuda);
}

void add_train_doctor(Verb& program) {
  Verb& verb = program.verb("doctor", "Measure this host's peak speed: matrix products and copies");
  TrainDoctorOptions& options = verb.runs(doctor);
  verb.flag("--json", &options.json, "Print JSON (schema lcsm-train.doctor/1)");
  verb.flag("--quick", &options.quick, "Small sizes, well under a second");
  verb.option("--device", &options.device, "What to measure")
      .choices({{"all"}, {"cpu"}, {"cuda"}})
      .default_shown();
  verb.footer(kTrainDoctorFooter);
}

}  // namespace runner
