// The authors' numbers in ../shared/cases, under our names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ets/layer/layer.h"
#include "tests/ets/layer/renamed.h"

namespace ets {

struct OfficialCase {
  const lcsm::BlockRow* family = nullptr;
  std::vector<std::string> settings;
  std::int64_t kernel = 0;  // steps of a kernel, if the output is a kernel without input
  lcsm::Weights weights, gradients;
  Around around;
  at::Tensor input, padding, output, grad_output, grad_input;
};

// The files of a folder of cases whose names begin with `start`, sorted; none if the cases are not
// installed.
std::vector<std::filesystem::path> case_files(const std::string& folder, const std::string& start);

OfficialCase read_case(const std::filesystem::path& path);

lcsm::Block variant_of(const OfficialCase& c);

// Largest difference, relative to the largest expected magnitude.
double relative_error(const at::Tensor& got, const at::Tensor& expected);

}  // namespace ets
