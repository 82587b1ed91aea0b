// Renders documents as LaTeX with booktabs' rules: a piece to \input into a
// paper.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "document/format.h"
#include "document/render.h"
#include "document/shown.h"
#include "document/unicode.h"

namespace poprt {
namespace {

// Of what pdfLaTeX does not know it shows the number; the other engines know
// all characters, if the font has them.  A table that is wider than its column
// is made smaller.
constexpr char kPreamble[] =
    "% Needs \\usepackage{booktabs,graphicx}.\n"
    "\\DeclareRobustCommand{\\poprtchar}[2]"
    "{\\ifdefined\\Umathchar#2\\else U+#1\\fi}\n"
    "\\ifdefined\\poprtbox\\else\\newsavebox{\\poprtbox}\\fi\n"
    "\\def\\poprttable{\\ifdim\\wd\\poprtbox>\\linewidth"
    "\\resizebox{\\linewidth}{!}{\\usebox{\\poprtbox}}"
    "\\else\\usebox{\\poprtbox}\\fi}\n";

// Of names of columns.  Longer ones would make the whole table small.
constexpr size_t kColumnWidth = 24;

// Letters that every engine has in its default fonts.
bool is_known_everywhere(char32_t code) {
  constexpr std::u32string_view kNotInOT1 = U"ÐÞðþ×÷";
  return code < 0x80 || (code >= 0xc0 && code <= 0xff &&
                         kNotInOT1.find(code) == std::u32string_view::npos);
}

std::string_view escape_of(char c) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '~':
      return "\\textasciitilde{}";
    case '^':
      return "\\textasciicircum{}";
    case '|':
      return "\\textbar{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '`':
      return "\\char96{}";
    // Active in some languages of babel.
    case '"':
      return "\\char34{}";
    case '#':
      return "\\#";
    case '$':
      return "\\$";
    case '%':
      return "\\%";
    case '&':
      return "\\&";
    case '_':
      return "\\_";
    case '{':
      return "\\{";
    case '}':
      return "\\}";
    // They would be options of \\ and \item.
    case '[':
      return "{[}";
    case ']':
      return "{]}";
    case '*':
      return "{*}";
    default:
      return "";
  }
}

std::string latex_escaped(const std::string& raw) {
  const std::string printable_text = printable(raw);
  std::string result;
  for (std::string_view text = printable_text; !text.empty();) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.length);
    if (!is_known_everywhere(character.code)) {
      result += fmt::format("\\poprtchar{{{:04X}}}{{{}}}",
                            static_cast<uint32_t>(character.code), bytes);
    } else if (const auto escape = escape_of(bytes.front()); !escape.empty()) {
      result += escape;
    } else {
      result += bytes;
    }
    text.remove_prefix(character.length);
    // Two of them are not a dash.
    if (bytes == "-" && text.starts_with('-')) result += "{}";
  }
  return result;
}

// A command, which may be broken into lines after its slashes.
std::string latex_command(const std::string& command) {
  std::string result;
  for (size_t from = 0; from < command.size();) {
    const size_t slash = std::min(command.find('/', from), command.size() - 1);
    result += latex_escaped(command.substr(from, slash + 1 - from));
    if (command[slash] == '/') result += "\\allowbreak{}";
    from = slash + 1;
  }
  return "\\texttt{" + result + "}";
}

// `alignment`: of its columns.
std::string tabular(const std::string& alignment, const std::string& lines) {
  return "\\begin{lrbox}{\\poprtbox}\n\\begin{tabular}{" + alignment +
         "}\n\\toprule\n" + lines +
         "\\bottomrule\n\\end{tabular}\n\\end{lrbox}\n\\poprttable\n";
}

std::string joined_cells(const std::vector<std::string>& cells,
                         std::string_view between) {
  return fmt::format("{}", fmt::join(cells, between));
}

// One table, with the reasons in its cells as numbered notes.
class LatexTable {
 public:
  explicit LatexTable(const Table& table) : table_(table) {}

  std::string text() {
    std::string rows;
    for (const TableRow& row : table_.rows) {
      if (!row.is_minor) rows += line_of(row);
    }
    std::string title = latex_escaped(table_.title);
    if (!table_.region.empty())
      title = latex_escaped(table_.region) + ": " + title;
    std::vector<std::string> names = {""};
    std::string alignment = "l";
    for (const TableColumn& column : table_.columns) {
      names.push_back(
          latex_escaped(shortened(printable(column.name), kColumnWidth)));
      alignment += column.is_text ? "l" : "r";
    }
    return "\\begin{table}[htbp]\n\\centering\n\\caption{" + title +
           "}\n\\smallskip\n" +
           tabular(alignment,
                   joined_cells(names, " & ") + " \\\\\n\\midrule\n" + rows) +
           notes() + "\\end{table}\n";
  }

 private:
  std::string line_of(const TableRow& row) {
    std::string label;
    for (int i = 0; i < row.depth; ++i) label += "\\quad ";
    label += latex_escaped(row.label);
    if (row.cells.empty()) {
      return fmt::format("\\multicolumn{{{}}}{{l}}{{{}}} \\\\\n",
                         table_.columns.size() + 1, label);
    }
    std::vector<std::string> cells = {label};
    for (const TableCell& cell : row.cells) cells.push_back(latex_of(cell));
    return joined_cells(cells, " & ") + " \\\\\n";
  }

