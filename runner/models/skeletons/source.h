// The model of a named system's authors: layers of units (a mixer, a feed-forward), each with a
// residual and a norm before or after it.
#pragma once

#include <functional>
#include <string>

#include "runner/models/skeletons/stream.h"

namespace runner {

class Source {
 public:
  Source(const Model& model, const Inputs& inputs, Dropout& dropout);

  // Embeds, scales and norms as the authors do, then applies dropout.
  at::Tensor begin(const Inputs& inputs, double scale);

  at::Tensor norm(const Parts& parts, const std::string& name, Stream* x,
                  lcsm::ReadBy read_by = lcsm::ReadBy::kAnything) const;

  // A unit of layer n, whose norm is NAME_norm.
  struct Unit {
    std::size_t layer = 0;
    std::string name;  // prefix of its tensors
    lcsm::ReadBy read_by = lcsm::ReadBy::kAnything;
    bool drops = true;  // dropout of its output; false: only inside the unit
  };
  using UpdateOf =
      std::function<at::Tensor(const at::Tensor& x, const lcsm::BlockContext& context)>;
  void unit(const Unit& unit, const UpdateOf& update_of, Stream* x) const;

  // Applies mixer and feed-forward of layer n; below, of all layers. `carried` may be null.
  void layer(std::size_t n, Stream* x, Carried* carried) const;
  // The feed-forward of layer n, if it has one.
  void feed(std::size_t n, const std::string& name, Stream* x, Carried* carried) const;

  // The norm after the last layer.
  at::Tensor end(const std::string& norm_name, Stream* x,
                 lcsm::ReadBy read_by = lcsm::ReadBy::kAnything) const;

 private:
  at::Tensor drop(const at::Tensor& x) const;

  const Model& model_;
  const System& system_;
  lcsm::BlockContext context_;
  const double share_;
  Dropout& dropout_;
};

at::Tensor source_hidden(const Model& model, const Inputs& inputs, Dropout& dropout,
                         Carried* carried);

}  // namespace runner
