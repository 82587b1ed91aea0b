// Renders documents as text for a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "document/apportion.h"
#include "document/format.h"
#include "document/render.h"
#include "document/shown.h"
#include "document/text_line.h"
#include "document/text_table.h"
#include "document/text_widths.h"

namespace poprt {
namespace {

constexpr size_t kBarWidth = 40;
constexpr size_t kBarLabels = 21;  // at least
// Longer lines are hard to read.
constexpr size_t kSentenceWidth = 100;
// Width of the first of three facts on one line.
constexpr size_t kFirstFact = 44;
constexpr size_t kSecondFact = 17;
// Of a label in a list of facts.
constexpr size_t kFactLabelMax = 30;

std::string heading_line(const std::string& title, size_t width) {
  const std::string tool = "== poprt " POPRT_VERSION " == ";
  const std::string what = shortened(printable(title), width - tool.size() - 4);
  return left(tool + what + " ", width, '=') + "\n";
}

std::string line_of(const std::vector<std::string>& facts, size_t width) {
  std::string line = " " + printable(facts.front());
  if (facts.size() == 1) return shortened(line, width) + "\n";
  const size_t third = width - kFirstFact - 2 - kSecondFact;
  return left(line, kFirstFact) + "  " + left(facts[1], kSecondFact) +
         right(facts.size() > 2 ? facts[2] : "", third) + "\n";
}

std::string text_of(const Bars& bars) {
  std::vector<double> parts;
  size_t labels = kBarLabels;
  for (const Bar& bar : bars.bars) {
    parts.push_back(bar.part);
    labels = std::max(labels, bar.label.size());
  }
  // A line has 13 columns besides its label and its bar.
  const size_t room = kReportWidth - std::min(kReportWidth, labels + 13);
  const std::vector<int> lengths =
      apportioned(parts, std::min(kBarWidth, room));
  std::string text = " " + bars.title + "\n";
  for (size_t i = 0; i < lengths.size(); ++i) {
    const Bar& bar = bars.bars[i];
    TextLine line;
    line.add_left(fmt::format("{:<{}}{:>3}.{} %", bar.label, labels + 1,
                              bar.tenths / 10, bar.tenths % 10),
                  3);
    line.add_left(
        std::string(static_cast<size_t>(std::max(0, lengths[i])), '#'), 2);
    text += line.text();
  }
  return text;
}

std::string text_of(const Findings& findings, const TextStyle& style) {
  std::string sentences;
  for (const Finding& finding : findings.findings) {
    sentences += (sentences.empty() ? "" : " ") + finding.sentence;
  }
  std::string text;
  if (!sentences.empty())
    text = wrapped(" Main finding  ", sentences, style.width);
  if (!findings.next.empty()) {
    text += wrapped(" Try next      ", printable(findings.next), style.width);
  }
  return text;
}

std::string text_of(const FactList& list, const TextStyle& style) {
  size_t width = 0;
  for (const Fact& fact : list.facts) {
    width = std::max(width, columns(printable(fact.label)));
  }
  width = std::min(width, kFactLabelMax);
  std::string text;
  for (const Fact& fact : list.facts) {
    std::string label = " ";
    if (list.has_marks) label += left(mark_of(fact.grade), 1) + " ";
    if (width > 0) {
      label += left(shortened(printable(fact.label), width), width) + "  ";
    }
    if (fact.is_apart && !text.empty()) text += "\n";
    label = painted(label + fact.lead, fact.grade, style.color);
    const std::string words = printable(fact.text);
    text +=
        list.wraps ? wrapped(label, words, style.width) : label + words + "\n";
  }
  return text;
}

std::string text_of(const Section& section) {
  const std::string title = printable(section.title);
  return " " + title + "\n " + std::string(columns(title), '-') + "\n";
}

std::string text_of(const Paragraph& paragraph, const TextStyle& style) {
  return wrapped(paragraph.is_open ? " To write: " : " ",
                 printable(paragraph.text), style.width);
}

// The width of sentences is that of the style.
std::string text_of(const Block& block, const TextStyle& style,
                    TextTables* tables) {
  if (const auto* table = std::get_if<Table>(&block)) {
    return tables->text(*table);
  }
  if (const auto* bars = std::get_if<Bars>(&block)) return text_of(*bars);
  if (const auto* list = std::get_if<FactList>(&block)) {
    return text_of(*list, style);
  }
  if (const auto* findings = std::get_if<Findings>(&block)) {
    return text_of(*findings, style);
  }
  if (const auto* section = std::get_if<Section>(&block)) {
    return text_of(*section);
  }
  return text_of(*std::get_if<Paragraph>(&block), style);
}

// The meaning of marks follows the last table that has marks.
bool is_hierarchy(const Block& block) {
  const auto* const table = std::get_if<Table>(&block);
  return table != nullptr && table->kind != Table::Kind::kList;
}

// What the widest table needs, of what there is.
size_t page_width(const std::vector<Block>& blocks, size_t limit) {
  size_t width = kReportWidth;
  for (const Block& block : blocks) {
    const auto* const table = std::get_if<Table>(&block);
    if (table != nullptr) width = std::max(width, width_needed(*table));
  }
  return std::clamp(limit, kReportWidth, width);
}

TextStyle of_sentences(const TextStyle& style, size_t page) {
  TextStyle result = style;
  result.width = std::min(page, kSentenceWidth);
  return result;
}

}  // namespace

std::string block_text(const Block& block, const TextStyle& style) {
  const size_t width = page_width({block}, style.width);
  const TextStyle sentences = of_sentences(style, width);
  TextTables tables(style.color, width, sentences.width);
  return text_of(block, sentences, &tables);
}

std::string render_text(const Document& document, const TextStyle& style) {
  const size_t width = page_width(document.blocks, style.width);
  const TextStyle sentences = of_sentences(style, width);
  std::string text;
  if (style.has_frame) {
    text = "\n" + heading_line(document.title, width);
  } else if (!document.title.empty()) {
    text = printable(document.title) + "\n";
  }
  for (const auto& facts : document.lines) text += line_of(facts, width);
  text += text_of(document.facts, sentences);
  TextTables tables(style.color, width, sentences.width);
  const auto add = [&](const std::string& block, bool with_gap) {
    if (block.empty()) return;
    text += (with_gap && !text.empty() ? "\n" : "") + block;
  };
  for (const Block& block : document.blocks) {
    if (!is_hierarchy(block)) add(tables.legend(), true);
    add(text_of(block, sentences, &tables), !goes_on(block));
  }
  add(tables.legend(), true);
  if (style.has_frame) text += std::string(width, '=') + "\n\n";
  return text;
}

}  // namespace poprt
