#include "lcsm/tensors/safetensors.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <system_error>

#include "lcsm/files/safetensors_header.h"
#include "tests/lcsm/files/safetensors_file.h"

namespace lcsm {
namespace {

namespace fs = std::filesystem;

TEST_F(SafeTensorsFile, ComesBackInEveryType) {
  const SafeTensors content = every_type();
  write_safetensors(path(), content);
  const SafeTensors read = read_safetensors(path());
  expect_equal(content, read);
  for (const auto& [name, tensor] : read.tensors)
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.const_data_ptr()) % 64, 0U) << name;
}

TEST_F(SafeTensorsFile, OutlivesTheFile) {
  write_safetensors(path(), every_type());
  const SafeTensors read = read_safetensors(path());
  std::ofstream(path(), std::ios::trunc) << "";
  expect_equal(every_type(), read);
}

TEST_F(SafeTensorsFile, CannotBeReadWhenItIsMissing) {
  EXPECT_EQ(refusal(path()),
            "cannot be read: No such file or directory; give the path of a "
            "safetensors file");
  EXPECT_EQ(refusal(folder.path()),
            "is not a safetensors file: expected a file, got a folder; give "
            "the path of a safetensors file");
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal(path("pipe")),
            "is not a safetensors file: expected a file, got a device or pipe; "
            "give the path of a safetensors file");
  EXPECT_NE(refusal("/dev/zero"), "");
}

TEST_F(SafeTensorsFile, IsRefusedWhenItIsTruncated) {
  const std::string whole = written(every_type());
  for (std::size_t size = 0; size < whole.size(); size += size < 64 ? 1 : 37)
    EXPECT_NE(refusal(put(whole.substr(0, size))), "") << size;
  EXPECT_EQ(
      refusal(put("")),
      "is not a safetensors file: expected 8 bytes with the length of the header, got an empty "
      "file; it was cut short, copy it again");
}

TEST_F(SafeTensorsFile, IsRefusedWithOtherBytesInBool) {
  const std::string json = R"({"a":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}})";
  EXPECT_EQ(refusal(put(file_of(json, std::string("\0\1\1", 3)))), "");
  EXPECT_EQ(
      refusal(put(file_of(json, std::string("\0\1\2", 3)))),
      "is not a safetensors file: expected bytes 0 and 1 in the BOOL tensor 'a', got 2; write "
      "it again");
}

TEST_F(SafeTensorsFile, LargerThanTheMemoryIsRefusedBeforeItIsRead) {
  const std::string json = R"({"a":{"dtype":"U8","shape":[4398046511104],)"
                           R"("data_offsets":[0,4398046511104]}})";
  put(file_of(json, ""));
  std::error_code error;
  fs::resize_file(path(), 8 + json.size() + (std::uintmax_t{1} << 42), error);
  if (error) GTEST_SKIP() << "no file of 4 TiB with a hole here: " << error.message();
  EXPECT_NE(refusal(path()).find("bytes of free memory"), std::string::npos);
}

// Flips bits, truncates, appends, and edits the length.
std::string mutated(std::string bytes, std::mt19937_64* random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>((*random)() % n); };
  for (std::size_t edits = 1 + below(3); edits > 0 && !bytes.empty(); --edits) switch (below(8)) {
      case 0:
        bytes.resize(below(bytes.size() + 1));
        break;
      case 1:
        bytes.append(1 + below(20), static_cast<char>(below(256)));
        break;
      case 2:
        bytes[below(std::min<std::size_t>(8, bytes.size()))] = static_cast<char>(below(256));
        break;
      case 3:
        bytes[0] = static_cast<char>(bytes[0] + static_cast<char>(below(5)) - 2);
        break;
      default:
        bytes[below(bytes.size())] ^= static_cast<char>(1U << below(8));
    }
  return bytes;
}

// True if the file was accepted; then every tensor must have the bytes that the header points to.
bool sound(const std::string& path, const std::string& bytes) {
  SafeTensors content;
  try {
    content = read_safetensors(path);
  } catch (const SafeTensorsError&) {
    return false;
  }
  const std::uint64_t length = safetensors_header_length(path, bytes.substr(0, 8), bytes.size());
  const auto tree = nlohmann::json::parse(bytes.substr(8, length));
  for (const auto& [name, tensor] : content.tensors) {
    const auto offsets = tree.at(name).at("data_offsets").get<std::vector<std::size_t>>();
    EXPECT_EQ(bytes_of(tensor),
              bytes.substr(8 + length + offsets.at(0), offsets.at(1) - offsets.at(0)));
  }
  return true;
}

// A file in memory: on a disk 20 000 of them would mostly wait for it.
class MemoryFile {
 public:
  MemoryFile() = default;
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string put(const std::string& bytes) const {
    EXPECT_EQ(ftruncate(file_, 0), 0);
    EXPECT_EQ(pwrite(file_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    return "/proc/self/fd/" + std::to_string(file_);
  }

 private:
  const int file_ = memfd_create("safetensors", MFD_CLOEXEC);
};

TEST_F(SafeTensorsFile, SurvivesMutations) {
  constexpr std::uint64_t kSeed = 5;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937_64 random(kSeed);
  const std::string few = written({{{"a", at::ones({2, 3})}, {"b", at::ones({4}, at::kBool)}}, {}});
  const std::string many = written(every_type());
  const MemoryFile file;
  int accepted = 0;
  for (int i = 0; i < 20000 && !HasFailure(); ++i) {
    const std::string bytes = mutated(i % 4 == 0 ? many : few, &random);
    accepted += sound(file.put(bytes), bytes);
  }
  EXPECT_GT(accepted, 500);
  EXPECT_LT(accepted, 19500);
}

}  // namespace
}  // namespace lcsm
