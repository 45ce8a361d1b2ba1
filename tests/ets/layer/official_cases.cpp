#include "tests/ets/layer/official_cases.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "ets/families/family.h"
#include "lcsm/tensors/safetensors.h"
#include "tests/ets/layer/official_smoothing.h"
#include "tests/ets/layer/renamed.h"
#include "tests/runner/shared_files.h"

namespace ets {
namespace {

namespace fs = std::filesystem;
using at::Tensor;
using Json = nlohmann::json;

Settings s4_settings(const Json& o, bool dplr, std::int64_t length) {
  const std::int64_t N = o["N"], H = o["H"];
  const bool real = o.value("is_real", false);
  Settings s = {
      "modes=" + std::to_string(real ? N : N / 2), "systems=" + std::to_string(o.value("n_ssm", H)),
      "step=" + o.value("dt_transform", "exp"),
      flag("bidirectional", o.value("bidirectional", false) || o.value("channels", 1) == 2)};
  if (dplr) {
    s.push_back("length=" + std::to_string(length));
  } else {
    s.insert(s.end(),
             {"discretization=" + o.value("disc", "zoh"), flag("tied", o.value("dt_tie", true)),
              std::string("form=") + (real ? "real" : "complex")});
  }
  return s;
}

// The kernel of the big module, and of a block around it under "layer.".
void rename_s4(const Json& o, Renamed& r) {
  const std::string block = r.has("layer.D") ? "layer." : "",
                    k = block.empty() ? "" : "layer.kernel.";
  r.put("log_decay", k + "A_real");
  if (r.has(k + "A_imag")) r.put("frequency", -r.at(k + "A_imag"));
  const Tensor step = r.at(k + "inv_dt");
  r.put("raw_step", o.value("dt_tie", true) ? step.flatten() : step);
  for (const auto& [ours, name] : {std::pair{"expand", "B"}, {"low_rank", "P"}})
    if (r.has(k + name)) r.put(ours, r.at(k + name).squeeze(0));
  r.put("shrink", k + "C");
  r.put("skip", block + "D", {o["H"].get<std::int64_t>()});
  r.put_linears({{"output", "output_linear.0"}});
}

// The small module S4D, which has no B.
void rename_s4d_layer(const Json&, Renamed& r) {
  r.put("log_decay", "kernel.log_A_real");
  r.put("frequency", "kernel.A_imag");
  r.put("raw_step", "kernel.log_dt");
  r.put("shrink", r.at("kernel.C").unsqueeze(0));
  r.put("skip", "D");
  r.put("output.weight", r.at("output_linear.0.weight").squeeze(-1));
  r.put("output.bias", "output_linear.0.bias");
}

Settings dss_settings(const Json& o) {
  return {"modes=" + o["N"].dump(), flag("bidirectional", o["bidirectional"]),
          "form=" + o["version"].get<std::string>()};
}

void rename_dss(const Json& o, Renamed& r) {
  r.put("rate", "kernel.Lambda");
  r.put("log_decay", "kernel.Lambda_log_neg_re");
  r.put("frequency", "kernel.Lambda_im");
  r.put("log_step", "kernel.log_dt");
  r.put("shrink", "kernel.W");
  r.put("skip", "D", {o["H"].get<std::int64_t>()});
  r.put_linears({{"output", "output_linear"}});
}

Settings s5_settings(const Json& o) {
  return {"modes=" + o["P"].dump(), flag("bidirectional", o["bidirectional"]),
          "discretization=" + o["disc"].get<std::string>(), flag("conjugate", o["conj_sym"]),
          flag("clip", o["clip_eigs"])};
}

void rename_s5(const Json& o, Renamed& r) {
  const std::int64_t P = o["P"];
  r.put("rate", at::stack({r.at("Lambda_re"), r.at("Lambda_im")}, -1));
  r.put("log_step", "log_step", {P});
  r.put("expand", "B");
  if (r.has("C1"))
    r.put("shrink", at::stack({r.at("C1"), r.at("C2")}));
  else if (o["bidirectional"].get<bool>())  // one tensor [H, 2P, 2]
    r.put("shrink", at::stack({r.at("C").narrow(1, 0, P), r.at("C").narrow(1, P, P)}));
  else
    r.put("shrink", r.at("C").unsqueeze(0));
  r.put("skip", "D");
}

Settings h3_settings(const Json& o) {
  const std::int64_t N = o["N"];
  return {"modes=" + std::to_string(N / 2), "taps=" + std::to_string(N),
          "head_size=" + o["head_dim"].dump(), "discretization=" + o["disc"].get<std::string>()};
}

void rename_h3(const Json&, Renamed& r) {
  r.put_linears(
      {{"query", "q_proj"}, {"key", "k_proj"}, {"value", "v_proj"}, {"output", "output_linear"}});
  r.put("shift.expand", "ssm_k_kernel.kernel.B");
  r.put("shift.shrink", r.at("ssm_k_kernel.kernel.C").squeeze(0));
  r.put("shift.skip", "ssm_k_D");
  r.put("log_decay", "kernel.kernel.inv_A_real");
  r.put("frequency", "kernel.kernel.A_imag");
  r.put("raw_step", "kernel.kernel.log_dt");
  r.put("expand", "kernel.kernel.B");
  r.put("shrink", "kernel.kernel.C");
  r.put("skip", "D");
}

Settings tnn_settings(const Json& o) {
  const std::int64_t channels = o["expand"].get<std::int64_t>() * o["d"].get<std::int64_t>();
  return {"channels=" + std::to_string(channels), "width=" + o["rpe_dim"].dump(),
          "layers=" + o["rpe_layers"].dump(), flag("bidirectional", !o["causal"].get<bool>()),
          "gamma=" + (o["use_decay"].get<bool>() ? o["gamma"].dump() : "1")};
}

void rename_tnn(const Json& o, Renamed& r) {
  r.put_linears({{"gate", "u_proj"},
                 {"value", "v_proj"},
                 {"output", "o"},
                 {"position", "toep.rpe.pos_proj"},
                 {"coefficient", "toep.rpe.out.2"}});
  for (const char* part : {".weight", ".bias"}) {
    std::vector<Tensor> layers;
    for (std::int64_t n = 0; n < o["rpe_layers"].get<std::int64_t>(); ++n)
      layers.push_back(r.at("toep.rpe.layers." + std::to_string(n) + ".2" + part));
    r.put(std::string("hidden") + part, at::stack(layers));
  }
}

Reading reading_of(const fs::path& path, const Json& o, std::int64_t length) {
  const std::string folder = path.parent_path().filename(), file = path.filename();
  if (folder == "etsmlp") return etsmlp_reading(file, o);
  if (folder == "mega") return mega_reading(file, o);
  if (folder == "dss") return {&lcsm::block_row<Dss>, dss_settings(o), rename_dss};
  if (folder == "s5") return {&lcsm::block_row<S5>, s5_settings(o), rename_s5};
  if (folder == "tnn") return {&lcsm::block_row<Tnn>, tnn_settings(o), rename_tnn};
  if (folder == "h3") return {&lcsm::block_row<H3>, h3_settings(o), rename_h3};
  if (file.starts_with("s4d_layer")) {
    Settings settings = s4_settings(o, false, 0);
    settings.emplace_back("expand=false");
    return {&lcsm::block_row<S4d>, settings, rename_s4d_layer};
  }
  const bool dplr = file.find("dplr") != std::string::npos;
  return {dplr ? &lcsm::block_row<S4> : &lcsm::block_row<S4d>, s4_settings(o, dplr, length),
          rename_s4};
}

lcsm::Weights part_of(const lcsm::SafeTensors& file, const std::string& prefix) {
  lcsm::Weights part;
  for (const auto& [name, tensor] : file.tensors)
    if (name.starts_with(prefix)) part[name.substr(prefix.size())] = tensor;
  return part;
}

}  // namespace

std::vector<fs::path> case_files(const std::string& folder, const std::string& start) {
  std::vector<fs::path> files;
  const fs::path all = runner::shared_file(fs::path("cases") / folder);
  if (!fs::is_directory(all)) return files;
  for (const auto& entry : fs::directory_iterator(all)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(start) && !name.starts_with("init_tables")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

OfficialCase read_case(const fs::path& path) {
  const lcsm::SafeTensors file = lcsm::read_safetensors(path.string());
  const Json options = Json::parse(file.metadata.at("options"));
  const auto tensor = [&](const std::string& name) {
    const auto found = file.tensors.find(name);
    return found == file.tensors.end() ? Tensor() : found->second;
  };
  std::int64_t length = 0;
  for (const char* name : {"buffer.l_kernel", "buffer.layer.kernel.l_kernel"})
    if (const Tensor found = tensor(name); found.defined()) length = found.item<std::int64_t>();
  const Reading reading = reading_of(path, options, length);
  OfficialCase c;
  c.family = reading.family;
  c.settings = reading.settings;
  c.input = tensor("input");
  c.padding = tensor("padding_mask");
  c.output = tensor("output");
  c.grad_output = tensor("grad_output");
  c.grad_input = tensor("grad.input");
  if (!c.input.defined()) c.kernel = c.output.size(-1);
  Renamed values(part_of(file, "weight.")), gradients(part_of(file, "grad.weight."));
  for (Renamed* part : {&values, &gradients}) {
    reading.rename(options, *part);
    if (reading.around.norm.empty()) continue;
    part->put("norm.weight", "norm.norm.weight");
    part->put("norm.weight", "norm.norm.scalar");
    part->put("norm.bias", "norm.norm.bias");
  }
  c.around = reading.around;
  c.weights = values.take();
  for (const char* name : {"norm.weight", "norm.bias"})
    if (const auto norm = c.weights.extract(name); !norm.empty() && !c.around.norm.empty())
      c.around.weights[name] = norm.mapped();
  c.gradients = gradients.take();
  return c;
}

lcsm::Block variant_of(const OfficialCase& c) {
  lcsm::Options options = lcsm::options_of(*c.family);
  for (const std::string& setting : c.settings) options.set(setting);
  return lcsm::make_block(*c.family, options,
                          c.input.defined() ? c.input.size(2) : c.output.size(1));
}

double relative_error(const Tensor& got, const Tensor& expected) {
  const double scale = std::max(expected.abs().max().item<double>(), 1e-300);
  return (got - expected).abs().max().item<double>() / scale;
}

}  // namespace ets
