// Disables the processor's best vector instructions for the loops under test, before the first
// choice.
#include <hwy/targets.h>

namespace {

const bool hidden = [] {
  hwy::DisableTargets(LCSM_WITHOUT);
  return true;
}();

}  // namespace
