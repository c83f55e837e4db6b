// For the tests: programs of functions, with the gradients that PyTorch works out for them
// (reference/gradients.py), and any function by its name there.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "common/autograd/variable.h"

namespace napkin::autograd::programs {

struct Leaf {
  Dims shape;
  std::vector<double> values;
};

struct Step {
  std::string function;
  std::vector<std::size_t> operands;  // numbers of leaves, then of steps
  std::vector<double> arguments;
};

struct Program {
  std::vector<Leaf> leaves;
  std::vector<Step> steps;
  std::vector<double> gradient;                // of the last result
  std::vector<std::vector<double>> gradients;  // of the leaves
};

std::string to_string(const Program& program);

// "functions" or "graphs".
std::vector<Program> recorded(const std::string& what);

// The result of the last step.
Variable run(const Program& program, const std::vector<Variable>& leaves);

// All functions that run() knows.
std::set<std::string> functions();

}  // namespace napkin::autograd::programs
