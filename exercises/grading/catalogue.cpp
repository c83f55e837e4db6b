#include "exercises/grading/catalogue.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "common/core/error.h"
#include "common/core/names.h"
#include "common/io/file.h"
#include "common/io/json.h"

namespace napkin::exercises {
namespace {

namespace fs = std::filesystem;

using Kind = io::JsonPiece::Kind;

// A member of an exercise, or a piece of one.
void read_member(Exercise& e, const io::JsonPiece& piece) {
  const std::string& member = piece.path[0];
  const std::pair<std::string_view, std::string*> texts[] = {{"name", &e.name},
                                                             {"title", &e.title},
                                                             {"section", &e.section},
                                                             {"exercise", &e.number},
                                                             {"explanation", &e.explanation}};
  if (piece.kind == Kind::end) return;
  for (const auto& [name, text] : texts)
    if (member == name) {
      piece.need(Kind::text);
      *text = piece.text;
      return;
    }
  if (member == "hints") {
    piece.need(piece.in_list ? Kind::text : Kind::list);
    if (piece.in_list) e.hints.emplace_back(piece.text);
  } else if (member == "mistakes") {
    piece.need(piece.path.size() == 1 ? Kind::object : Kind::text);
    if (piece.path.size() == 2) e.mistakes.emplace_back(piece.path[1], piece.text);
  } else {
    fail("no exercise has a \"{}\"", member);
  }
}

void check_complete(const Exercise& e, std::span<const Exercise> others) {
  for (const std::string* part : {&e.name, &e.title, &e.section, &e.explanation})
    check(!part->empty(), "exercise \"{}\" lacks its name, title, section or explanation", e.name);
  check(e.hints.size() == 2, "exercise {} has {} hints, not 2", e.name, e.hints.size());
  check(e.mistakes.size() >= 2, "exercise {} has {} mistakes, not at least 2", e.name,
        e.mistakes.size());
  for (const Exercise& other : others)
    check(other.name != e.name, "exercise {} is listed twice", e.name);
}

void read_lesson(const fs::path& file, std::vector<Exercise>& all) {
  try {
    const io::MappedFile mapped(file);
    io::read_json(mapped.text(), {.depth = 3}, [&](const io::JsonPiece& piece) {
      if (!piece.path.empty()) return read_member(all.back(), piece);
      if (piece.kind == Kind::end) {
        if (piece.in_list) check_complete(all.back(), std::span(all).first(all.size() - 1));
        return;
      }
      piece.need(piece.in_list ? Kind::object : Kind::list);
      if (piece.in_list) all.emplace_back().lesson = file.parent_path().filename();
    });
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
  if (!word.empty() && word.find_first_not_of("0123456789") == std::string::npos)
    fail("there is no lesson {}; {} to {} are here", word, all.front().lesson.substr(0, 2),
         all.back().lesson.substr(0, 2));
  std::vector<std::string> names;
  for (const Exercise& e : all) {
    names.push_back(e.name);
    if (std::find(names.begin(), names.end(), e.lesson) == names.end()) names.push_back(e.lesson);
  }
  if (const auto near = nearest(word, names))
    fail("there is no exercise \"{}\"; did you mean {}?", word, *near);
  fail("there is no exercise \"{}\"; {} to {} are here (\"./lecture grade\" lists them)", word,
       names.front(), all.back().name);
}

}  // namespace napkin::exercises
