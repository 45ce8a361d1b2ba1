// Compares the output of nvcc and ptxas for the kernels with the committed table, so that every
// change is visible in review.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>

#include "lcsm/cuda/chunk/chunk_cuda.h"
#include "lcsm/cuda/chunk/walk_cuda.h"
#include "lcsm/cuda/delta/delta_calls.h"
#include "lcsm/cuda/modes/modes_cuda.h"
#include "lcsm/cuda/modes/products_cuda.h"
#include "lcsm/cuda/scan/built_in.h"
#include "lcsm/cuda/scan/scan_calls.h"
#include "lcsm/cuda/step/adam_cuda.h"
#include "lcsm/cuda/step/cross_entropy_cuda.h"
#include "lcsm/cuda/step/gated_cuda.h"
#include "lcsm/cuda/step/map_cuda.h"
#include "lcsm/cuda/step/norm_cuda.h"
#include "lcsm/cuda/step/short_conv_cuda.h"
#include "lcsm/cuda/wkv/wkv_cuda.h"
#include "lcsm/files/read_file.h"
#include "tests/source_folder.h"

namespace lcsm::test {
namespace {

// Counts in the PTX: products on tensor cores, and accesses of global memory of 16, 8 and fewer
// bytes.
struct Instructions {
  int products = 0, by_16 = 0, by_8 = 0, narrow = 0;
};
struct Row {
  std::string code, kernel;
  int registers = 0, spilled = 0, shared = 0;
  Instructions in = {};
};

constexpr int kShared = 228 * 1024;  // bytes of a multiprocessor, sm_90
// A PTX of the build: its name in the table, its file, threads per block, number of kernels.
struct Compiled {
  const char *code, *file;
  int threads = 128;
  std::size_t kernels = 12;
};
constexpr Compiled kCompiled[] = {{"1-9-1", "scan_1-9-1"},
                                  {"1-7-1", "scan_1-7-1"},
                                  {"ssm", "scan_ssm"},
                                  {"0-2-0-k1", "scan_0-2-0-k1"},
                                  {"1-9-1-k1", "scan_1-9-1-k1"},
                                  {"chunk", "chunk"},
                                  {"delta", "delta", 128, 38},
                                  {"modes", "modes", kModesThreads, 28},
                                  {"products", "products", 32 * products_channels(true), 20},
                                  {"wkv", "wkv", kWkvThreads, 9},
                                  {"cauchy", "cauchy", 256, 4},
                                  {"fft_conv", "fft_conv", 256, 8},
                                  {"vandermonde", "vandermonde", 256, 2},
                                  {"adam", "adam", kAdamThreads, 3},
                                  {"cross_entropy", "cross_entropy", 1024, 7},
                                  {"dropout", "dropout", 256, 2},
                                  {"gated", "gated", kGatedThreads, 32},
                                  {"map", "map", kMapThreads, 8},
                                  {"norm", "norm", kNormThreads, 17},
                                  {"short_conv", "short_conv", kConvThreads, 16}};

std::filesystem::path file_of(const Compiled& compiled, const std::string& ending) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "ptx" /
         (compiled.file + ending);
}
std::filesystem::path report_of(const Compiled& compiled) { return file_of(compiled, ".txt"); }

int number_in(const std::string& line, const char* pattern) {
  std::smatch match;
  return std::regex_search(line, match, std::regex(pattern)) ? std::stoi(match[1]) : 0;
}

// "scan_0123456789abcdef_e_s_float32_forward" is "float32_forward" of its code.
std::string short_name(const std::string& kernel) {
  return std::regex_replace(kernel, std::regex("scan_[0-9a-f]{16}((_no)?_e)?((_no)?_s)?_"), "");
}

// "chunk_backward_64_float32"; 0 rows of a kernel of all sizes.
int chunk_rows_of(const std::string& kernel) { return number_in(kernel, "chunk_\\w+_(\\d+)_"); }
ChunkPass chunk_pass_of(const std::string& kernel) {
  if (kernel.starts_with("chunk_ends")) return ChunkPass::kEnds;
  return kernel.starts_with("chunk_forward") ? ChunkPass::kForward : ChunkPass::kBackward;
}
// The dynamic shared memory with decays over both axes.
int chunk_dynamic_bytes(const std::string& kernel) {
  const int rows = chunk_rows_of(kernel);
  return rows == 0
             ? 0
             : chunk_bytes(rows, kernel.ends_with("_bfloat16"), chunk_pass_of(kernel), true, true);
}

// "walk_back_64_tiles_decays_bfloat16"; none: another kernel.
std::optional<WalkPart> walk_part_of(const std::string& kernel) {
  constexpr const char* kParts[] = {"walk_forward", "walk_reverse", "walk_back", "walk_strong",
                                    "walk_fused"};
  for (std::size_t n = 0; n < std::size(kParts); ++n)
    if (kernel.starts_with(kParts[n])) return static_cast<WalkPart>(n);
  return std::nullopt;
}
// The dynamic shared memory with decays over both axes, over rows alone, or without.
int walk_dynamic_bytes(const std::string& kernel, WalkPart part) {
  const bool decays = kernel.find("_decays") != kernel.npos || part == WalkPart::kStrong;
  const bool rows = kernel.find("_rows") != kernel.npos;
  const int K = number_in(kernel, "walk_[a-z]+_(\\d+)");
  const bool tiles = kernel.find("_tiles") != kernel.npos || K > kWalkChannels;
  return walk_bytes(K, part, rows || decays, decays, tiles);
}

// "delta_systems_back_64_bfloat16"; none: another kernel.
std::optional<DeltaPart> delta_part_of(const std::string& kernel) {
  for (std::size_t n = 0; n < std::size(kDeltaParts); ++n)
    if (std::regex_match(kernel,
                         std::regex(std::string("delta_") + kDeltaParts[n] + "_\\d+_bfloat16")))
      return static_cast<DeltaPart>(n);
  return std::nullopt;
}
// "delta_backward_64_float32".
int delta_dynamic_bytes(const std::string& kernel) {
  const int rows = number_in(kernel, "delta_\\w+_(\\d+)_");
  if (const auto part = delta_part_of(kernel)) return delta_walk_bytes(rows, *part);
  const bool ahead = kernel.starts_with("delta_forward") || kernel.starts_with("delta_ends");
  const ChunkPass pass = ahead ? ChunkPass::kForward : ChunkPass::kBackward;
  return rows == 0 ? 0 : delta_bytes(rows, kernel.ends_with("_bfloat16"), pass);
}

// "modes_backward_real_float32", of as many modes as a block has warps; "..._one_..." of one.
int modes_dynamic_bytes(const std::string& kernel) {
  if (!kernel.ends_with("32") && !kernel.ends_with("16")) return 0;
  const int modes = kernel.find("_one_") != kernel.npos ? 1 : kModesWarps;
  return modes_bytes(modes, kernel.find("complex") != kernel.npos ? 2 : 1,
                     kernel.find("backward") != kernel.npos);
}

// "products_backward_real_float32", of as many modes as a pass may have.
int products_dynamic_bytes(const std::string& kernel) {
  if (!kernel.starts_with("products")) return 0;
  const ProductsPass pass =
      kernel.starts_with("products_backward") ? ProductsPass::kBackward : ProductsPass::kForward;
  return products_bytes(kProductsPairs, kernel.ends_with("_bfloat16"), pass);
}

// The dynamic shared memory for the longest rows.
int cross_entropy_dynamic_bytes(const std::string& kernel) {
  if (kernel.find("_tile_") != kernel.npos)
    return cross_entropy_tile_bytes(kCrossEntropyNarrow, kernel.ends_with("_float32") ? 4 : 2);
  return kernel.find("_once_") != kernel.npos ? kCrossEntropyKept : 0;
}

int dynamic_bytes(const std::string& code, const std::string& kernel) {
  if (const auto part = walk_part_of(kernel)) return walk_dynamic_bytes(kernel, *part);
  if (code == "chunk") return chunk_dynamic_bytes(kernel);
  if (code == "delta") return delta_dynamic_bytes(kernel);
  if (code == "modes") return modes_dynamic_bytes(kernel);
  if (code == "products") return products_dynamic_bytes(kernel);
  if (code == "cross_entropy") return cross_entropy_dynamic_bytes(kernel);
  if (!kernel.ends_with("_backward")) return 0;
  for (const BuiltInScan& scan : built_in_scans())
    if (std::find(scan.codes.begin(), scan.codes.end(), code) != scan.codes.end())
      return scan_backward_bytes(scan.tape);
  return 0;
}

// The bytes that a lane moves to or from global memory in a statement such as "ld.global.v2.f32
// %f1, [%rd1];".
int global_bytes(std::string_view statement) {
  const std::string_view opcode = statement.substr(0, statement.find(' '));
  if (opcode.starts_with("cp.async") && opcode.ends_with(".global"))
    return statement.find(", 16,") != statement.npos ? 16 : 4;
  if (!opcode.starts_with("ld.global") && !opcode.starts_with("st.global")) return 0;
  const int bits = std::stoi(std::string(opcode.substr(opcode.find_last_of(".") + 2)));
  const int numbers = opcode.find(".v4.") != opcode.npos   ? 4
                      : opcode.find(".v2.") != opcode.npos ? 2
                                                           : 1;
  return numbers * bits / 8;
}

std::map<std::string, Instructions> instructions_of(const Compiled& compiled) {
  std::map<std::string, Instructions> all;
  Instructions* now = nullptr;
  std::istringstream text(read_file(file_of(compiled, ".ptx")));
  for (std::string line; std::getline(text, line);) {
    constexpr std::string_view kEntry = ".visible .entry ";
    if (line.starts_with(kEntry))
      now = &all[short_name(line.substr(kEntry.size(), line.find('(') - kEntry.size()))];
    const std::size_t start = line.find_first_not_of(" \t");
    if (now == nullptr || start == line.npos) continue;
    std::string_view statement = std::string_view(line).substr(start);
    if (statement.starts_with("@")) statement.remove_prefix(statement.find(' ') + 1);
    now->products += statement.starts_with("mma.sync");
    const int bytes = global_bytes(statement);
    now->by_16 += bytes == 16;
    now->by_8 += bytes == 8;
    now->narrow += bytes > 0 && bytes < 8;
  }
  return all;
}

std::vector<Row> rows_of(const Compiled& compiled) {
  const std::map<std::string, Instructions> instructions = instructions_of(compiled);
  std::istringstream text(read_file(report_of(compiled)));
  std::vector<Row> rows;
  for (std::string line; std::getline(text, line);) {
    if (std::smatch match; std::regex_search(line, match, std::regex("entry function '(\\w+)'")))
      rows.push_back({compiled.code, short_name(match[1])}),
          rows.back().in = instructions.at(rows.back().kernel);
    if (rows.empty()) continue;
    Row& row = rows.back();
    row.spilled += number_in(line, "(\\d+) bytes spill stores");
    row.registers += number_in(line, "Used (\\d+) registers");
    if (line.find("Used ") != std::string::npos)
      row.shared = number_in(line, "(\\d+) bytes smem") + dynamic_bytes(compiled.code, row.kernel);
  }
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return a.kernel < b.kernel; });
  return rows;
}

