// Words of git, wandb, Slurm and the shell for verbs of lcsm.
#pragma once

#include <array>

#include "runner/base/cli/verb.h"

namespace runner {

inline constexpr std::array kSynonyms = {
    Verb::Synonyms{"ls list", "sweeps status"},
    Verb::Synonyms{"ps top queue squeue progress", "status"},
    Verb::Synonyms{"rm remove delete del drop", "forget"},
    Verb::Synonyms{"mv move", "archive"},
    Verb::Synonyms{"init create template", "new"},
    Verb::Synonyms{"clean prune clear", "gc"},
    Verb::Synonyms{"start launch train submit sbatch execute", "run"},
    Verb::Synonyms{"resume continue restart", "run retry"},
    Verb::Synonyms{"stop kill abort scancel", "cancel"},
    Verb::Synonyms{"pause", "jobs"},
    Verb::Synonyms{"test evaluate validate", "eval"},
    Verb::Synonyms{"generate", "sample data"},
    Verb::Synonyms{"monitor wait", "watch"},
    Verb::Synonyms{"ui web dashboard browse", "serve"},
    Verb::Synonyms{"tensorboard csv", "export"},
    Verb::Synonyms{"info describe inspect cat", "show"},
    Verb::Synonyms{"events tail history", "log"},
    Verb::Synonyms{"compare", "diff table"},
    Verb::Synonyms{"plot draw graph chart", "figure"},
    Verb::Synonyms{"results summary best claims", "table"},
    Verb::Synonyms{"sql select db", "query"},
    Verb::Synonyms{"label", "tag"},
    Verb::Synonyms{"comment annotate", "note"},
    Verb::Synonyms{"datasets dataset download fetch get import", "data"},
    Verb::Synonyms{"models layers", "systems"},
    Verb::Synonyms{"gates oscillations formula", "codes"},
    Verb::Synonyms{"papers hyperparameters", "recipes"},
    Verb::Synonyms{"keys settings options", "config"},
    Verb::Synonyms{"check health", "doctor"},
    Verb::Synonyms{"dryrun estimate cost", "plan"},
};

}  // namespace runner
