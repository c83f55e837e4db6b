// The subcommands rearrange, reduce, repeat and einsum.
#pragma once
#include "common/lecture/report.h"

namespace napkin {

void add_rearrange_command(lecture::Demo& demo);
void add_reduce_command(lecture::Demo& demo);
void add_repeat_command(lecture::Demo& demo);
void add_einsum_command(lecture::Demo& demo);

}  // namespace napkin
