// The rows of a panel: its runs, those that run first, then those that need somebody.
#pragma once

#include <string>
#include <vector>

#include "runner/panel/model.h"
#include "runner/text/terminal.h"

namespace runner {

// The runs as the panel lists them: running, failed, interrupted, cancelled, new, done.
std::vector<std::size_t> panel_order(const PanelModel& model);

// Which columns a width has room for.
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

// Text of unknown origin on this terminal: nothing in it controls anything.
std::string shown_text(const Terminal& terminal, std::string_view text);

std::string step_text(const PanelRun& run);  // "1200/2500"
std::string metric_text(double value);       // "0.9531"; "" for what is not known
std::string speed_text(double steps_per_second);

}  // namespace runner
