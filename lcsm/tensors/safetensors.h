// Reads and writes safetensors files, which numpy and PyTorch can read too.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

#include "lcsm/files/safetensors_error.h"

namespace lcsm {

struct SafeTensors {
  std::map<std::string, at::Tensor> tensors;    // read: contiguous, on the CPU, own memory
  std::map<std::string, std::string> metadata;  // "__metadata__"
};

// Throw SafeTensorsError with one sentence, whatever the file holds.
SafeTensors read_safetensors(const std::string& path);

// Equal content gives equal bytes. The file appears whole or not at all; a full disk leaves an
// older file unchanged.
void write_safetensors(const std::string& path, const SafeTensors& content);

}  // namespace lcsm
