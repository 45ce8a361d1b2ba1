// Values as JSON, in the format of a run folder's files.
#pragma once

#include "results/events/event.h"
#include "results/events/real_json.h"

namespace results {

nlohmann::ordered_json json_of(const Values& values);

}  // namespace results
