// Collects the tensors of a block, with the rules for their first values.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lcsm/base/random.h"
#include "lcsm/block/block.h"

namespace lcsm {

using Values = std::vector<double>;
using Shape = std::vector<std::int64_t>;

// The range of initial step sizes.
struct StepRange {
  double least, most;
};

class BlockTensors {
 public:
  using Group = ParameterGroup;

  void put(std::string name, Shape shape, Group group, std::string start,
           std::function<Values(std::uint64_t seed)> drawn);

  // Draws each entry on its own.
  void put_each(std::string name, Shape shape, Group group, std::string start,
                const std::function<double(Random&)>& entry);
  void put_normal(std::string name, Shape shape, Group group, double mean, double spread);
  void put_constant(std::string name, Shape shape, Group group, double value);
  // Adds a tensor of one value that all layers of a model share.
  void put_shared(std::string name, Shape shape, Group group, double value);

  // Adds a tensor around the filter, each entry drawn on its own. Without `init`: by PyTorch's rule
  // for linear layers and convolutions.
  void put_around(std::string name, Shape shape, Group group,
                  const std::function<double(Random&)>& entry,
                  std::string start = "uniform / sqrt(inputs)");

  // Adds `rows` copies of the values.
  void put_rows(std::string name, Shape shape, Group group, std::string start, Values row);

  // Adds the step: log-uniform in [step_min, step_max], stored as its logarithm, or before
  // softplus. A last axis of 2 gets the same draw twice.
  void put_step(StepRange range, std::string name, Shape shape, bool softplus = false);

  // Adds NAME.weight only, by PyTorch's rule.
  void put_matrix(const std::string& name, std::int64_t outputs, std::int64_t inputs);
  // Draws by Glorot's rule: uniform, variance gain^2 2 / (outputs + inputs).
  void put_glorot(const std::string& name, std::int64_t outputs, std::int64_t inputs, double gain);
  // Draws orthonormal rows or columns, whichever are fewer, times the gain.
  void put_orthogonal(const std::string& name, std::int64_t outputs, std::int64_t inputs,
                      double gain);

  // Adds NAME.weight and NAME.bias, with the initial values of PyTorch's linear layers.
  void put_linear(const std::string& name, std::int64_t outputs, std::int64_t inputs,
                  bool of_kernel = false);

  // Adds NAME.weight, 0.02 * normal, and NAME.bias, 0, as in BERT's linear layers.
  void put_small_linear(const std::string& name, std::int64_t outputs, std::int64_t inputs);

  // Adds all tensors of a part of the layer, under "PREFIX.".
  void put_part(const std::string& prefix, Parameters part);

  // Adds the tensors after the convolution: the shortcut [D] and, depending on the option "output",
  // a projection.
  void put_skip(std::int64_t d);
  void put_output(std::string_view kind, std::int64_t d);

  Parameters take() { return std::move(tensors_); }

 private:
  Parameters tensors_;
};

// The initial step sizes that put_step draws, one per channel.
Values first_steps(StepRange range, const std::string& name, std::int64_t count,
                   std::uint64_t seed);

}  // namespace lcsm
