// The only file of lecture/ that includes the JSON library, which takes seconds to compile.
#include "common/lecture/claims/json.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "common/core/error.h"

namespace napkin::lecture {
namespace {

using Json = nlohmann::ordered_json;

Json parsed(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  check(file.is_open(), "{}: cannot be read", path);
  std::ostringstream text;
  text << file.rdbuf();
  try {
    return Json::parse(text.str());
  } catch (const Json::parse_error& e) {
    fail("{}: not JSON (byte {})", path, e.byte);
  } catch (const Json::out_of_range&) {
    fail("{}: a number that a double cannot hold", path);
  }
}

// Runs a reader; what it misses or finds of another type becomes a sentence with the file's name.
template <class Read>
auto reading(const std::string& path, Read&& read) {
  const Json json = parsed(path);
  check(json.is_object(), "{}: not a JSON object", path);
  try {
    return read(json);
  } catch (const Json::out_of_range& e) {  // "[...] key 'demo' not found"
    const std::string_view text = e.what();
    const std::size_t name = text.find('\'');
    fail("{}: {} is missing", path, text.substr(name, text.rfind('\'') + 1 - name));
  } catch (const Json::exception&) {
    fail("{}: an entry is of the wrong type", path);
  } catch (const Error& e) {
    fail("{}: {}", path, e.what());
  }
}

const Json& array_in(const Json& json, const char* name) {
  check(json.at(name).is_array(), "\"{}\" is no list", name);
  return json.at(name);
}

bool is_small(const Json& json) {
  return !json.is_number_unsigned() || json.get<std::uint64_t>() <= std::uint64_t{INT64_MAX};
}

std::optional<double> number_from(const Json& json) {
  if (json.is_number()) return json.get<double>();
  return json.is_string() ? special_number(json.get<std::string>()) : std::nullopt;
}

// Integers where all are, else doubles where all are numbers, else texts.
Value list_from(const Json& list) {
  bool integers = true;
  std::vector<double> numbers;
  std::vector<std::string> texts;
  for (const Json& v : list) {
    check(v.is_number() || v.is_string(), "a list may hold numbers and texts, not {}", v.dump());
    integers = integers && v.is_number_integer() && is_small(v);
    if (const auto number = number_from(v)) numbers.push_back(*number);
    texts.push_back(v.is_string() ? v.get<std::string>() : v.dump());
  }
  if (integers) return list.get<std::vector<std::int64_t>>();
  if (numbers.size() == list.size()) return numbers;
  return texts;
}

std::optional<Value> value_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer() && is_small(json)) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  check(json.is_array(), "an object where a value should stand");
  return list_from(json);
}

Json json_from(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  return v;
}
template <class T>
Json json_from(const T& v) {
  return v;
}
Json json_from(const std::vector<double>& list) {
  Json json = Json::array();
  for (double v : list) json.push_back(json_from(v));
  return json;
}
Json json_from(const std::optional<Value>& value) {
  if (!value) return nullptr;
  return std::visit([](const auto& held) { return json_from(held); }, value->holder());
}

Claim claim_from(const Json& json) {
  Claim claim;
  claim.id = json.at("id").get<std::string>();
  claim.section = json.at("section").get<std::string>();
  claim.says = json.at("says").get<std::string>();
  const auto kind = json.at("kind").get<std::string>();
  const auto known = kind_named(kind);
  check(known.has_value(), "{}: there is no kind \"{}\"", claim.id, kind);
  claim.kind = *known;
  claim.value = value_from(json.at("value"));
  if (json.contains("tol")) claim.tol = json.at("tol").get<double>();
  claim.unit = json.value("unit", "");
  claim.needs = json.value("needs", "");
  claim.hint = json.value("hint", "");
  claim.stated = json.value("stated", true);
  claim.timing = json.value("timing", false);
  check(claim.needs.empty() || claim.needs == "cuda", "{}: needs {}, of which nothing is known",
        claim.id, claim.needs);
  check(claim.value || claim.kind == Kind::machine, "{}: no value", claim.id);
  const bool needs_tol =
      claim.kind == Kind::digits || claim.kind == Kind::within || claim.kind == Kind::order;
  check(claim.tol.has_value() == needs_tol, "{}: kind {} {}", claim.id, kind,
        needs_tol ? "needs a tol" : "has no tol");
  check(!needs_tol || *claim.tol >= (claim.kind == Kind::order ? 1 : 0), "{}: tol {}", claim.id,
        claim.tol.value_or(0));
  return claim;
}

Json json_from(const Outcome& outcome) {
  const Claim& claim = outcome.claim;
  return {{"id", claim.id},
          {"section", claim.section},
          {"says", claim.says},
          {"kind", outcome.known ? std::string(name(claim.kind)) : "unknown"},
          {"lecture", json_from(claim.value)},
          {"got", json_from(outcome.got)},
          {"tol", claim.tol ? json_from(*claim.tol) : Json(nullptr)},
          {"unit", claim.unit.empty() ? Json(nullptr) : Json(claim.unit)},
          {"verdict", std::string(name(outcome.verdict))}};
}

}  // namespace

ClaimFile read_claims(const std::string& path) {
  return reading(path, [](const Json& json) {
    ClaimFile file{json.at("demo").get<std::string>(), {}};
    std::set<std::string> seen;
    for (const Json& entry : array_in(json, "claims")) {
      file.claims.push_back(claim_from(entry));
      const std::string& id = file.claims.back().id;
      check(seen.insert(id).second, "{} stands twice", id);
    }
    return file;
  });
}

std::map<std::string, std::string, std::less<>> read_texts(const std::string& path) {
  return reading(path, [](const Json& json) {
    std::map<std::string, std::string, std::less<>> texts;
    for (const auto& [english, other] : json.items()) texts[english] = other.get<std::string>();
    return texts;
  });
}

std::string to_json(const Results& results) {
  Json claims = Json::array();
  for (const Outcome& outcome : results.claims) claims.push_back(json_from(outcome));
  Json values = Json::object();
  for (const auto& [name, value] : results.values) values[name] = json_from(std::optional(value));
  const Json json = {{"demo", results.demo},
                     {"device", results.device},
                     {"threads", results.threads},
                     {"seed", results.seed},
                     {"lecture_setting", results.lecture_setting},
                     {"claims", claims},
                     {"values", values}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

ReportedResults read_results(const std::string& path) {
  return reading(path, [](const Json& json) {
    ReportedResults results{
        json.at("demo").get<std::string>(), json.at("lecture_setting").get<bool>(), {}};
    static_cast<void>(json.at("values"));
    for (const Json& entry : array_in(json, "claims"))
      results.claims.push_back({entry.at("id").get<std::string>(),
                                entry.at("verdict").get<std::string>(),
                                value_from(entry.at("got"))});
    return results;
  });
}

}  // namespace napkin::lecture
