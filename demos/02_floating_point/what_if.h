// The subcommands show, encode, accumulate and quantize.
#pragma once
#include "common/lecture/report.h"

namespace napkin {

void add_show_command(lecture::Demo& demo);
void add_encode_command(lecture::Demo& demo);
void add_accumulate_command(lecture::Demo& demo);
void add_quantize_command(lecture::Demo& demo);

}  // namespace napkin
