#include "lcsm/block/block_tensors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lcsm {
namespace {

std::int64_t count_of(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

// Gram-Schmidt, twice, since one pass loses digits.
std::vector<Values> orthonormal(Random random, std::size_t rows, std::size_t length) {
  std::vector<Values> basis;
  while (basis.size() < rows) {
    Values row(length);
    for (double& value : row) value = random.normal();
    for (int pass = 0; pass < 2; ++pass)
      for (const Values& other : basis) {
        const double along = std::inner_product(row.begin(), row.end(), other.begin(), 0.0);
        for (std::size_t n = 0; n < length; ++n) row[n] -= along * other[n];
      }
    const double size = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
    for (double& value : row) value /= size;
    basis.push_back(std::move(row));
  }
  return basis;
}

}  // namespace

void BlockTensors::put(std::string name, Shape shape, Group group, std::string start,
                       std::function<Values(std::uint64_t)> drawn) {
  tensors_.push_back({.name = std::move(name),
                      .shape = std::move(shape),
                      .init = nullptr,
                      .group = group,
                      .start = std::move(start),
                      .drawn = std::move(drawn)});
}

void BlockTensors::put_each(std::string name, Shape shape, Group group, std::string start,
                            const std::function<double(Random&)>& entry) {
  const auto count = static_cast<std::size_t>(count_of(shape));
  put(name, std::move(shape), group, std::move(start), [=](std::uint64_t seed) {
    Random random = random_for(seed, name);
    Values values(count);
    for (double& value : values) value = entry(random);
    return values;
  });
}

void BlockTensors::put_normal(std::string name, Shape shape, Group group, double mean,
                              double spread) {
  put_each(std::move(name), std::move(shape), group,
           (mean == 0 ? "" : short_number(mean) + " + ") + short_number(spread) + " * normal",
           [=](Random& random) { return mean + spread * random.normal(); });
}

void BlockTensors::put_constant(std::string name, Shape shape, Group group, double value) {
  put_each(std::move(name), std::move(shape), group, short_number(value),
           [value](Random&) { return value; });
}

void BlockTensors::put_shared(std::string name, Shape shape, Group group, double value) {
  put_constant(std::move(name), std::move(shape), group, value);
  tensors_.back().shared = true;
}

void BlockTensors::put_around(std::string name, Shape shape, Group group,
                              const std::function<double(Random&)>& entry, std::string start) {
  put_each(std::move(name), std::move(shape), group, std::move(start), entry);
  tensors_.back().of_kernel = false;
}

void BlockTensors::put_rows(std::string name, Shape shape, Group group, std::string start,
                            Values row) {
  const auto count = static_cast<std::size_t>(count_of(shape));
  put(std::move(name), std::move(shape), group, std::move(start), [count, row](std::uint64_t) {
    Values values(count);
    for (std::size_t n = 0; n < count; ++n) values[n] = row[n % row.size()];
    return values;
  });
}

Values first_steps(StepRange range, const std::string& name, std::int64_t count,
                   std::uint64_t seed) {
  const double least = std::log(range.least), most = std::log(range.most);
  Random random = random_for(seed, name);
  Values steps(static_cast<std::size_t>(count));
  for (double& step : steps) step = std::exp(least + (most - least) * random.uniform());
  return steps;
}

void BlockTensors::put_step(StepRange range, std::string name, Shape shape, bool softplus) {
  const std::int64_t copies = shape.size() > 1 && shape.back() == 2 ? 2 : 1;
  const std::int64_t count = count_of(shape) / copies;
  put(name, std::move(shape), Group::kGate,
      std::string(softplus ? "log(exp(step) - 1)" : "log(step)") +
          ", step log-uniform from step_min to step_max",
      [=](std::uint64_t seed) {
        Values values;
        for (const double step : first_steps(range, name, count, seed))
          values.insert(values.end(), static_cast<std::size_t>(copies),
                        softplus ? std::log(std::expm1(step)) : std::log(step));
        return values;
      });
}

void BlockTensors::put_linear(const std::string& name, std::int64_t outputs, std::int64_t inputs,
                              bool of_kernel) {
  const double bound = 1 / std::sqrt(static_cast<double>(inputs));
  const auto uniform = [bound](Random& random) { return bound * (2 * random.uniform() - 1); };
  put_each(name + ".weight", {outputs, inputs}, Group::kMatrices, "uniform / sqrt(inputs)",
           uniform);
  tensors_.back().of_kernel = of_kernel;
  put_each(name + ".bias", {outputs}, Group::kNorm, "uniform / sqrt(inputs)", uniform);
  tensors_.back().of_kernel = of_kernel;
}

void BlockTensors::put_matrix(const std::string& name, std::int64_t outputs, std::int64_t inputs) {
  const double bound = 1 / std::sqrt(static_cast<double>(inputs));
  put_around(name + ".weight", {outputs, inputs}, Group::kMatrices,
             [bound](Random& random) { return bound * (2 * random.uniform() - 1); });
}

void BlockTensors::put_glorot(const std::string& name, std::int64_t outputs, std::int64_t inputs,
                              double gain) {
  const double bound = gain * std::sqrt(6 / static_cast<double>(outputs + inputs));
  put_each(name + ".weight", {outputs, inputs}, Group::kMatrices,
           (gain == 1 ? "" : short_number(gain) + " * ") + "sqrt(6 / (outputs + inputs)) * uniform",
           [bound](Random& random) { return bound * (2 * random.uniform() - 1); });
  tensors_.back().of_kernel = false;
}

void BlockTensors::put_orthogonal(const std::string& name, std::int64_t outputs,
                                  std::int64_t inputs, double gain) {
  const bool tall = outputs > inputs;
  const auto rows = static_cast<std::size_t>(std::min(outputs, inputs)),
             length = static_cast<std::size_t>(std::max(outputs, inputs));
  put(name + ".weight", {outputs, inputs}, Group::kMatrices, short_number(gain) + " * orthogonal",
      [=, stream = name + ".weight"](std::uint64_t seed) {
        const std::vector<Values> basis = orthonormal(random_for(seed, stream), rows, length);
        Values values;
        for (std::size_t n = 0; n < rows * length; ++n)
          values.push_back(gain *
                           (tall ? basis[n % rows][n / rows] : basis[n / length][n % length]));
        return values;
      });
  tensors_.back().of_kernel = false;
}

void BlockTensors::put_small_linear(const std::string& name, std::int64_t outputs,
                                    std::int64_t inputs) {
  put_normal(name + ".weight", {outputs, inputs}, Group::kMatrices, 0, 0.02);
  put_constant(name + ".bias", {outputs}, Group::kNorm, 0);
}

void BlockTensors::put_part(const std::string& prefix, Parameters part) {
  for (Parameter& tensor : part) {
    tensor.name = prefix + "." + tensor.name;
    tensors_.push_back(std::move(tensor));
  }
}

void BlockTensors::put_skip(std::int64_t d) {
  put_normal("skip", {d}, Group::kNorm, 0, 1);
  tensors_.back().of_kernel = false;
}

void BlockTensors::put_output(std::string_view kind, std::int64_t d) {
  if (kind != "none") put_linear("output", kind == "glu" ? 2 * d : d, d);
}

}  // namespace lcsm
