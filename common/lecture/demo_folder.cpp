// Compiled into every demo by napkin_demo: where its claims.json and zh.json stand.
namespace napkin::lecture {
extern const char* const demo_folder;
const char* const demo_folder = NAPKIN_DEMO_FOLDER;
}  // namespace napkin::lecture