// The blocks per multiprocessor that registers (in steps of 8 per thread), shared memory (1 KiB of
// each block is the system's) and threads allow.
int blocks_of(const Row& row, int threads) {
  if (row.kernel.find("_tile_") != row.kernel.npos) threads = kCrossEntropyThreads;
  if (row.code == "chunk") threads = kChunkThreads;
  if (const auto part = walk_part_of(row.kernel)) threads = walk_threads(*part);
  if (row.kernel.starts_with("channels_")) threads = kScanTile * kChannelWarps;
  if (const auto part = delta_part_of(row.kernel)) threads = delta_walk_threads(*part);
  if (row.kernel == "delta_carry") threads = kDeltaCarryThreads;
  if (row.kernel == "norm_sum") threads = kNormSumThreads * kNormSumThreads;
  if (row.kernel.starts_with("products"))
    threads = 32 * products_channels(row.kernel.ends_with("_bfloat16"));
  const int by_registers = 65536 / (threads * ((row.registers + 7) / 8 * 8));
  return std::min({by_registers, kShared / (row.shared + 1024), 2048 / threads});
}

std::string table() {
  std::ostringstream text;
  text << "code kernel registers spilled shared blocks products by_16 by_8 narrow\n";
  for (const Compiled& compiled : kCompiled)
    for (const Row& row : rows_of(compiled))
      text << row.code << " " << row.kernel << " " << row.registers << " " << row.spilled << " "
           << row.shared << " " << blocks_of(row, compiled.threads) << " " << row.in.products << " "
           << row.in.by_16 << " " << row.in.by_8 << " " << row.in.narrow << "\n";
  return text.str();
}

