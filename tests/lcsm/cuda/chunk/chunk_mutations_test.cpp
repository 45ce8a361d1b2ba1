// Mutations of the chunked recurrence's kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/lcsm/cuda/chunk/chunk_case.h"
#include "tests/lcsm/cuda/driver/mutations.h"

namespace lcsm::test {
namespace {

std::string fault_of(const ChunkShape& shape, const Kernels& kernels) {
  const Named inputs = random_chunk(shape, 5);
  Named expected = by_definition(shape, inputs);
  const Judged got = by_judge(shape, inputs, kernels, 1, {.limit = 3'000'000});
  std::erase_if(expected, [&](const auto& row) { return !got.values.count(row.first); });
  return fault_of(got, expected, shape.bfloat16 ? 2e-2 : 1e-5);
}

std::string first_fault(const std::vector<ChunkShape>& shapes, const Kernels& kernels) {
  for (const ChunkShape& shape : shapes)
    if (std::string fault = fault_of(shape, kernels); !fault.empty()) return fault;
  return "";
}

// The float32 kernels of a size, or the forward one alone, and cases of them.
Trial trial(int rows, std::vector<ChunkShape> shapes) {
  const std::string size = std::to_string(rows);
  const std::string passes[][2] = {
      {"ends", "kEnds"}, {"forward", "kForward"}, {"backward", "kBackward"}};
  const bool backward = shapes[0].backward;
  std::string text = "LCSM_CHUNK_COMMON_KERNELS()\n";
  for (const auto& [pass, name] : passes)
    if (pass != "backward" || backward)
      text += "LCSM_CHUNK_PASS(" + pass + ", " + name + ", " + size + ", float32, float, 1, Chunk" +
              (pass == "ends" ? "Ends" : "") + "Cuda)\n";
  if (backward) text += "LCSM_SCAN_COMMON_KERNELS()\n";
  return {text, [shapes](const Kernels& kernels) { return first_fault(shapes, kernels); },
          [backward](const std::string& header) {
            return backward ||
                   (header.find("backward") == header.npos && header.find("gates") == header.npos);
          }};
}
// A trial for each source that the program compiles for these cases in bfloat16, all passes.
std::vector<Trial> walk_trials(const std::vector<ChunkShape>& shapes) {
  std::vector<std::string> sources;
  std::vector<std::vector<ChunkShape>> cases;
  for (ChunkShape shape : shapes) {
    shape.bfloat16 = true;
    ChunkWork work = {.bfloat16 = true,
                      .choices = Choices().with(Choice::kWalkKernels, shape.kernels)};
    work.chunk.B = work.chunk.T = 1, work.chunk.K = shape.K, work.chunk.D = shape.D;
    const bool channels = shape.decays >= Decays::kChannels;
    if (channels) work.chunk.log_d.data = &shape;
    if (shape.decays != Decays::kNone && shape.decays != Decays::kChannels)
      work.chunk.log_k.data = &shape;
    std::string kernels;
    std::istringstream source(chunk_source(work).text);
    for (std::string line; std::getline(source, line);)
      if (line.starts_with("LCSM_")) kernels += line + "\n";
    const auto n = std::find(sources.begin(), sources.end(), kernels) - sources.begin();
    if (n == std::ssize(sources)) sources.push_back(kernels), cases.emplace_back();
    cases[static_cast<std::size_t>(n)].push_back(shape);
  }
  std::vector<Trial> trials;
  for (std::size_t n = 0; n < sources.size(); ++n)
    trials.push_back(
        {sources[n], [of = cases[n]](const Kernels& made) { return first_fault(of, made); }});
  return trials;
}

std::vector<ChunkShape> ahead(std::vector<ChunkShape> shapes) {
  for (ChunkShape& shape : shapes) shape.backward = false;
  return shapes;
}

// Mutations that only cost time are found by chunk_calls_test and compile_table_test.
const std::vector<Equivalent> kEquivalent = {
    {"if (width <= 32) return", "another swizzle, as sound: bank conflicts"},
    {"if (stride / 2 == 0", "numbers are stored one by one"},
    {"if (stride / 4 == 0", "numbers are stored one by one"},
    {"c + 8 + n < width) {", "the last numbers are stored one by one"},
    {"stride / kUnit == 0", "inputs are copied one by one"},
    {"most / kUnit == 0", "inputs are copied one by one"},
    {"(from) / 16 == 0", "inputs are copied one by one"},
    {"->decays_k() || this->decays_d() ? kChunkRange / 2", "chunks are divided more often"},
    {"end = anchor - 1;", "two more tests, of no steps"},
    {"if (c.D / 2 == 0)", "memories are loaded one by one"},
    {"return k > -most", "a bound that is not exact: scales are in range up to exp(88)"},
    {"d > -most;", "a bound that is not exact: scales are in range up to exp(88)"},
    {"while (anchor <= middle", "another anchor, as sound"},
    {"if (t + steps <= tile.end", "a memory is computed that nobody needs"},
    {"added = sum + a.x;", "the rounding error of a sum by another way"},
    {"+ a.y - b.y}", "that of a rounding error"},
    {"{middle, count + from}", "without decays a chunk is never divided, from is 0"},
};

}  // namespace

TEST(ChunkMutations, AreFound) {
  if (!no_mutations().empty()) GTEST_SKIP() << no_mutations();
  // Together these cover every decay, rows that can be copied 16 bytes at a time and others,
  // divided chunks, several tiles of channels and segments of time.
  const std::vector<ChunkShape> small{
      {.B = 2, .T = 75, .K = 17, .D = 20, .decays = Decays::kBoth, .first = true},
      {.B = 1, .T = 40, .K = 8, .D = 7, .decays = Decays::kBoth, .strength = 10, .first = true},
      {.B = 1, .T = 12, .K = 8, .D = 8, .decays = Decays::kRows, .strength = 100},
      {.B = 1, .T = 12, .K = 8, .D = 8, .decays = Decays::kChannels, .strength = 100},
      {.B = 1, .T = 20, .K = 8, .D = 8, .decays = Decays::kRows, .strength = 7, .strong = 10},
      {.B = 2, .T = 66, .K = 16, .D = 32, .decays = Decays::kOne},
      {.B = 1, .T = 9, .K = 17, .D = 24, .padding = 7, .last = false},
      {.B = 1, .T = 5, .K = 16, .D = 24, .decays = Decays::kOne, .offset = 1},
      {.B = 2, .T = 200, .K = 17, .D = 20, .decays = Decays::kBoth, .processors = 100}};
  const std::vector<ChunkShape> large{
      {.B = 2, .T = 70, .K = 40, .D = 72, .decays = Decays::kBoth, .first = true},
      {.B = 1, .T = 30, .K = 64, .D = 65, .decays = Decays::kOne, .strength = 3, .first = true},
      {.B = 1, .T = 130, .K = 8, .D = 70, .decays = Decays::kChannels, .processors = 100}};
  const std::vector<ChunkShape> largest{
      {.B = 1, .T = 70, .K = 120, .D = 72, .decays = Decays::kBoth, .first = true},
      {.B = 1, .T = 40, .K = 65, .D = 70, .decays = Decays::kOne, .strength = 3, .first = true},
      {.B = 1, .T = 34, .K = 65, .D = 20, .decays = Decays::kOneAndChannels, .first = true}};
  std::vector<Trial> trials{trial(32, ahead(small)), trial(32, small), trial(64, large),
                            trial(128, largest)};
  for (Trial& split :
       walk_trials({{.B = 2, .T = 200, .K = 17, .D = 20, .processors = 100, .first = true}}))
    trials.push_back(std::move(split));
  expect_found({.headers = {"lcsm/cuda/chunk/walk_cuda.cuh", "lcsm/cuda/chunk/chunk_cuda.cuh",
                            "lcsm/cuda/scan/scan_cuda.cuh"},
                .changed = "chunk_",
                .rules = {{" <= ", " < "},
                          {" > ", " >= "},
                          {" -= ", " += "},
                          {" *= ", " /= "},
                          {" % ", " / "},
                          {"min(", "max("},
                          {"(-sum", "(sum"},
                          {"c.K", "c.D"},
                          {"c.D", "c.K"},
                          {"* c.T", "* c.B"},
                          {"input.t,", "input.b,"},
                          {"* kStride", "* (kStride + 1)"},
                          {"kUntil", "kFrom"},
                          {"kFrom", "kUntil"},
                          {"<true", "<false"},
                          {"<false", "<true"},
                          {", true", ", false"},
                          {", false", ", true"},
                          {"cp.async.wait_all;", ""}},
                .equivalent = kEquivalent,
                .trials = trials});
}

TEST(WalkMutations, AreFound) {
  if (!no_mutations().empty()) GTEST_SKIP() << no_mutations();
  // Together these cover every decay, rows that can be copied 16 bytes at a time and others, one
  // pass over a chunk and several, one tile of channels and several, segments of time.
  const std::vector<ChunkShape> shapes{
      {.B = 1, .T = 130, .K = 32, .D = 64, .first = true},
      {.B = 1, .T = 9, .K = 17, .D = 24, .padding = 7, .last = false},
      {.B = 1, .T = 70, .K = 16, .D = 20, .offset = 1},
      {.B = 2, .T = 75, .K = 17, .D = 20, .decays = Decays::kBoth, .first = true},
      {.B = 2, .T = 66, .K = 16, .D = 64, .decays = Decays::kOne},
      {.B = 1, .T = 70, .K = 32, .D = 64, .decays = Decays::kRows},
      {.B = 1, .T = 70, .K = 8, .D = 16, .decays = Decays::kBoth, .strength = 3, .first = true},
      {.B = 1, .T = 130, .K = 32, .D = 64, .decays = Decays::kBoth},
      {.B = 1, .T = 70, .K = 32, .D = 64, .decays = Decays::kChannels, .last = false},
      {.B = 2, .T = 200, .K = 17, .D = 20, .decays = Decays::kBoth, .processors = 100},
      {.B = 1, .T = 70, .K = 40, .D = 72, .decays = Decays::kBoth, .first = true},
      {.B = 1, .T = 70, .K = 64, .D = 64, .decays = Decays::kRows},
      {.B = 2,
       .T = 200,
       .K = 40,
       .D = 72,
       .decays = Decays::kRows,
       .processors = 100,
       .first = true},
      {.B = 1, .T = 140, .K = 40, .D = 72, .decays = Decays::kRows, .strength = 3, .first = true},
      {.B = 2, .T = 130, .K = 17, .D = 24, .padding = 7, .last = false, .kernels = 1},
      {.B = 1, .T = 140, .K = 64, .D = 64, .decays = Decays::kRows, .first = true, .kernels = 1},
      {.B = 1,
       .T = 140,
       .K = 40,
       .D = 40,
       .decays = Decays::kRows,
       .strength = 3,
       .first = true,
       .kernels = 1}};
  expect_found({.headers = {"lcsm/cuda/chunk/walk_cuda.cuh", "lcsm/cuda/chunk/chunk_cuda.cuh",
                            "lcsm/cuda/scan/scan_cuda.cuh"},
                .changed = "walk_",
                .rules = {{" <= ", " < "},
                          {" % ", " / "},
                          {"min(", "max("},
                          {"c.K", "c.D"},
                          {"* c.T", "* c.B"},
                          {"later", "!later"},
                          {"kScale", "kInverse"},
                          {"kBefore", "kEnd"},
                          {"kUntil", "kFrom"},
                          {"kFrom", "kUntil"},
                          {"<true", "<false"},
                          {"<false", "<true"},
                          {"__syncthreads();", ""},
                          {"__syncwarp();", ""},
                          {"cp.async.wait_all;", ""}},
                .equivalent = {{"block <= band ?", "the band itself takes its triangle"},
                               {"!later ? 0 : kHalf, !pass", "groups test each other's channels"}},
                .trials = walk_trials(shapes)});
}

}  // namespace lcsm::test
