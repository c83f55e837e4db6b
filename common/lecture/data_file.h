// Where the files stand that a demo reads while it runs.
#pragma once
#include <string>

namespace napkin::lecture {

// The source folder of this program's demo; demo_folder.cpp tells it before main begins.
void set_demo_folder(const char* path);

// claims.json or zh.json of the demo: beside its source, else data/<demo>/ beside the program (a
// build that was moved).
std::string demo_file(const std::string& demo, const std::string& file);

// The same for texts that all demos share.
std::string common_file(const std::string& file);

}  // namespace napkin::lecture
