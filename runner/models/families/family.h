// A family of token mixers without its forward pass: a row of functions per row of
// config/keys/family_rows.h.
#pragma once

#include <string_view>

#include "runner/models/families/model_tensors.h"
#include "runner/models/families/tensor_list.h"

namespace runner {

// The arithmetic of one token's forward pass, and the numbers kept for the backward pass.
struct TokenCost {
  double flops = 0, kept = 0;
  double pairs = 0;     // numbers about pairs of steps, kept beside these
  double scanned = 0;   // the part of the FLOPs that a fused scan computes
  double memories = 0;  // numbers of memories that a GPU keeps for the backward pass

  void add(const lcsm::Mixing& recurrence);  // its scan, memories and pairs
};

struct Family {
  std::string_view name;  // as in family_rows.h
  void (*put_tensors)(const ModelPlan& plan, std::size_t layer, TensorList& tensors);
  TokenCost (*cost)(const ModelPlan& plan);
  double (*state)(const ModelPlan& plan, std::size_t layer);  // as in BlockCost
};

const Family& family_of(const RunConfig& config);

// Numbers that a sequence carries from one step to the next, over all layers; for attention, the
// keys and values of task.length steps.
double state_of(const ModelPlan& plan);

// eos.cpp
EosParts parts_around(const lcsm::Variant& variant, const RunConfig& config);
void put_eos(const ModelPlan& plan, std::size_t layer, TensorList& tensors);
TokenCost eos_cost(const ModelPlan& plan);
double eos_state(const ModelPlan& plan, std::size_t layer);

// system.cpp
void put_system(const ModelPlan& plan, std::size_t layer, TensorList& tensors);
TokenCost system_cost(const ModelPlan& plan);
double system_state(const ModelPlan& plan, std::size_t layer);

// attention.cpp
void put_attention(const ModelPlan& plan, std::size_t layer, TensorList& tensors);
TokenCost attention_cost(const ModelPlan& plan);
double attention_state(const ModelPlan& plan, std::size_t layer);

}  // namespace runner
