// The loops of rules/selection.h.
#define NAPKIN_RULES SelectionRules
#define NAPKIN_LOOPS selection_loops
#include "common/tensor/cpu/elementwise/rule_loops.h"
