#include "exercises/grading/source_text.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "common/lecture/report.h"

namespace napkin::exercises {
namespace {

using lecture::phrase;

struct Open {
  char bracket;
  int line;
};

char partner(char closing) { return closing == ')' ? '(' : closing == ']' ? '[' : '{'; }

bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Goes through the text once, over comments and texts in quotes, and keeps what is open.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& mine) : text_(text), mine_(mine) {}

  std::string fault() {
    for (; at_ < text_.size() && fault_.empty(); ++at_) step();
    if (!fault_.empty()) return fault_;
    if (!brackets_.empty())
      return phrase("{}: the {} of line {} is never closed.", mine_, brackets_.back().bracket,
                    brackets_.back().line);
    if (!conditions_.empty())
      return phrase("{}: the #if of line {} has no #endif.", mine_, conditions_.back());
    return {};
  }

 private:
  bool next_is(std::string_view part) const { return text_.substr(at_).starts_with(part); }

  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      begins_line_ = true;
      return;
    }
    if (next_is("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
    } else if (next_is("/*")) {
      skip_comment();
    } else if (c == '"' || (c == '\'' && !is_digit_separator())) {
      skip_quoted(c);
    } else if (c == '#' && begins_line_) {
      take_directive();
    } else if (c == '(' || c == '[' || c == '{') {
      brackets_.push_back({c, line_});
    } else if (c == ')' || c == ']' || c == '}') {
      close(c);
    }
    if (c != ' ' && c != '\t') begins_line_ = false;
  }

  // 1'000
  bool is_digit_separator() const {
    return at_ > 0 && is_word(text_[at_ - 1]) && at_ + 1 < text_.size() && is_word(text_[at_ + 1]);
  }

  void skip_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == text_.npos) {
      fault_ = phrase("{}: the comment that begins in line {} is never closed.", mine_, line_);
      return;
    }
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end + 1;
  }

  // R"x( ... )x"
  void skip_raw() {
    const std::size_t bracket = std::min(text_.find('(', at_), text_.size());
    const std::string end = ")" + std::string(text_.substr(at_ + 1, bracket - at_ - 1)) + "\"";
    const std::size_t last = std::min(text_.find(end, at_), text_.size());
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(last), '\n'));
    at_ = std::min(last + end.size(), text_.size()) - 1;
  }

  void skip_quoted(char quote) {
    if (quote == '"' && at_ > 0 && text_[at_ - 1] == 'R') return skip_raw();
    const int begun = line_;
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    if (at_ >= text_.size() || text_[at_] != quote)
      fault_ = phrase("{}: the {} of line {} is never closed.", mine_, quote, begun);
  }

  void take_directive() {
    const std::string_view rest =
        text_.substr(std::min(text_.find_first_not_of(" \t", at_ + 1), text_.size()));
    if (rest.starts_with("if")) conditions_.push_back(line_);
    if (rest.starts_with("endif") && !conditions_.empty()) conditions_.pop_back();
  }

  void close(char c) {
    if (brackets_.empty()) {
      fault_ = phrase("{}: the {} of line {} closes nothing.", mine_, c, line_);
    } else if (brackets_.back().bracket != partner(c)) {
      fault_ = phrase("{}: the {} of line {} comes before the {} of line {} is closed.", mine_, c,
                      line_, brackets_.back().bracket, brackets_.back().line);
    } else {
      brackets_.pop_back();
    }
  }

  std::string_view text_;
  const std::string& mine_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool begins_line_ = true;
  std::vector<Open> brackets_;
  std::vector<int> conditions_;  // lines of #if
  std::string fault_;
};

}  // namespace

bool is_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
         text.substr(0, 64).find('\0') != text.npos;
}

bool is_blank(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text.find_first_not_of(" \t\r\n") == text.npos;
}

std::string what_is_unfinished(std::string_view text, const std::string& mine) {
  return Scanner(text, mine).fault();
}

}  // namespace napkin::exercises
