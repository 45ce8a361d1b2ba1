// Rules between keys, checked once each value is valid by itself.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "runner/config/keys/number_rule.h"
#include "runner/config/run/run_config.h"

namespace runner {

// Where a key was set, and true if its value was rejected.
struct Origin {
  Place place = {};
  bool refused = false;
  int inside = -1;  // as in Assignment
};

class RuleFinder {
 public:
  RuleFinder(const RunConfig& config, const std::vector<Origin>& origins, Mistakes& mistakes)
      : config_(config), origins_(origins), mistakes_(mistakes) {}

  void check() const;
  void add_notes(std::vector<std::string>& notes) const;

 private:
  void check_task() const;
  void check_length() const;
  void check_segments() const;
  void check_rule(const NumberRule& rule) const;
  void check_model() const;
  void check_system() const;
  void check_encoder_decoder() const;
  void check_code() const;
  void check_softmax() const;
  void check_course() const;
  void require(bool good, std::initializer_list<AnyKey> keys, const std::string& what) const;
  // False if `check` throws std::invalid_argument, which is noted as a mistake of the keys.
  bool passes(std::initializer_list<AnyKey> keys, const std::string& what,
              const std::function<void()>& check) const;
  void note(std::span<const int> keys, const std::string& what) const;

  const RunConfig& config_;
  const std::vector<Origin>& origins_;  // parallel to kConfigKeys
  Mistakes& mistakes_;
};

}  // namespace runner
