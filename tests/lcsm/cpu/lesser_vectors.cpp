// Hides the processor's better vectors from the loops under test, before the first of them asks.
#include <hwy/targets.h>

namespace {

const bool hidden = [] {
  hwy::DisableTargets(LCSM_WITHOUT);
  return true;
}();

}  // namespace
