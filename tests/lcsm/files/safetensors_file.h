// The files of one test, the errors about them, and content with a tensor of every type.
#pragma once

#include <ATen/ops/arange.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "lcsm/tensors/safetensors.h"
#include "lcsm/tensors/safetensors_types.h"
#include "tests/runner/run_program.h"

namespace lcsm {

class SafeTensorsFile : public testing::Test {
 protected:
  std::string path(const char* name = "a.safetensors") const { return folder.path() / name; }
  std::string put(const std::string& bytes) const {
    // Removed first, since some file systems wait for the disk when a file is overwritten.
    std::filesystem::remove(path());
    std::ofstream(path(), std::ios::binary) << bytes;
    return path();
  }
  std::string written(const SafeTensors& content) const {
    write_safetensors(path("written"), content);
    return runner::read_file(path("written"));
  }
  // The message after the path.
  template <typename Body>
  static std::string error_of(const std::string& file, Body body) {
    try {
      body();
    } catch (const SafeTensorsError& error) {
      return std::string(error.what()).substr(file.size() + 3);
    }
    return "";
  }
  static std::string refusal(const std::string& file) {
    return error_of(file, [&] { read_safetensors(file); });
  }
  static std::string write_refusal(const SafeTensors& content, const std::string& file) {
    return error_of(file, [&] { write_safetensors(file, content); });
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(
        std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator()));
  }
  runner::ScratchFolder folder;
};

inline std::string bytes_of(const at::Tensor& tensor) {
  std::string bytes(tensor.nbytes(), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), tensor.const_data_ptr(), bytes.size());
  return bytes;
}

inline std::string file_of(const std::string& json, const std::string& data) {
  std::string length(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(json.size() >> (8 * i));
  return length + json + data;
}

inline SafeTensors every_type() {
  SafeTensors content;
  content.metadata = {{"code", "1-9-1-4"}, {"note", "line\n\"end\""}};
  for (std::size_t i = 0; i < kScalarTypes.size(); ++i) {
    const std::string name(kSafeTensorsTypes[i].name);
    const at::Tensor numbers = at::arange(6, at::kFloat).sub(2.5).to(kScalarTypes[i]);
    content.tensors[name] = numbers.view({2, 1, 3});
    content.tensors[name + ".scalar"] = numbers[0].clone();
    content.tensors[name + ".empty"] = numbers.new_empty({2, 0, 5});
  }
  return content;
}

inline void expect_equal(const SafeTensors& a, const SafeTensors& b) {
  EXPECT_EQ(a.metadata, b.metadata);
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (const auto& [name, tensor] : a.tensors) {
    const at::Tensor& other = b.tensors.at(name);
    EXPECT_EQ(tensor.scalar_type(), other.scalar_type()) << name;
    EXPECT_EQ(tensor.sizes(), other.sizes()) << name;
    EXPECT_EQ(bytes_of(tensor.contiguous()), bytes_of(other)) << name;
  }
}

}  // namespace lcsm
