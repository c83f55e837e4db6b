// Files that are written whole or not at all.
#pragma once
#include <string>
#include <string_view>

namespace napkin::lecture {

// Refuses (napkin::Error) a path at which write_whole_file would fail: an empty name, a folder, a
// folder that is missing or not writable. Leaves nothing behind.
void check_writable(const std::string& path);

// Writes a file beside it and renames that, so that no reader ever sees half of it. Devices and
// pipes are written directly.
void write_whole_file(const std::string& path, std::string_view text);

// Creates the folder with those above it; refuses where it cannot, or cannot be written to.
void make_writable_folder(const std::string& path);

}  // namespace napkin::lecture
