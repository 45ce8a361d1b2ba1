// The site of a workspace: its sweeps and their curves.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "runner/front/panel/folders.h"
#include "runner/front/serve/http.h"

namespace runner {

class SweepSite {
 public:
  // `named`: a sweep, which need not have runs yet, at the requested scale; the name may be empty.
  SweepSite(std::filesystem::path workspace, std::string token, SweepChoice named);

  //   /?token=T                  the sweeps
  //   /SWEEP?token=T             the page of one
  //   /data/SWEEP.json?token=T   its data, for the page
  HttpResponse answer(const HttpRequest& request);

  // "/quickstart?token=T"; for an empty name, the page of sweeps.
  std::string address(const std::string& sweep) const;

  const std::string& named() const { return named_sweep_; }

 private:
  // A sweep whose file is here: all its points, including new ones.
  struct Live {
    explicit Live(PanelFeed&& opened) : feed(std::move(opened)), folders(feed) {}
    const PanelModel& look();

    PanelFeed feed;
    PanelFolders folders;
  };
  struct Shown {
    std::unique_ptr<Live> live = {};                          // null: its file is not here
    std::shared_ptr<const std::string> json = {}, page = {};  // the page embeds the JSON
    double until = 0;                                         // time at which they expire
    std::int64_t started = -1;                                // time of the last `lcsm run`
  };
  bool knows(const std::string& sweep) const;
  SweepChoice choice_of(const std::string& sweep) const;
  Shown& current(const std::string& sweep);
  std::string new_json(const std::string& sweep, Shown* shown);
  HttpResponse index() const;

  std::filesystem::path workspace_;
  std::string token_;
  SweepChoice named_;
  std::string named_sweep_;
  std::map<std::string, Shown> shown_;
};

}  // namespace runner
