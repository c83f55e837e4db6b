// The loops of rules/functions.h.
#define NAPKIN_RULES FunctionRules
#define NAPKIN_LOOPS function_loops
#include "common/tensor/cpu/elementwise/rule_loops.h"
