#include "code_places/function_name.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace poprt {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::string_view kOperator = "operator";
constexpr std::string_view kLambda = "{lambda(";
constexpr std::string_view kClangLambda = "$_";
constexpr std::string_view kCall = "::operator()";

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool starts(std::string_view text, size_t at, std::string_view what) {
  return text.substr(at, what.size()) == what;
}

// The position after the bracket that closes the one at `at`, or the end of the
// text.
size_t behind_bracket(std::string_view text, size_t at) {
  int depth = 0;
  for (size_t i = at; i < text.size(); ++i) {
    const char c = text[i];
    // The arrow of a trailing return type, or operator-> as an argument.
    if (c == '>' && i > at && text[i - 1] == '-') continue;
    if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '>' || c == '}' || c == ']') --depth;
    if (depth == 0) return i + 1;
  }
  return text.size();
}

// The position after the name of an operator, which begins at `at` with
// "operator".
size_t behind_operator(std::string_view text, size_t at) {
  size_t end = at + kOperator.size();
  if (starts(text, end, "()") || starts(text, end, "[]")) return end + 2;
  if (text[end] == ' ') {  // operator bool, operator new[]
    const size_t parameters = text.find('(', end);
    return parameters == std::string_view::npos ? text.size() : parameters;
  }
  // An operator template: "operator< <int>".
  while (end < text.size() && text[end] != '(' && text[end] != ' ') ++end;
  return end;
}

std::string demangled(const std::string& symbol) {
  if (symbol.compare(0, 2, "_Z") != 0) return symbol;
  int status = 0;
  char* const text =
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  if (text == nullptr) return symbol;
  const std::string name = without_arguments(text);
  std::string result = name.empty() ? std::string(text) : name;
  std::free(text);
  return result;
}

}  // namespace

// Walks through the text outside of brackets: a blank there ends the return
// type, and a parenthesis begins the parameters, unless the scope of a local
// name follows them.
std::string without_arguments(std::string_view text) {
  std::string name;
  for (size_t i = 0; i < text.size();) {
    const bool at_word = i == 0 || !is_word(text[i - 1]);
    if (at_word && starts(text, i, kOperator) &&
        i + kOperator.size() < text.size() &&
        !is_word(text[i + kOperator.size()])) {
      const size_t end = behind_operator(text, i);
      name += text.substr(i, end - i);
      i = end;
      if (starts(text, i, " <")) ++i;
    } else if (starts(text, i, kAnonymous)) {
      name += kAnonymous;
      i += kAnonymous.size();
    } else if (starts(text, i, kLambda)) {
      name += "lambda";
      i = behind_bracket(text, i);
      if (starts(text, i, kCall)) i += kCall.size();
    } else if (starts(text, i, kClangLambda)) {
      name += "lambda";
      i = std::min(text.find(':', i), text.size());
      if (starts(text, i, kCall)) i += kCall.size();
    } else if (text[i] == '<') {
      i = behind_bracket(text, i);
    } else if (text[i] == '(') {
      i = behind_bracket(text, i);
      if (starts(text, i, " const::")) i += sizeof " const" - 1;
      if (!starts(text, i, "::")) break;
    } else if (text[i] == ' ') {
      name.clear();
      ++i;
    } else {
      name += text[i++];
    }
  }
  return name;
}

// Names in C, C++ and Fortran contain no dot; '@' begins a symbol's version.
bool is_part(std::string_view symbol) {
  return symbol.find('.') != std::string_view::npos;
}

std::string_view whole_of(std::string_view symbol) {
  return symbol.substr(0, symbol.find_first_of(".@"));
}

std::string function_name(const std::string& symbol) {
  const std::string whole(whole_of(symbol));
  return whole.empty() ? symbol : demangled(whole);
}

}  // namespace poprt
