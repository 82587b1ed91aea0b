#include "command/metric_docs.h"

#include <algorithm>
#include <iterator>

namespace poprt {
namespace {

// From behind `begin` to `end` or the end of the text; empty without `begin`.
std::string_view between(std::string_view text, const std::string& begin,
                         std::string_view end) {
  const size_t found = text.find(begin);
  if (found == std::string_view::npos) return {};
  text.remove_prefix(found + begin.size());
  return text.substr(0, text.find(end));
}

// On one line, without what marks code and emphasis.
std::string plain(std::string_view markdown) {
  std::string result;
  for (const char c : markdown) {
    if (c == '`') continue;
    const bool blank = c == ' ' || c == '\n';
    if (blank && (result.empty() || result.back() == ' ')) continue;
    result += blank ? ' ' : c;
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

// The first code with an operator: pieces are joined by "=" or "x", and a
// single name is no formula.
std::string formula_in(std::string_view markdown) {
  std::string formula;
  for (size_t begin = markdown.find('`'); begin != std::string_view::npos;) {
    const size_t end = markdown.find('`', begin + 1);
    if (end == std::string_view::npos) return "";
    formula += markdown.substr(begin + 1, end - begin - 1);
    const std::string_view rest = markdown.substr(end + 1);
    if (rest.starts_with(" = `") || rest.starts_with(" x `")) {
      formula += rest.substr(0, 3);
    } else if (formula.find(' ') != std::string::npos) {
      return formula;
    } else {
      formula.clear();
    }
    begin = markdown.find('`', end + 1);
  }
  return "";
}

// One spelling of a name: lower case, British, with the words of the keys.
std::string normalised(const std::string& name) {
  std::string result;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    result += c == ' ' || c == '-' ? '_'
              : upper              ? static_cast<char>(c - 'A' + 'a')
                                   : c;
  }
  if (const size_t z = result.find("serialization"); z != std::string::npos) {
    result.replace(z, 13, "serialisation");
  }
  if (result.rfind("omp_", 0) == 0) result.replace(0, 3, "openmp");
  return result;
}

bool is_named(const Metric& metric, const std::string& name) {
  const std::string key = normalised(metric.key);
  return name == key || name + "_efficiency" == key ||
         name == normalised(metric.label);
}

// The paragraph of a key in the section that begins with this heading.
MetricDocs docs_in(const std::string& heading, const std::string& key) {
  const std::string_view section = between(metrics_md(), heading, "\n## ");
  std::string_view paragraph =
      between(section, "- **`" + key + "`** ", "\n- **");
  // The last paragraph of a section ends with the list.
  paragraph = paragraph.substr(0, paragraph.find("\n\n"));
  const size_t low = paragraph.find("Low: ");
  MetricDocs docs;
  docs.definition = plain(paragraph.substr(0, low));
  if (low != std::string_view::npos) {
    docs.low = plain(paragraph.substr(low + 5));
  }
  docs.formula = formula_in(paragraph.substr(0, low));
  return docs;
}

}  // namespace

MetricDocs docs_of(const Metric& metric) {
  return docs_in(std::string("## `") + key_of(metric.model) + "`\n",
                 metric.key);
}

MetricDocs scaling_docs_of(const std::string& key) {
  return docs_in("## Against a reference run\n", key);
}

const std::vector<ScalingName>& scaling_names() {
  static const auto* const names = new std::vector<ScalingName>{
      {"run_time_ns", "run time", 0},
      {"speedup", "speedup", 0},
      {"speedup_efficiency", "speedup / ideal", 0},
      {"global_efficiency", "Global Efficiency", 0},
      {"computation_scaling", "Computation Scaling", 1},
      {"instruction_scaling", "Instruction Scaling", 2},
      {"ipc_scaling", "IPC Scaling", 2},
      {"frequency_scaling", "Frequency Scaling", 2}};
  return *names;
}

std::optional<ScalingName> scaling_named(const std::string& name) {
  const std::string key = normalised(name);
  for (const ScalingName& each : scaling_names()) {
    const std::string own = each.key;
    if (key == own || key + "_ns" == own || key + "_efficiency" == own ||
        key == normalised(each.label)) {
      return each;
    }
  }
  return std::nullopt;
}

std::vector<Metric> metrics_named(const std::string& name,
                                  const std::vector<Model>& models) {
  std::string key = normalised(name);
  std::vector<Model> wanted = models;
  if (const size_t dot = key.find('.'); dot != std::string::npos) {
    const std::string prefix = key.substr(0, dot);
    wanted.clear();
    std::copy_if(std::begin(kModels), std::end(kModels),
                 std::back_inserter(wanted),
                 [&](Model each) { return prefix == key_of(each); });
    key.erase(0, dot + 1);
  }
  std::vector<Metric> found;
  size_t count;
  const Metric* const table = metric_table(&count);
  for (const Model model : wanted) {
    std::copy_if(table, table + count, std::back_inserter(found),
                 [&](const Metric& metric) {
                   return metric.model == model && is_named(metric, key);
                 });
  }
  return found;
}

std::optional<Metric> metric_named(const std::string& name, Model usual) {
  std::vector<Model> models = {usual, Model::kCriticalPath};
  models.insert(models.end(), std::begin(kModels), std::end(kModels));
  const std::vector<Metric> found = metrics_named(name, models);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

}  // namespace poprt
