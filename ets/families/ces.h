// The options of complex exponential smoothing, for every family that contains it.
#pragma once

#include <array>

#include "lcsm/block/options.h"

namespace ets {

inline constexpr std::array kCesOptions = {
    lcsm::flag("bidirectional", false, "a second kernel over later steps"),
    lcsm::word("form", "complex real", "complex",
               "a complex decay, or the damped smoothing of MEGA"),
    lcsm::flag("step", true, "a learned complex step; false: the decay is exp(rate)",
               "form=complex"),
    lcsm::flag("expand", true, "a learned weight; false: 1"),
    lcsm::flag("skip", true, "a learned shortcut"),
    lcsm::flag("normalize", false, "one direction only: divides by the running sum of the kernel"),
    lcsm::number("max_lambda", "0.9999", 1e-6, 1, "the largest |decay|", "form=complex"),
    lcsm::flag("slow", false, "multiplies the logarithm of the decay by 0.06", "form=complex"),
    lcsm::flag("balance", false, "multiplies the kernel by sqrt(1 - |decay|^2)", "form=complex"),
    lcsm::word("start", "ring fixed", "ring", "initial decays: uniform in a ring, or all the same",
               "form=complex"),
    lcsm::number("r_min", "0.1", 0, 1, "the ring's inner radius", "start=ring"),
    lcsm::number("r_max", "0.9", 0, 1, "the ring's outer radius", "start=ring"),
    lcsm::number("max_phase", "3.14", 0, 6.2832, "the ring's largest angle", "start=ring"),
    lcsm::number("start_real", "0.9", -1, 1, "the fixed decay's real part", "start=fixed"),
    lcsm::number("start_imag", "0.1", -1, 1, "the fixed decay's imaginary part", "start=fixed"),
    lcsm::number("step_min", "0.001", 1e-9, 1e3, "the smallest initial step", "form=complex"),
    lcsm::number("step_max", "0.1", 1e-9, 1e3, "the largest initial step", "form=complex"),
};

}  // namespace ets
