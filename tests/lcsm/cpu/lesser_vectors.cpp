// Disables the processor's best vectors for the loops under test, before the first of them is
// chosen.
#include <hwy/targets.h>

namespace {

const bool hidden = [] {
  hwy::DisableTargets(LCSM_WITHOUT);
  return true;
}();

}  // namespace
