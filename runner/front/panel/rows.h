// Sorts the rows of a panel: running runs first, then those that need attention.
#pragma once

#include <string>
#include <vector>

#include "runner/base/text/terminal.h"
#include "runner/front/panel/model.h"

namespace runner {

// The runs as the panel lists them: running, failed, interrupted, cancelled, new, done.
std::vector<std::size_t> panel_order(const PanelModel& model);

// The columns that fit a width.
class PanelColumns {
 public:
  PanelColumns(const PanelModel& model, const Terminal& terminal);

  std::string header() const;
  std::string row(const PanelRun& run, bool selected) const;
  const std::string& left_out() const { return left_out_; }  // "speed, loss"; empty: nothing

 private:
  enum class Field { kStep, kLoss, kSpeed, kLeft, kValue };
  struct Column {
    Field field;
    std::string name;
    int width;
  };
  std::string name_of(const std::vector<std::string>& cells) const;
  std::string field_text(const PanelRun& run, Field field) const;
  std::string fields_of(const PanelRun& run) const;

  const PanelModel& model_;
  const Terminal& terminal_;
  double pace_;
  std::vector<int> axes_;  // widths
  int name_ = 0;
  std::vector<Column> columns_;
  std::string left_out_;
};

// Text of unknown origin, without control sequences; a pipe gets all its characters.
std::string shown_text(const Terminal& terminal, std::string_view text);

std::string step_text(const PanelRun& run);  // "1200/2500"
std::string metric_text(double value);       // "0.9531"; "" if unknown
std::string speed_text(double steps_per_second);

}  // namespace runner
