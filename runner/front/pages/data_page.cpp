#include "runner/front/pages/data_page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lcsm/base/safe_text.h"
#include "runner/base/files/json_file.h"
#include "runner/base/text/duration.h"
#include "runner/base/text/text_table.h"
#include "runner/data/import/intake.h"

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

std::string help_of(const FoundDataset& found) {
  const std::string& name = found.made_of.empty() ? found.name : found.made_of;
  if (const DatasetRow* row = find_dataset(name)) return std::string(row->help);
  if (const IntakeRow* row = find_intake(name)) return std::string(row->help);
  return found.own_of.empty() ? "" : "your own, from " + lcsm::safe_text(found.own_of);
}

Json json_of(const SplitFacts& facts) {
  return {{"split", to_string(facts.split)},
          {"examples", facts.examples},
          {"lengths", facts.lengths},
          {"least", facts.least},
          {"most", facts.most},
          {"labels", facts.labels},
          {"names", facts.names},
          {"repeated", facts.repeated},
          {"shared", facts.shared},
          {"evaluated", facts.evaluated},
          {"made_again", facts.made_again}};
}

// In quotes if it has blanks: a blank at its end makes another label.
std::string label_text(const std::string& name) {
  const std::string quote = name.find(' ') == name.npos ? "" : "'";
  return quote + lcsm::safe_text(name) + quote + " ";
}

std::string labels_text(const SplitFacts& facts) {
  std::string text;
  for (std::size_t i = 0; i < facts.labels.size(); ++i)
    text += fmt::format("{}{}{:.1f}", text.empty() ? "" : " ",
                        i < facts.names.size() ? label_text(facts.names[i]) : "",
                        100 * static_cast<double>(facts.labels[i]) /
                            static_cast<double>(std::max<std::uint64_t>(1, facts.examples)));
  return text;
}

}  // namespace

std::string datasets_json(const std::vector<FoundDataset>& all) {
  Json sets = Json::array();
  for (const FoundDataset& found : all)
    sets.push_back({{"name", found.name},
                    {"state", found.state.empty() ? "absent" : found.state},
                    {"folder", found.folder.string()},
                    {"bytes", found.bytes},
                    {"recipe", found.made_of},
                    {"help", help_of(found)}});
  return printed_json({{"schema", "lcsm.data-list/1"}, {"data", sets}});
}

std::string datasets_text(const std::vector<FoundDataset>& all, const Terminal& terminal) {
  TextTable table({{"data set"},
                   {"state"},
                   {"size", Align::kRight},
                   {"what", Align::kLeft, 16},
                   {"where", Align::kLeft, 8}});
  for (const FoundDataset& found : all)
    table.add_row({lcsm::safe_text(found.name), found.state.empty() ? "-" : found.state,
                   found.bytes == 0 ? "" : size_text(static_cast<double>(found.bytes)),
                   help_of(found), lcsm::safe_text(found.folder.string())});
  return table.text(terminal);
}

std::string texts_facts_json(const std::filesystem::path& folder, const TextsFacts& facts) {
  Json json = {{"schema", "lcsm.text-check/1"}, {"folder", folder.string()}};
  json["splits"] = Json::array();
  for (const Split split : kSplits) {
    const TextFacts& text = facts.splits[index_of(split)];
    json["splits"].push_back({{"split", to_string(split)},
                              {"bytes", text.bytes},
                              {"lines", text.lines},
                              {"words", text.words},
                              {"unknown", text.unknown},
                              {"distinct", text.distinct}});
  }
  json["mistakes"] = facts.mistakes;
  return printed_json(json);
}

std::string texts_facts_text(const TextsFacts& facts, const Terminal& terminal) {
  TextTable table({{"split"},
                   {"bytes", Align::kRight},
                   {"lines", Align::kRight},
                   {"words with <eos>", Align::kRight},
                   {"<unk>", Align::kRight},
                   {"distinct words", Align::kRight}});
  for (const Split split : kSplits) {
    const TextFacts& text = facts.splits[index_of(split)];
    table.add_row({std::string(to_string(split)), std::to_string(text.bytes),
                   std::to_string(text.lines), std::to_string(text.words),
                   std::to_string(text.unknown), std::to_string(text.distinct)});
  }
  return table.text(terminal);
}

std::string dataset_facts_json(const std::filesystem::path& folder, const DatasetFacts& facts) {
  Json json = {{"schema", "lcsm.data-check/1"}, {"folder", folder.string()}};
  json["splits"] = Json::array();
  for (const SplitFacts& split : facts.splits) json["splits"].push_back(json_of(split));
  json["mistakes"] = facts.mistakes;
  return printed_json(json);
}

std::string dataset_facts_text(const DatasetFacts& facts, const Terminal& terminal) {
  TextTable table({{"split"},
                   {"examples", Align::kRight},
                   {"steps"},
                   {"values"},
                   {"duplicates", Align::kRight},
                   {"evaluated", Align::kRight},
                   {"regenerated", Align::kRight},
                   {"labels, %", Align::kLeft, 8}});
  for (const SplitFacts& split : facts.splits)
    table.add_row(
        {std::string(to_string(split.split)), std::to_string(split.examples),
         split.lengths[0] == split.lengths[4] ? std::to_string(split.lengths[0])
                                              : fmt::format("{} to {}, median {}", split.lengths[0],
                                                            split.lengths[4], split.lengths[2]),
         fmt::format("{:.4g} to {:.4g}", split.least, split.most),
         split.repeated + split.shared == 0
             ? "0"
             : fmt::format("{} here, {} in earlier splits", split.repeated, split.shared),
         std::to_string(split.evaluated), std::to_string(split.made_again), labels_text(split)});
  return table.text(terminal);
}

}  // namespace runner
