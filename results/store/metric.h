// What the name of a metric says.
#pragma once

#include <string>

namespace results {

// Whether less is better: perplexity, loss, bits, errors.
bool lower_is_better(const std::string& metric);

}  // namespace results
