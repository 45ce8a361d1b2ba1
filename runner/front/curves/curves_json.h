// A sweep and its curves as JSON (schema lcsm.curves/1), for the page that draws them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/front/curves/curves.h"
#include "runner/front/panel/model.h"

namespace runner {

struct CurvesFacts {
  double time = 0;    // seconds since 1970
  bool live = false;  // newer data will follow
};

// Values have six digits; "nan", "inf" and "-inf" are text. `curves`: of the model's runs. Contains
// no "<" and ">", so that it can be embedded in a page.
std::string curves_json(const PanelModel& model, const std::vector<Curve>& curves,
                        const CurvesFacts& facts);

// Serializes the sweep with the curves that the workspace has now.
std::string current_curves_json(const PanelModel& model, const std::filesystem::path& workspace,
                                bool live);

}  // namespace runner
