#include "exercises/grading/catalogue.h"

#include <algorithm>
#include <filesystem>

#include "common/core/error.h"
#include "common/io/file.h"
#include "common/io/json.h"
#include "common/lecture/command_line/command_line.h"

namespace napkin::exercises {
namespace {

namespace fs = std::filesystem;

Exercise read_exercise(io::JsonReader& json, const std::string& lesson) {
  Exercise e;
  e.lesson = lesson;
  json.object([&](const std::string& member) {
    if (member == "name")
      e.name = json.string();
    else if (member == "title")
      e.title = json.string();
    else if (member == "section")
      e.section = json.string();
    else if (member == "exercise")
      e.number = json.string();
    else if (member == "explanation")
      e.explanation = json.string();
    else if (member == "hints")
      json.array([&] { e.hints.push_back(json.string()); });
    else if (member == "mistakes")
      json.object(
          [&](const std::string& mistake) { e.mistakes.emplace_back(mistake, json.string()); });
    else
      fail("no exercise has a \"{}\"", member);
  });
  for (const std::string* part : {&e.name, &e.title, &e.section, &e.explanation})
    check(!part->empty(), "exercise \"{}\" lacks its name, title, section or explanation", e.name);
  check(e.hints.size() == 2, "exercise {} has {} hints, not 2", e.name, e.hints.size());
  check(e.mistakes.size() >= 2, "exercise {} has {} mistakes, not at least 2", e.name,
        e.mistakes.size());
  return e;
}

void read_lesson(const fs::path& file, std::vector<Exercise>& all) {
  try {
    const io::MappedFile mapped(file);
    const auto bytes = mapped.bytes();
    io::JsonReader json({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    json.array([&] {
      Exercise e = read_exercise(json, file.parent_path().filename());
      for (const Exercise& other : all)
        check(other.name != e.name, "exercise {} is listed twice", e.name);
      all.push_back(std::move(e));
    });
    json.end();
  } catch (const Error& e) {
    fail("{}: {}", file.string(), e.what());
  }
}

bool means(const Exercise& e, const std::string& word) {
  const std::string number = e.lesson.substr(0, 2);
  return word == e.name || word == e.id() || word == e.lesson + "/" + e.name || word == e.file() ||
         word == "my/" + e.file() || word == number || word == e.lesson || "0" + word == number;
}

}  // namespace

const std::string& Exercise::hint_for(const std::string& mistake) const {
  const auto found = std::find_if(mistakes.begin(), mistakes.end(),
                                  [&](const auto& m) { return m.first == mistake; });
  check(found != mistakes.end(), "exercise {} lists no mistake \"{}\"", name, mistake);
  return found->second;
}

std::vector<Exercise> read_catalogue(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (const fs::path file = entry.path() / "exercises.json"; fs::exists(file, none))
      files.push_back(file);
  check(!files.empty(), "{}: no exercises here", folder);
  std::sort(files.begin(), files.end());
  std::vector<Exercise> all;
  for (const fs::path& file : files) read_lesson(file, all);
  check(!all.empty(), "{}: no exercises here", folder);
  return all;
}

std::vector<Exercise> chosen(const std::vector<Exercise>& all, const std::string& word) {
  std::vector<Exercise> found;
  for (const Exercise& e : all)
    if (means(e, word)) found.push_back(e);
  if (!found.empty()) return found;
  std::vector<std::string> names;
  for (const Exercise& e : all) {
    names.push_back(e.name);
    if (std::find(names.begin(), names.end(), e.lesson) == names.end()) names.push_back(e.lesson);
  }
  if (const auto near = lecture::nearest(word, names))
    fail("there is no exercise \"{}\"; did you mean {}?", word, *near);
  fail("there is no exercise \"{}\"; {} to {} are here (\"./lecture grade\" lists them)", word,
       names.front(), all.back().name);
}

}  // namespace napkin::exercises
