// Napkin math of training (lecture 1.1 and 5): FLOPs, time, and how well the hardware was used.
//
// A step over D tokens with N parameters takes about 6 N D FLOPs: 2 N D forward, 4 N D backward.
// With attention, 12 L A T more for each token, of L layers, attention width A, context T
// (Chowdhery et al. 2022, PaLM, arXiv:2204.02311, appendix B).
#pragma once
#include <optional>
#include <string>

namespace napkin::accounting {

struct Attention {
  double layers = 0, width = 0, context = 0;
};

// FLOPs of training for each token; forward and backward.
double training_flops_per_token(double parameters, const Attention& attention = {});
// The same where the forward pass is run twice, to save memory (activation checkpointing).
double flops_per_token_with_recompute(double parameters, const Attention& attention = {});

// Model FLOPs utilization: the FLOPs that training needs over those that the devices could have
// done. `peak` is one device's rate in FLOP/s. Recomputed FLOPs are not needed: they belong to the
// utilization of the hardware, which is another number. Above 1 the measurement is broken.
double utilization(double flops_per_token, double tokens_per_second, double devices, double peak);

// 6 N D = devices x peak x mfu x seconds.
struct TrainingPlan {
  std::optional<double> parameters, tokens, devices, peak, mfu, seconds;
};

struct SolvedPlan {
  double parameters, tokens, devices, peak, mfu, seconds;
  std::string solved;  // the name of what was missing: "seconds"

  double flops() const { return 6 * parameters * tokens; }
};

// Works out the one that is missing. Refuses none or several missing, what is not a positive finite
// number, and an mfu above 1, given or worked out.
SolvedPlan solve(const TrainingPlan& plan);

}  // namespace napkin::accounting
