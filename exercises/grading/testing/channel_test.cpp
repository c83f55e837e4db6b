// What goes down the channel comes out of it.
#include <gtest/gtest.h>

#include "exercises/grading/channel.h"

namespace napkin::exercises {
namespace {

using Fields = std::vector<std::string>;

TEST(Channel, FieldsComeBackAsTheyWere) {
  const std::string every_byte = [] {
    std::string text;
    for (int c = 0; c < 256; ++c) text += static_cast<char>(c);
    return text;
  }();
  for (const Fields& fields : {Fields{"passed"}, Fields{"failed", "", ""}, Fields{""},
                               Fields{"a\tb", "c\nd", "e\\f", "\\", "\\t", "\\n", "\t\n\\"},
                               Fields{"", "", ""}, Fields{"小数", "é"}, Fields{every_byte}}) {
    const std::string line = written_fields(fields);
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_EQ(read_fields(line), fields) << line;
  }
}

TEST(Channel, LongFieldsAreCutBetweenCharacters) {
  for (const std::size_t shift : {0u, 1u, 2u}) {
    std::string text(shift, 'x');
    while (text.size() < 3 * longest_field) text += "数";  // three bytes
    const std::string kept = read_fields(written_fields({text, "next"}))[0];
    EXPECT_LE(kept.size(), longest_field);
    EXPECT_GT(kept.size(), longest_field - 3);
    EXPECT_EQ((kept.size() - shift) % 3, 0u);
    EXPECT_EQ(text.substr(0, kept.size()), kept);
  }
  const std::string exact(longest_field, 'x');
  EXPECT_EQ(read_fields(written_fields({exact}))[0], exact);
  EXPECT_EQ(read_fields(written_fields({std::string(5000, '\t')}))[0].size(), longest_field);
  EXPECT_NO_THROW(written_fields({std::string(5000, '\x80')}));  // no UTF-8 at all
}

TEST(Channel, AnythingCanBeRead) {
  EXPECT_EQ(read_fields(""), Fields{""});
  EXPECT_EQ(read_fields("\\"), Fields{"\\"});  // cut inside an escape
  EXPECT_EQ(read_fields("\\x"), Fields{"x"});
  EXPECT_EQ(read_fields("\t"), (Fields{"", ""}));
}

TEST(Channel, MarksTellWhoseItIs) {
  const std::string mark = mark_of("abc");
  EXPECT_EQ(split_at_marks("early" + mark + "no line end" + mark + "a\nb\n", "abc"),
            (Fields{"early", "no line end", "a\nb\n"}));
  EXPECT_EQ(split_at_marks(mark + "x" + mark, "abc"), (Fields{"", "x", ""}));
  EXPECT_EQ(split_at_marks("x", "abc"), Fields{"x"});
  EXPECT_EQ(split_at_marks("", "abc"), Fields{""});
}

TEST(Channel, OtherMarksAreText) {
  const std::string mark = mark_of("abc");
  for (const std::string& text :
       {mark_of("abd"), mark.substr(0, mark.size() - 1), mark.substr(1), std::string("\x1e")})
    EXPECT_EQ(split_at_marks(mark + "x" + text, "abc"), (Fields{"", "x" + text}));
}

}  // namespace
}  // namespace napkin::exercises
