// The options of complex exponential smoothing, for every family that contains it.
#pragma once

#include <array>

#include "ets/families/options.h"

namespace ets {

inline constexpr std::array kCesOptions = {
    flag("bidirectional", false, "a second kernel over later steps"),
    word("form", "complex real", "complex", "a complex decay, or the damped smoothing of MEGA"),
    flag("step", true, "a learned complex step; false: the decay is exp(rate)", "form=complex"),
    flag("expand", true, "a learned weight; false: 1"),
    flag("skip", true, "a learned shortcut"),
    flag("normalize", false, "one direction only: divides by the running sum of the kernel"),
    number("max_lambda", "0.9999", 1e-6, 1, "the largest |decay|", "form=complex"),
    flag("slow", false, "multiplies the logarithm of the decay by 0.06", "form=complex"),
    flag("balance", false, "multiplies the kernel by sqrt(1 - |decay|^2)", "form=complex"),
    word("start", "ring fixed", "ring", "initial decays: uniform in a ring, or all the same",
         "form=complex"),
    number("r_min", "0.1", 0, 1, "the ring's inner radius", "start=ring"),
    number("r_max", "0.9", 0, 1, "the ring's outer radius", "start=ring"),
    number("max_phase", "3.14", 0, 6.2832, "the ring's largest angle", "start=ring"),
    number("start_real", "0.9", -1, 1, "the fixed decay's real part", "start=fixed"),
    number("start_imag", "0.1", -1, 1, "the fixed decay's imaginary part", "start=fixed"),
    number("step_min", "0.001", 1e-9, 1e3, "the smallest initial step", "form=complex"),
    number("step_max", "0.1", 1e-9, 1e3, "the largest initial step", "form=complex"),
};

}  // namespace ets
