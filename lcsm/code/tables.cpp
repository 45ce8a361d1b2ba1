#include "lcsm/code/tables.h"

#include <array>

namespace lcsm {
namespace {

constexpr std::array kOscillations = {
    OscillationRow{.name = "0",
                   .o = "sigmoid(w_kd)^(1/tau)",
                   .help = "a static gate for each memory cell",
                   .fixed = "exp(-slope_kd)"},
    OscillationRow{.name = "1",
                   .o = "(sigmoid(p_k) * sigmoid(p_d))^(1/tau)",
                   .help = "the outer product of two data gates, as in DUR and GFW"},
    OscillationRow{
        .name = "2", .o = "sigmoid(p_d)^(1/tau)", .help = "a data gate over the channels"},
    OscillationRow{.name = "3",
                   .o = "sigmoid(p_k)^(1/tau)",
                   .help = "a data gate over the memory rows, as in GLA"},
    OscillationRow{.name = "4",
                   .o = "sigmoid(w_k)^(1/tau)",
                   .help = "a static gate over the memory rows",
                   .fixed = "exp(-slope_k)"},
    OscillationRow{.name = "5",
                   .o = "sigmoid(w_d)^(1/tau)",
                   .help = "a static gate over the channels",
                   .fixed = "exp(-slope_d)"},
    OscillationRow{.name = "6",
                   .o = "sigmoid(p_k * w_kd)^(1/tau)",
                   .help = "data over the rows, weighted for each cell"},
    OscillationRow{.name = "7",
                   .o = "sigmoid(p_d * w_kd)^(1/tau)",
                   .help = "data over the channels, weighted for each cell"},
    OscillationRow{.name = "8",
                   .o = "sigmoid(p_d * w_k)^(1/tau)",
                   .help = "data over the channels, weighted for each row"},
    OscillationRow{.name = "9",
                   .o = "sigmoid(p_k * w_d)^(1/tau)",
                   .help = "data over the rows, weighted for each channel"},
    OscillationRow{.name = "10",
                   .o = "1",
                   .help = "no forgetting: plain linear attention",
                   .stored = "size_k * size_d"},
    OscillationRow{.name = "11",
                   .o = "rotate(theta_k)",
                   .help = "a fixed rotation, as in cosFormer and LRPE",
                   .stored = "2 * size_k * size_d"},
    OscillationRow{.name = "12",
                   .o = "cumsoftmax(min(max(p_k, -10), 10))",
                   .help = "a running softmax over time, as in ABC and GSA",
                   .scale = "1 - o"},
    OscillationRow{.name = "ces",
                   .o = "exp(min(-exp(w_kd3) * (exp(w_kd) + w_kd2 * exp(w_kd4)), log(0.9999))) * "
                        "rotate(exp(w_kd3) * (w_kd2 - exp(w_kd + w_kd4)))",
                   .help = "complex exponential smoothing, lambda^alpha, as in ETSMLP",
                   .scale = "1 - q",
                   .read = "exp(w_kd5) * rotate(w_kd6)",
                   .inits = {{{"w_kd", "log(-0.5 * log(0.01 + 0.4 * (1 + uniform)))"},
                              {"w_kd2", "1.57 * (1 + uniform)"},
                              {"w_kd3", "log(0.001) + 0.5 * log(100) * (1 + uniform)"},
                              {"w_kd4", "0"},
                              {"w_kd5", "0.2 * normal"},
                              {"w_kd6", "0.2 * normal"}}}},
    OscillationRow{.name = "ema",
                   .o = "1 - sigmoid(w_kd) * sigmoid(w_kd2)",
                   .help = "damped exponential moving averages, as in MEGA",
                   .scale = "sigmoid(w_kd) * w_kd3",
                   .read = "w_kd4 / sqrt(size_k)",
                   .inits = {{{"w_kd", "0.2 * normal"},
                              {"w_kd2", "0.2 * normal"},
                              {"w_kd3", "cos(3.141592653589793 * index_k) + 0.02 * normal"},
                              {"w_kd4", "normal"}}}},
    OscillationRow{.name = "s4d",
                   .o = "exp(-exp(w_d + w_kd)) * rotate(exp(w_d) * w_kd2)",
                   .help = "a diagonal state space, zero-order hold, as in S4D-Lin",
                   .scale = "2 * (q - 1) / complex(-exp(w_kd), w_kd2)",
                   .read = "complex(w_kd3, w_kd4)",
                   .inits = {{{"w_d", "log(0.001) + 0.5 * log(100) * (1 + uniform)"},
                              {"w_kd", "log(0.5)"},
                              {"w_kd2", "3.141592653589793 * index_k"},
                              {"w_kd3", "sqrt(0.5) * normal"},
                              {"w_kd4", "sqrt(0.5) * normal"}}}},
    OscillationRow{.name = "lru",
                   .o = "exp(-exp(w_kd)) * rotate(w_kd2)",
                   .help = "a linear recurrent unit: inputs scaled to unit memory, as in LRU",
                   .scale = "sqrt(1 - o^2)",
                   .read = "complex(w_kd3, w_kd4)",
                   .inits = {{{"w_kd", "log(-0.5 * log(0.81 + 0.0945 * (1 + uniform)))"},
                              {"w_kd2", "0.157 * (1 + uniform)"},
                              {"w_kd3", "sqrt(0.5 / size_k) * normal"},
                              {"w_kd4", "sqrt(0.5 / size_k) * normal"}}}},
    OscillationRow{.name = "ssm",
                   .o = "exp(-softplus(p_d) * exp(w_kd))",
                   .help = "the state-space parameterisation of Mamba (the paper's 0-0)",
                   .scale = "softplus(p_d)",
                   .inits = {{{"w_kd", "log(1 + index_k)"}}},
                   .rank = {"p_d", "size_d / 16"},
                   .whole = true},
    OscillationRow{.name = "fwp",
                   .o = "e_k",
                   .help = "fast weight programmer: the delta rule",
                   .scale = "sigmoid(p)",
                   .whole = true,
                   .matrix = true},
    OscillationRow{.name = "m1",
                   .o = "e_k",
                   .help = "the delta rule at full strength",
                   .whole = true,
                   .matrix = true},
    OscillationRow{.name = "m2",
                   .o = "p_k",
                   .help = "erases along a different key than it writes",
                   .whole = true,
                   .matrix = true},
    OscillationRow{.name = "m3",
                   .o = "1 - e_k",
                   .help = "erases each row by its own key; the gate is not bounded to (-1, 1]",
                   .whole = true,
                   .growth = true},
};

constexpr std::array kActivations = {
    ActivationRow{0, "x"},          ActivationRow{1, "relu(x)"}, ActivationRow{2, "sigmoid(x)"},
    ActivationRow{3, "1 + elu(x)"}, ActivationRow{4, "silu(x)"}, ActivationRow{5, "elu(x)"},
    ActivationRow{6, "relu(x)^2"},  ActivationRow{7, "x^2"},
};

constexpr bool codes_are_row_numbers() {
  for (std::size_t i = 0; i < kActivations.size(); ++i)
    if (kActivations[i].a != static_cast<int>(i)) return false;
  return true;
}
static_assert(codes_are_row_numbers());

}  // namespace

std::span<const OscillationRow> oscillation_rows() { return kOscillations; }
std::span<const ActivationRow> activation_rows() { return kActivations; }

}  // namespace lcsm
