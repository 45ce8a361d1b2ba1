// Maps the authors' names of tensors and options to ours.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ets/layer/layer.h"

namespace ets {

// The tensors of a case while they are renamed. Values and gradients change equally, since every
// change is linear.
class Renamed {
 public:
  explicit Renamed(lcsm::Weights official) : official_(std::move(official)) {}

  bool has(const std::string& name) const { return official_.contains(name); }
  at::Tensor at(const std::string& name) const { return official_.at(name); }

  void put(const std::string& ours, const std::string& name, std::vector<std::int64_t> shape) {
    if (has(name)) ours_[ours] = at(name).reshape(shape);
  }
  void put(const std::string& ours, const std::string& name) {
    if (has(name)) ours_[ours] = at(name);
  }
  void put(const std::string& ours, const at::Tensor& value) { ours_[ours] = value; }
  void put_linears(const std::vector<std::pair<std::string, std::string>>& names) {
    for (const auto& [ours, name] : names)
      for (const char* part : {".weight", ".bias"}) put(ours + part, name + part);
  }
  lcsm::Weights take() { return std::move(ours_); }

 private:
  lcsm::Weights official_, ours_;
};

using Settings = std::vector<std::string>;

// The parts around our block in the authors' layer: y = x + block(norm(x)), or norm(x + block(x)).
struct Around {
  std::string norm;  // "layer", "batch" or "scale"; empty: the block alone
  bool norm_first = true;
  lcsm::Weights weights;
};

struct Reading {
  const lcsm::BlockRow* family;
  Settings settings;
  std::function<void(const nlohmann::json&, Renamed&)> rename;
  Around around = {};
};

inline std::string flag(const char* name, bool value) {
  return std::string(name) + (value ? "=true" : "=false");
}

}  // namespace ets
