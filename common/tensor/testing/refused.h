// For the tests: what is refused says why.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <string>

#include "common/core/error.h"

namespace napkin {

// The action must throw Error with a sentence that holds every given part.
inline void expect_refused(const std::function<void()>& action,
                           std::initializer_list<const char*> parts) {
  try {
    action();
    ADD_FAILURE() << "not refused; expected a sentence with \"" << *parts.begin() << "\"";
  } catch (const Error& error) {
    const std::string sentence = error.what();
    for (const char* part : parts)
      EXPECT_NE(sentence.find(part), std::string::npos) << "no \"" << part << "\" in: " << sentence;
  }
}

}  // namespace napkin
