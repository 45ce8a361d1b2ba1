// Values and numbers as JSON, as the files of a run folder have them.
#pragma once

#include <nlohmann/json.hpp>

#include "results/events/event.h"

namespace results {

// NaN and infinities, which JSON lacks, as "nan", "inf" and "-inf".
nlohmann::ordered_json json_of(double value);
nlohmann::ordered_json json_of(const Values& values);

}  // namespace results
