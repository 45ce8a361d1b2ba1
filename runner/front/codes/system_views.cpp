#include "runner/front/codes/system_views.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lcsm/base/row_names.h"
#include "runner/base/files/json_file.h"
#include "runner/base/text/text_table.h"
#include "runner/front/codes/code_text.h"
#include "runner/models/families/block_cost.h"

namespace runner {
namespace {

// The cost of a layer: the mixer and the feed-forward.
struct Facts {
  std::int64_t parameters = 0, shared = 0;
  BlockCost cost;
  bool flops_grow = false, state_grows = false;  // with T
};

void add(const lcsm::Block& block, std::int64_t T, Facts* facts) {
  for (const lcsm::Parameter& tensor : lcsm::tensors_of(block))
    (tensor.shared ? facts->shared : facts->parameters) += tensor.count();
  const BlockCost cost = cost_of(block, T), longer = cost_of(block, 2 * T);
  if (facts->cost.machine.empty()) facts->cost.machine = cost.machine;
  facts->cost.flops += cost.flops;
  facts->cost.state += cost.state;
  facts->flops_grow |= longer.flops > cost.flops;
  facts->state_grows |= longer.state > cost.state;
}

Facts facts_of(const System& system, const SystemSizes& sizes) {
  Facts facts;
  add(mixer_of(system, sizes.d), sizes.T, &facts);
  if (const auto feed = feed_of(system, sizes.d)) add(*feed, sizes.T, &facts);
  return facts;
}

std::string state_text(const System& system, const Facts& facts) {
  if (is_two_sided(system)) return "none: it uses later steps";
  return thousands(std::llround(facts.cost.state)) + " numbers" +
         (facts.state_grows ? ", growing with T" : "");
}

// True if the model decides the option unless it is set.
bool is_open(const lcsm::Options& options, const lcsm::OptionRow& row) {
  return (row.place != lcsm::Place::kNone || row.name == "length") && !options.is_set(row.name);
}

std::string options_of(const lcsm::Options& options, const std::string& start) {
  std::string text;
  for (const lcsm::OptionRow& row : options.rows()) {
    const std::string value = is_open(options, row) ? "(model)" : options.text(row.name);
    text += fmt::format("  {:<23} {}{}\n", start + std::string(row.name) + "=" + value, row.help,
                        row.words.empty() ? "" : ": " + std::string(row.words));
  }
  return text;
}

std::string tensors_of(const lcsm::Block& block, const std::string& part) {
  std::string text;
  for (const lcsm::Parameter& tensor : lcsm::tensors_of(block))
    text += fmt::format("  {:<31} {:<15} {:<9} {}\n",
                        (tensor.shared ? "shared." : "") + part + tensor.name,
                        fmt::format("[{}]", fmt::join(tensor.shape, ",")),
                        lcsm::to_string(group_of(tensor)), tensor.start);
  return text;
}

constexpr const char* kSystemsLegend =
    "parameters: per layer with {} channels, without norms;\n"
    "FLOP: forward, per token at length {};\n"
    "state: numbers carried from step to step; + grows with the length\n";

std::string numbers_of(double amount_of, bool grows) {
  return amount(amount_of) + (grows ? "+" : " ");
}

void add_numbers(const System& system, const Facts& facts, std::vector<std::string>* cells) {
  cells->push_back(thousands(facts.parameters));
  cells->push_back(numbers_of(facts.cost.flops, facts.flops_grow));
  cells->push_back(is_two_sided(system) ? "none "
                                        : numbers_of(facts.cost.state, facts.state_grows));
}

}  // namespace

std::string page(const System& system, const SystemSizes& sizes) {
  const SystemRow& row = *system.row;
  std::string text = fmt::format("{}   {}\n\n  {}\n  {}\n\n", to_string(system), row.help,
                                 row.equation, row.source);
  const SystemReading& r = row.reading;
  const Facts facts = facts_of(system, sizes);
  for (const auto& [what, value] :
       {std::pair{"expand", std::string(r.expand)},
        {"oscillation", std::string(r.oscillation)},
        {"shrink", std::string(r.shrink)},
        {"left out", std::string(r.left_out)},
        {"reading", std::string(r.code)},
        {"norm",
         fmt::format("{}, {}", system.norm, lcsm::row_named(kNormPlaces, system.norm_place)->help)},
        {"machine", facts.cost.machine},
        {"cost", fmt::format("{}FLOP per token at length {}{}, forward", amount(facts.cost.flops),
                             sizes.T, facts.flops_grow ? ", growing with T" : "")},
        {"state", state_text(system, facts)}})
    if (!value.empty()) text += fmt::format("  {:<13}{}\n", what, value);
  text += "\noptions\n" + options_of(system.mixer, "");
  if (system.feed) text += options_of(*system.feed, "feed_");
  text += fmt::format(
      "\ntensors of a layer, d = {}: {} parameters without norms{}\n", sizes.d, facts.parameters,
      facts.shared > 0 ? fmt::format(", plus {} that all layers share", facts.shared) : "");
  text += tensors_of(mixer_of(system, sizes.d), "mixer.");
  if (const auto feed = feed_of(system, sizes.d)) text += tensors_of(*feed, "feed.");
  return text;
}

std::string comparison(std::span<const System> systems, const SystemSizes& sizes,
                       const Terminal& terminal) {
  TextTable equations({{"system"}, {"equation", Align::kLeft, 40}});
  TextTable readings({{"system"},
                      {"expand", Align::kLeft, 12},
                      {"oscillation", Align::kLeft, 12},
                      {"shrink", Align::kLeft, 12},
                      {"left out", Align::kLeft, 16},
                      {"reading"}});
  TextTable costs({{"system"},
                   {"parameters", Align::kRight},
                   {"FLOP", Align::kRight},
                   {"state", Align::kRight},
                   {"machine", Align::kLeft, 20}});
  for (const System& system : systems) {
    const std::string name = to_string(system);
    const SystemReading& r = system.row->reading;
    const Facts facts = facts_of(system, sizes);
    equations.add_row({name, std::string(system.row->equation)});
    readings.add_row({name, std::string(r.expand), std::string(r.oscillation),
                      std::string(r.shrink), std::string(r.left_out), std::string(r.code)});
    std::vector<std::string> cells = {name};
    add_numbers(system, facts, &cells);
    cells.push_back(facts.cost.machine);
    costs.add_row(cells);
  }
  return equations.text(terminal) + "\n" + readings.text(terminal) + "\n" + costs.text(terminal) +
         "\n" + fmt::format(kSystemsLegend, sizes.d, sizes.T);
}

std::string overview(std::span<const System> systems, const SystemSizes& sizes,
                     const Terminal& terminal) {
  TextTable table({{"system"},
                   {"what it is", Align::kLeft, 20},
                   {"parameters", Align::kRight},
                   {"FLOP", Align::kRight},
                   {"state", Align::kRight},
                   {"reading"}});
  for (const System& system : systems) {
    std::vector<std::string> cells = {to_string(system), std::string(system.row->help)};
    add_numbers(system, facts_of(system, sizes), &cells);
    cells.emplace_back(system.row->reading.code);
    table.add_row(cells);
  }
  return table.text(terminal) + "\n" + fmt::format(kSystemsLegend, sizes.d, sizes.T) +
         "reading: the code that LCSM reads in it\n";
}

std::string systems_json(std::span<const System> systems, const SystemSizes& sizes) {
  nlohmann::ordered_json json = {{"schema", "lcsm.systems/1"}, {"d", sizes.d}, {"length", sizes.T}};
  for (const System& system : systems) {
    const SystemRow& row = *system.row;
    const SystemReading& r = row.reading;
    const Facts facts = facts_of(system, sizes);
    nlohmann::ordered_json options;
    for (const lcsm::OptionRow& option : system.mixer.rows())
      options[std::string(option.name)] = system.mixer.text(option.name);
    json["systems"].push_back({{"name", to_string(system)},
                               {"help", row.help},
                               {"equation", row.equation},
                               {"source", row.source},
                               {"reading",
                                {{"expand", r.expand},
                                 {"oscillation", r.oscillation},
                                 {"shrink", r.shrink},
                                 {"left_out", r.left_out},
                                 {"code", r.code}}},
                               {"norm", system.norm},
                               {"norm_place", system.norm_place},
                               {"two_sided", is_two_sided(system)},
                               {"parameters", facts.parameters},
                               {"shared_parameters", facts.shared},
                               {"block", row.block->name},
                               {"options", options},
                               {"feed", row.feed == nullptr ? "" : row.feed->name},
                               {"machine", facts.cost.machine},
                               {"cost",
                                {{"flops", std::llround(facts.cost.flops)},
                                 {"flops_grow", facts.flops_grow},
                                 {"state", std::llround(facts.cost.state)},
                                 {"state_grows", facts.state_grows}}}});
  }
  return printed_json(json);
}

}  // namespace runner
