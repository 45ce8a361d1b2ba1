#include "tests/ptx/judge.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

namespace ptx {
namespace {

constexpr u64 kMostShared = 227 * 1024;

std::vector<u8> packed(const Kernel& kernel, const Launch& launch) {
  const auto refuse = [&](const std::string& what, std::size_t expected, std::size_t got) {
    throw std::runtime_error(kernel.name + ": expected " + std::to_string(expected) + what +
                             ", got " + std::to_string(got) + ": compare with its declaration.");
  };
  if (launch.arguments.size() != kernel.parameters.size())
    refuse(" arguments", kernel.parameters.size(), launch.arguments.size());
  std::vector<u8> bytes(static_cast<std::size_t>(kernel.parameter_bytes));
  for (std::size_t k = 0; k < kernel.parameters.size(); ++k) {
    const Parameter& parameter = kernel.parameters[k];
    const auto& given = launch.arguments[k].bytes;
    const auto size = static_cast<std::size_t>(parameter.bytes);
    if (given.size() != size) refuse(" bytes as argument " + std::to_string(k), size, given.size());
    std::copy(given.begin(), given.end(), bytes.begin() + parameter.offset);
  }
  return bytes;
}

void check_sizes(const Kernel& kernel, const Launch& launch) {
  const u64 threads = launch.block.total();
  const u64 shared = static_cast<u64>(kernel.shared_bytes) + launch.shared_bytes;
  if (threads == 0 || threads > kernel.most_threads)
    throw std::runtime_error(kernel.name + ": expected 1 to " +
                             std::to_string(kernel.most_threads) + " threads a block, got " +
                             std::to_string(threads));
  if (shared > kMostShared)
    throw std::runtime_error(kernel.name + ": expected at most 227 KiB of shared memory, got " +
                             std::to_string(shared) + " bytes");
}

void gather_counts(Run& run) {
  run.counts.read_once = run.read.size();
  run.counts.written_once = run.written.size();
  for (std::size_t k = 0; k < run.lines.size(); ++k) {
    const Instruction& at = run.kernel.code[k];
    LineCounts& line = run.lines[k];
    if (line.executed == 0) continue;
    line.line = at.line;
    line.source = at.source;
    line.text = at.text;
    run.counts.by_opcode[run.program.opcodes[static_cast<std::size_t>(at.opcode)]] += line.executed;
    run.counts.lines.push_back(std::move(line));
  }
}

using Image = std::vector<std::pair<std::vector<u8>, std::vector<u8>>>;

Image image_of(Memory& memory) {
  Image image;
  for (const auto& region : memory.regions())
    if (region != nullptr && region->writable) image.emplace_back(region->data, region->written);
  return image;
}

void restore(Memory& memory, const Image& image) {
  std::size_t k = 0;
  for (const auto& region : memory.regions())
    if (region != nullptr && region->writable) {
      region->data = image[k].first;
      region->written = image[k++].second;
    }
}

}  // namespace

std::string Report::text() const {
  std::string all;
  for (const Finding& finding : findings)
    all += finding.text + ", " + std::to_string(finding.times) + " times\n";
  return all;
}

const Finding* Report::find(Fault fault) const {
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [&](const Finding& each) { return each.fault == fault; });
  return found == findings.end() ? nullptr : &*found;
}

Report run(const Program& program, Memory& memory, const Launch& launch, const Options& options) {
  const Kernel& kernel = program.kernel(launch.kernel);
  check_sizes(kernel, launch);
  Run whole{program,
            kernel,
            memory,
            options,
            launch.grid,
            launch.block,
            static_cast<u64>(kernel.shared_bytes) + launch.shared_bytes,
            packed(kernel, launch),
            {},
            {},
            {},
            std::mt19937(options.order),
            {},
            {},
            {}};
  whole.lines.resize(kernel.code.size());
  std::vector<u64> order(launch.grid.total());
  std::iota(order.begin(), order.end(), u64{0});
  if (options.order != 0) std::shuffle(order.begin(), order.end(), whole.random);
  Block block(whole);
  for (const u64 index : order) {
    if (whole.counts.instructions > options.limit) break;
    block.start(index);
    block.run();
  }
  gather_counts(whole);
  return {std::move(whole.counts), whole.findings.list()};
}

Report run_in_orders(const Program& program, Memory& memory, const Launch& launch, int orders,
                     Options options) {
  const Image before = image_of(memory);
  Report report = run(program, memory, launch, options);
  const Image first = image_of(memory);
  for (int k = 1; k < orders; ++k) {
    restore(memory, before);
    options.order = static_cast<u32>(k);
    const Report other = run(program, memory, launch, options);
    const Image image = image_of(memory);
    std::size_t r = 0;
    for (const auto& region : memory.regions()) {
      if (region == nullptr || !region->writable) continue;
      const auto& [data, written] = first[r];
      const auto differs = std::mismatch(data.begin(), data.end(), image[r++].first.begin()).first;
      if (differs == data.end()) continue;
      report.findings.push_back(
          {Fault::kOrder, launch.kernel, 0, "",
           "order: " + launch.kernel + ": byte " + std::to_string(differs - data.begin()) + " of " +
               region->name + " differs in order " + std::to_string(k) + " of blocks and warps",
           1});
    }
    std::set<std::string> known;
    for (const Finding& finding : report.findings) known.insert(finding.text);
    for (const Finding& finding : other.findings)
      if (known.insert(finding.text).second) report.findings.push_back(finding);
  }
  restore(memory, first);
  return report;
}

}  // namespace ptx
