// The loops of rules/arithmetic.h.
#define NAPKIN_RULES ArithmeticRules
#define NAPKIN_LOOPS arithmetic_loops
#include "common/tensor/cpu/elementwise/rule_loops.h"
