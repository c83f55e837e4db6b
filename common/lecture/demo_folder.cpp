// Compiled into each demo: where its claims.json and zh.json stand.
#include "common/lecture/data_file.h"

namespace napkin::lecture {

[[maybe_unused]] static const bool is_told = (set_demo_folder(NAPKIN_DEMO_FOLDER), true);

}  // namespace napkin::lecture
