// Renders documents as GitHub's Markdown.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/format.h"
#include "document/render.h"
#include "document/shown.h"

namespace poprt {
namespace {

// Escapes everything that has a meaning in Markdown.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_[]<>|#~&").find(c) != std::string_view::npos) {
      result += '\\';
    }
    result += c;
  }
  return result;
}

// Lines that keep their breaks and blanks, for text with columns.
std::string preformatted(const std::string& lines) {
  // Indented by four blanks: a name could end a fence.
  std::string text = "    ";
  for (const char c : lines) {
    text += c;
    if (c == '\n') text += "    ";
  }
  text.erase(text.find_last_not_of(" \n") + 1);
  return text + "\n";
}

std::string line_of(const std::string& label,
                    const std::vector<std::string>& cells) {
  std::string line = "| " + label + (label.empty() ? "|" : " |");
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

// Why cells are "-" or out of range, each reason once.
std::string reasons_of(const Table& table) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const TableRow& row : table.rows) {
    for (const TableCell& cell : row.cells) {
      if (cell.reason.empty()) continue;
      const std::string number = shown(cell).number;
      auto of_number =
          std::find_if(reasons.begin(), reasons.end(),
                       [&](const auto& each) { return each.first == number; });
      if (of_number == reasons.end()) {
        of_number = reasons.insert(reasons.end(), {number, {}});
      }
      std::vector<std::string>& list = of_number->second;
      if (std::find(list.begin(), list.end(), cell.reason) == list.end()) {
        list.push_back(cell.reason);
      }
    }
  }
  std::string text;
  for (const auto& [number, list] : reasons) {
    text += "\n`" + number + "`: ";
    for (const std::string& reason : list) {
      text += (&reason == &list.front() ? "" : "; ") + escaped(reason);
    }
    text += "\n";
  }
  return text;
}

// A heading and a table with labels on the left and numbers on the right.
std::string text_of(const Table& table) {
  std::string text = "### ";
  if (!table.region.empty()) text += escaped(table.region) + ": ";
  text += escaped(table.title) + "\n\n";
  std::vector<std::string> names;
  std::string rule = "|---|";
  for (const TableColumn& column : table.columns) {
    names.push_back(escaped(column.name));
    rule += "---:|";
  }
  text += line_of("", names) + rule + "\n";
  for (const TableRow& row : table.rows) {
    std::string label;
    // Blanks at the start of a cell would be dropped.
    for (int i = 0; i < row.depth; ++i) label += "&emsp;";
    std::vector<std::string> cells;
    for (const TableCell& cell : row.cells) {
      const ShownCell of_cell = shown(cell);
      cells.push_back(escaped(of_cell.number) +
                      (of_cell.sign.empty() ? "" : " " + of_cell.sign));
    }
    text += line_of(label + escaped(row.label), cells);
  }
  text += reasons_of(table);
  if (!table.apart.empty()) text += "\n" + escaped(table.apart) + "\n";
  for (const std::string& note : table.notes) {
    text += "\nNote: " + escaped(note) + "\n";
  }
  return table.more.empty() ? text : text + "\n" + escaped(table.more) + "\n";
}

std::string text_of(const FactList& list) {
  std::string text;
  for (const Fact& fact : list.facts) {
    if (!fact.label.empty()) text += "- " + escaped(fact.label) + ": ";
    text += escaped(fact.lead + fact.text) + "\n";
  }
  return text;
}

std::string heading_of(const Section& section) {
  return "## " + escaped(section.title) + "\n";
}

std::string text_of(const Paragraph& paragraph) {
  return (paragraph.is_open ? "> **To write:** " : "") +
         escaped(paragraph.text) + "\n";
}

std::string text_of(const Block& block) {
  const auto* const table = std::get_if<Table>(&block);
  if (table != nullptr && table->kind != Table::Kind::kList) {
    return text_of(*table);
  }
  if (const auto* list = std::get_if<FactList>(&block)) return text_of(*list);
  if (const auto* section = std::get_if<Section>(&block)) {
    return heading_of(*section);
  }
  if (const auto* paragraph = std::get_if<Paragraph>(&block)) {
    return text_of(*paragraph);
  }
  const std::string lines = block_text(block);
  return lines.empty() ? "" : preformatted(lines);
}

}  // namespace

std::string render_markdown(const Document& document) {
  // Above its sections, if it has any.
  const bool has_sections =
      std::ranges::any_of(document.blocks, [](const Block& block) {
        return std::holds_alternative<Section>(block);
      });
  std::string text =
      (has_sections ? "# " : "## ") + escaped(document.title) + "\n";
  for (const auto& facts : document.lines) {
    text += "\n";
    for (const std::string& fact : facts) {
      text += (&fact == &facts.front() ? "" : "; ") + escaped(fact);
    }
    text += "\n";
  }
  const auto add = [&](const std::string& block, bool with_gap) {
    if (!block.empty()) text += (with_gap ? "\n" : "") + block;
  };
  add(text_of(document.facts), true);
  for (const Block& block : document.blocks) {
    add(text_of(block), !goes_on(block));
  }
  return text;
}

}  // namespace poprt
