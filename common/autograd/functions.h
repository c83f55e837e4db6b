// All functions of Variables.
#pragma once
#include "common/autograd/einops.h"
#include "common/autograd/elementwise.h"
#include "common/autograd/index.h"
#include "common/autograd/matmul.h"
#include "common/autograd/reduce.h"
#include "common/autograd/variable.h"
