// Before main: one call of exp, on one thread. LibTorch computes exp, log, sqrt and similar
// functions by MKL, which chooses their code at the first call in a process. A thread that calls
// during the choice may get inaccurate code: errors of 4000 units in the last place (MKL 2024.2;
// pytorch issue 188792).
#include <ATen/ops/exp.h>
#include <ATen/ops/zeros.h>

namespace {

[[maybe_unused]] const bool chosen = at::exp(at::zeros({1})).defined();

}  // namespace