  // Marks and numbers of notes stand beside a number, and do not move it.
  std::string latex_of(const TableCell& cell) {
    const ShownCell of_cell = shown(cell);
    const bool is_number = cell.unit != CellUnit::kText;
    std::string text = latex_escaped(of_cell.number);
    if (is_number && of_cell.number.starts_with('-')) {
      text = of_cell.number == "-" ? "--" : "$-$" + of_cell.number.substr(1);
    }
    if (!cell.reason.empty()) {
      return text + fmt::format("\\rlap{{\\textsuperscript{{{}}}}}",
                                number_of(cell.reason));
    }
    if (of_cell.sign.empty()) return text;
    return text + "\\rlap{\\," + latex_escaped(of_cell.sign) + "}";
  }

  size_t number_of(const std::string& reason) {
    auto found = std::ranges::find(reasons_, reason);
    if (found == reasons_.end()) found = reasons_.insert(found, reason);
    return static_cast<size_t>(found - reasons_.begin()) + 1;
  }

  std::string notes() const {
    std::vector<std::string> lines;
    for (size_t i = 0; i < reasons_.size(); ++i) {
      lines.push_back(fmt::format("\\textsuperscript{{{}}} {}", i + 1,
                                  latex_escaped(reasons_[i])));
    }
    if (!table_.apart.empty()) lines.push_back(latex_escaped(table_.apart));
    for (const std::string& meaning : meanings_of(table_.columns)) {
      lines.push_back(latex_escaped(meaning));
    }
    for (const std::string& note : table_.notes)
      lines.push_back(latex_escaped(note));
    if (!table_.more.empty()) lines.push_back(latex_escaped(table_.more));
    if (lines.empty()) return "";
    return "\\par\\smallskip\\footnotesize\n" + joined_cells(lines, " \\\\\n") +
           "\n";
  }

  const Table& table_;
  std::vector<std::string> reasons_;
};

// The whole is 50 mm wide.
std::string latex_of(const Bars& bars) {
  std::string lines;
  for (const Bar& bar : bars.bars) {
    lines += fmt::format("{} & {}.{}\\,\\% & \\rule{{{}.{}mm}}{{1.5ex}} \\\\\n",
                         latex_escaped(bar.label), bar.tenths / 10,
                         bar.tenths % 10, std::max(0, bar.tenths) / 20,
                         std::max(0, bar.tenths) / 2 % 10);
  }
  return "\\begin{table}[htbp]\n\\centering\n\\caption{" +
         latex_escaped(bars.title) + "}\n\\smallskip\n" +
         tabular("lrl", lines) + "\\end{table}\n";
}

std::string latex_of(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings.findings) {
    text += (text.empty() ? "" : " ") + latex_escaped(finding.sentence);
  }
  if (!text.empty()) text = "\\noindent " + text + "\n";
  if (findings.next.empty()) return text;
  return text + (text.empty() ? "" : "\n") +
         "\\noindent{\\raggedright Try next: " + latex_command(findings.next) +
         "\\par}\n";
}

std::string latex_of(const FactList& list) {
  if (list.facts.empty()) return "";
  std::string text = "\\begin{description}\n";
  for (const Fact& fact : list.facts) {
    const std::string words = latex_escaped(fact.lead + fact.text);
    text += fact.label.empty()
                ? words + "\n"
                : "\\item[" + latex_escaped(fact.label) + "] " + words + "\n";
  }
  if (list.facts.front().label.empty()) {
    text.insert(text.find('\n') + 1, "\\item[] ");
  }
  return text + "\\end{description}\n";
}

std::string latex_of(const Block& block) {
  if (const auto* table = std::get_if<Table>(&block)) {
    return LatexTable(*table).text();
  }
  if (const auto* bars = std::get_if<Bars>(&block)) return latex_of(*bars);
  if (const auto* list = std::get_if<FactList>(&block)) return latex_of(*list);
  if (const auto* findings = std::get_if<Findings>(&block)) {
    return latex_of(*findings);
  }
  if (const auto* section = std::get_if<Section>(&block)) {
    return "\\section{" + latex_escaped(section->title) + "}\n";
  }
  const auto& paragraph = *std::get_if<Paragraph>(&block);
  return paragraph.is_open
             ? "\\emph{To write: " + latex_escaped(paragraph.text) + "}\n"
             : latex_escaped(paragraph.text) + "\n";
}

}  // namespace

std::string render_latex(const Document& document) {
  std::string text = kPreamble;
  text += "\n\\paragraph{" + latex_escaped(document.title) + "}\n";
  for (const auto& facts : document.lines) {
    std::vector<std::string> words;
    for (const std::string& fact : facts) words.push_back(latex_escaped(fact));
    text += joined_cells(words, "; ") + ".\n";
  }
  const auto add = [&](const std::string& block) {
    if (!block.empty()) text += "\n" + block;
  };
  add(latex_of(document.facts));
  for (const Block& block : document.blocks) add(latex_of(block));
  return text;
}

}  // namespace poprt
