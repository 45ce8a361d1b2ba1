// Writes a run as an event file of TensorBoard: TFRecord records of its protocol buffer Event. Only
// the fields that we write are known here.
#pragma once

#include <string>

#include "results/curves/curves.h"

namespace results {

// The name by which TensorBoard knows an event file.
std::string tensorboard_file(const RunCurves& run);

// The file's content: every value as a scalar ("valid.ppl" becomes "valid/ppl", so that TensorBoard
// groups them), the parameters and the end as a session of the HParams plugin. Equal runs give
// equal bytes.
std::string tensorboard_events(const RunCurves& run);

}  // namespace results
