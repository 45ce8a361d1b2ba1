// A sweep whose file is not here: what the runs of a workspace tell about it.
#pragma once

#include <filesystem>
#include <string>

#include "results/store/database.h"
#include "runner/front/panel/model.h"

namespace runner {

// Its runs with the values in which they differ. None: there is no such sweep.
PanelModel stored_sweep(results::Database& database, const std::filesystem::path& workspace,
                        const std::string& sweep);

}  // namespace runner
