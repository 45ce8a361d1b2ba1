// The cases of ETSMLP and MEGA: filters, blocks and the layers around them.
#pragma once

#include "tests/ets/layer/renamed.h"

namespace ets {

// `file`: the name of the case's file.
Reading etsmlp_reading(const std::string& file, const nlohmann::json& options);
Reading mega_reading(const std::string& file, const nlohmann::json& options);

}  // namespace ets
