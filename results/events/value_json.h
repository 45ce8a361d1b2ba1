// Values and numbers as JSON, in the format of a run folder's files.
#pragma once

#include <nlohmann/json.hpp>

#include "results/events/event.h"

namespace results {

// NaN and infinities, which JSON lacks, as "nan", "inf" and "-inf".
nlohmann::ordered_json json_of(double value);
nlohmann::ordered_json json_of(const Values& values);

}  // namespace results
