#include "runner/systems/blocks.h"

#include <stdexcept>

#include "ets/families/family.h"

namespace runner {

std::span<const lcsm::BlockRow* const> own_block_rows() { return Blocks::rows; }

std::vector<const lcsm::BlockRow*> all_blocks() {
  std::vector<const lcsm::BlockRow*> rows(ets::family_rows().begin(), ets::family_rows().end());
  rows.insert(rows.end(), own_block_rows().begin(), own_block_rows().end());
  return rows;
}

const lcsm::BlockRow* block_named(std::string_view name) {
  for (const lcsm::BlockRow* row : own_block_rows())
    if (row->name == name) return row;
  return ets::family_named(name);
}

std::optional<EosParts> parts_of(const lcsm::Block& block) {
  std::optional<EosParts> parts;
  Blocks::visit(block, [&](const auto& fields) {
    if constexpr (requires { fields.parts(block.d); }) parts = fields.parts(block.d);
  });
  return parts;
}

void check_steps(const lcsm::Block& block, std::int64_t T) {
  const lcsm::Options& o = block.options;
  const auto number = [&](const char* name) { return std::stoll(o.text(name)); };
  if (o.has("length") && number("length") > 0) check_length(block.row->name, number("length"), T);
  if (!o.has("positions") || !o.has("chunk") || o.text("bias") != "simple" || number("chunk") > 0 ||
      T <= number("positions"))
    return;
  throw std::invalid_argument(
      std::string(block.row->name) + ": expected at most positions=" + o.text("positions") +
      " steps, got " + std::to_string(T) + ": set the option positions, or chunk");
}

}  // namespace runner