// The first line of each report, which ptxas begins with its version.
std::string version() {
  const std::string text = read_file(report_of(kCompiled[0]));
  std::smatch match;
  return std::regex_search(text, match, std::regex("release [0-9.]+, V[0-9.]+")) ? match[0].str()
                                                                                 : "unknown";
}

class CompileTable : public testing::Test {
 protected:
  void SetUp() override {
    for (const Compiled& compiled : kCompiled)
      if (!std::filesystem::exists(report_of(compiled)))
        GTEST_SKIP() << report_of(compiled) << " was not found: no CUDA toolkit";
  }
};

}  // namespace

TEST_F(CompileTable, HasNoSpills) {
  for (const Compiled& compiled : kCompiled) {
    const std::vector<Row> rows = rows_of(compiled);
    EXPECT_GE(rows.size(), compiled.kernels) << compiled.code;
    for (const Row& row : rows) {
      EXPECT_EQ(row.spilled, 0) << compiled.code << ", " << row.kernel;
      EXPECT_GT(row.registers, 0) << compiled.code << ", " << row.kernel;
    }
  }
}

// An A100 gives a block at most 163 KiB, an H100 227.
TEST_F(CompileTable, FitsTheSharedMemoryOfAnA100) {
  for (const Compiled& compiled : kCompiled)
    for (const Row& row : rows_of(compiled))
      EXPECT_LE(row.shared, 163 * 1024) << compiled.code << ", " << row.kernel;
}

TEST_F(CompileTable, IsTheCommittedOne) {
  const std::filesystem::path file = source_folder() / "tests/ptx/golden/compile_table.txt";
  const std::string now = "ptxas " + version() + "\n" + table();
  if (std::getenv("LCSM_NEW_GOLDEN")) std::ofstream(file) << now;
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no source tree";
  const std::string committed = read_file(file);
  if (committed.substr(0, committed.find('\n')) != now.substr(0, now.find('\n')))
    GTEST_SKIP() << "the table is of another compiler: "
                 << committed.substr(0, committed.find('\n'));
  EXPECT_EQ(now, committed) << "justify the change, then LCSM_NEW_GOLDEN=1 rewrites it";
}

}  // namespace lcsm::test
