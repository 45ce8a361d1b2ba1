#include "results/store/metric.h"

namespace results {

bool lower_is_better(const std::string& metric) {
  for (const char* end : {"ppl", "loss", "bpc", "bpb", "mse", "error", "seconds"})
    if (metric.ends_with(end)) return true;
  return false;
}

}  // namespace results
