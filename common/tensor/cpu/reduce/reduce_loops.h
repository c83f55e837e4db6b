// The loops of reductions, compiled for several instruction sets; equal bits at every level.
// rules/reduce.h says in which order.
#pragma once
#include <cstdint>

#include "common/numeric/dtype.h"
#include "common/tensor/rules/reduce.h"

namespace napkin::cpu {

// Some rows and columns of elements of a compute type (loops.h): what a loop works on at once.
struct Part {
  const void* elements;
  std::int64_t rows, columns;
  std::int64_t step;            // numbers from one row to the next
  std::int64_t first;           // number of the first element in its reduction
  const double* parameters;     // of the rule (rules/reduce.h): of the first row or column ...
  std::int64_t parameter_step;  // ... and so many from one row to the next
};

struct ReduceLoops {
  DType result;        // what numbers are combined into ...
  std::int64_t bytes;  // ... and what one such result takes, with its place if that is asked for
  // results[r] = the combined numbers of row r, which is a block.
  void (*rows)(void* results, const Part& part);
  // A column is a block: each of its rows is combined with its lane, lanes[row % 32][columns].
  void (*to_lanes)(void* lanes, const Part& part);
  // results[c] = the combined lanes of column c, after all rows of a block that starts at `first`.
  void (*from_lanes)(void* results, void* lanes, std::int64_t rows, std::int64_t columns,
                     std::int64_t first);
  // results[c] = the combined results[c], results[c + columns] ...
  void (*fold)(void* results, std::int64_t count, std::int64_t columns);
};

// The loops of that rule of ReductionRules for elements of a compute type.
ReduceLoops reduce_loops(int rule_number, DType elements);
// The loops that go on with the results of those.
ReduceLoops combine_loops(int rule_number, DType results);
// The place of the largest or the smallest number. A result is a Place<double>, Place<float> or
// Place<std::int64_t>.
ReduceLoops place_loops(bool largest, DType elements);

}  // namespace napkin::cpu
