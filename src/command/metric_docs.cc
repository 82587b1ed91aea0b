#include "command/metric_docs.h"

#include <algorithm>
#include <iterator>

namespace poprt {
namespace {

// The text after `begin` up to `end` or the end of the text; empty if there is
// no `begin`.
std::string_view between(std::string_view text, const std::string& begin,
                         std::string_view end) {
  const size_t found = text.find(begin);
  if (found == std::string_view::npos) return {};
  text.remove_prefix(found + begin.size());
  return text.substr(0, text.find(end));
}

// The text on one line, without the marks for code and emphasis.
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

// The first code with an operator.  Pieces are joined by "=" or "x"; a single
// name is no formula.
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

// One spelling of a name: small letters and digits only, British, "openmp",
// "scaling" for "scalability", and without "Efficiency" or "GHz" at its end.
std::string normalised(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') result += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) result += c;
  }
  for (const std::string_view noun : {"serialization", "vectorization"}) {
    const size_t found = result.find(noun);
    if (found != std::string::npos) result[found + noun.size() - 6] = 's';
  }
  if (result.starts_with("omp")) result.replace(0, 3, "openmp");
  for (const std::string_view end : {"efficiency", "ghz"}) {
    if (result.ends_with(end) && result.size() > end.size()) {
      result.resize(result.size() - end.size());
    }
  }
  constexpr std::string_view kScalability = "scalability";
  if (result.ends_with(kScalability)) {
    result.replace(result.size() - kScalability.size(), kScalability.size(),
                   "scaling");
  }
  return result;
}

// Whether a metric is meant, by what it is called here or elsewhere.
template <class AnyMetric>
bool has_own_name(const AnyMetric& metric, const std::string& name) {
  return name == normalised(metric.key) || name == normalised(metric.label);
}
template <class AnyMetric>
bool has_other_name(const AnyMetric& metric, const std::string& name) {
  const std::vector<std::string> names = docs_of(metric).other_names;
  return std::ranges::any_of(
      names, [&](const std::string& each) { return name == normalised(each); });
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const size_t comma = list.find(", ");
    words.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(list.size(), comma + 2));
    if (comma == std::string_view::npos) break;
  }
  return words;
}

// The paragraph of a key in the section that begins with this heading.
MetricDocs docs_in(const std::string& heading, const std::string& key) {
  const std::string_view section = between(metrics_md(), heading, "\n## ");
  std::string_view paragraph =
      between(section, "- **`" + key + "`** ", "\n- **");
  // The last paragraph of a section ends with its list.
  paragraph = paragraph.substr(0, paragraph.find("\n\n"));
  std::string text = plain(paragraph);
  // Cuts what follows a mark off the text; without its full stop.
  const auto cut = [&](std::string_view mark) {
    const size_t found = text.find(mark);
    if (found == std::string::npos) return std::string();
    std::string rest = text.substr(found + mark.size());
    text.resize(found);
    return rest;
  };
  std::string names = cut(" Also called ");
  if (!names.empty()) names.pop_back();
  MetricDocs docs;
  docs.other_names = split(names);
  docs.low = cut(" Low: ");
  docs.with_accelerators = cut(" With accelerators: ");
  if (!docs.with_accelerators.empty()) docs.with_accelerators.pop_back();
  docs.definition = text;
  docs.formula = formula_in(paragraph.substr(0, paragraph.find("Low: ")));
  return docs;
}

std::string heading_of(std::string_view model) {
  return "## `" + std::string(model) + "`\n";
}
std::string heading_of(Model model) { return heading_of(key_of(model)); }

// The model whose rows another one has as they are, but for its own; nullopt if
// there is none.
std::optional<Model> base_of(Model model) {
  switch (model) {
    case Model::kWaiting:
      return Model::kCriticalPath;
    case Model::kCriticalPath:
    case Model::kMultiplicative:
      return Model::kPop;
    default:
      return std::nullopt;
  }
}

void replace_all(std::string_view from, std::string_view to,
                 std::string* text) {
  for (size_t at = text->find(from); at != std::string::npos;
       at = text->find(from, at + to.size())) {
    text->replace(at, from.size(), to);
  }
}

// Of double precision is said what is said of single precision.
MetricDocs in_double_precision(MetricDocs docs) {
  for (std::string* const text : {&docs.definition, &docs.low, &docs.formula}) {
    replace_all("single", "double", text);
  }
  return docs;
}

// What a name means: in which models to look, and what for.
struct Wanted {
  std::vector<Model> models;
  std::string name;
};

Wanted wanted_by(const std::string& name, const std::vector<Model>& models) {
  const size_t dot = name.find('.');
  if (dot == std::string::npos) return {models, normalised(name)};
  Wanted wanted = {{}, normalised(name.substr(dot + 1))};
  const std::string prefix = normalised(name.substr(0, dot));
  std::ranges::copy_if(
      kModels, std::back_inserter(wanted.models),
      [&](Model each) { return prefix == normalised(key_of(each)); });
  return wanted;
}

std::vector<Metric> found_in(Model model, const std::string& name, bool own) {
  std::vector<Metric> found;
  std::ranges::copy_if(
      metrics_in(model), std::back_inserter(found), [&](const Metric& metric) {
        return own ? has_own_name(metric, name) : has_other_name(metric, name);
      });
  return found;
}

}  // namespace

MetricDocs docs_of(const Metric& metric) {
  const std::string key = metric.key;
  constexpr std::string_view kDouble = "double_";
  if (key.starts_with(kDouble)) {
    return in_double_precision(docs_in(heading_of(metric.model),
                                       "single_" + key.substr(kDouble.size())));
  }
  MetricDocs docs;
  for (std::optional<Model> model = metric.model;
       model && docs.definition.empty(); model = base_of(*model)) {
    docs = docs_in(heading_of(*model), key);
  }
  return docs;
}

MetricDocs docs_of(const ScalingMetric& metric) {
  std::string key = metric.key;
  MetricDocs docs = docs_in("## Against a reference run\n", key);
  if (!docs.definition.empty()) return docs;
  // A number of the run itself.
  constexpr std::string_view kAverage = "average_";
  if (key.starts_with(kAverage)) key.erase(0, kAverage.size());
  docs = docs_in(heading_of(Model::kComputation), key);
  return docs.definition.empty() ? docs_in(heading_of(kHostsModel), key) : docs;
}

MetricDocs docs_of(const JobNumber& number) {
  return docs_in(heading_of(kHostsModel), number.key);
}

std::vector<Metric> rows_below(const Metric& metric) {
  std::vector<Metric> below;
  bool is_below = false;
  for (const Metric& each : metrics_in(metric.model)) {
    if (is_below && each.depth <= metric.depth) break;
    if (is_below && each.depth == metric.depth + 1) below.push_back(each);
    is_below = is_below || each == metric;
  }
  return below;
}

MetricDocs docs_with_accelerators(const Metric& metric) {
  MetricDocs docs = docs_of(metric);
  if (docs.with_accelerators.empty()) return docs;
  docs.definition += " With accelerators: " + docs.with_accelerators + ".";
  docs.formula = docs.with_accelerators;
  return docs;
}

std::vector<Metric> metrics_named(const std::string& name,
                                  const std::vector<Model>& models) {
  const Wanted wanted = wanted_by(name, models);
  std::vector<Metric> metrics;
  for (const Model model : wanted.models) {
    std::vector<Metric> found = found_in(model, wanted.name, /*own=*/true);
    if (found.empty()) found = found_in(model, wanted.name, /*own=*/false);
    metrics.insert(metrics.end(), found.begin(), found.end());
  }
  return metrics;
}

std::optional<Metric> metric_named(const std::string& name, Model usual) {
  std::vector<Model> models = {usual, Model::kCriticalPath};
  models.insert(models.end(), std::begin(kModels), std::end(kModels));
  const Wanted wanted = wanted_by(name, models);
  for (const bool own : {true, false}) {
    for (const Model model : wanted.models) {
      const std::vector<Metric> found = found_in(model, wanted.name, own);
      if (!found.empty()) return found.front();
    }
  }
  return std::nullopt;
}

const ScalingMetric* scaling_named(const std::string& name) {
  // The key first: "speedup" and "speedup_efficiency" are two.
  for (const ScalingMetric& each : kScalingMetrics) {
    if (name == each.key) return &each;
  }
  const std::string wanted = normalised(name);
  for (const ScalingMetric& each : kScalingMetrics) {
    if (has_own_name(each, wanted) || wanted + "ns" == normalised(each.key)) {
      return &each;
    }
  }
  for (const ScalingMetric& each : kScalingMetrics) {
    if (has_other_name(each, wanted)) return &each;
  }
  return nullptr;
}

const JobNumber* job_number_named(const std::string& name) {
  const std::string prefix = std::string(kHostsModel) + ".";
  const std::string wanted =
      normalised(name.starts_with(prefix) ? name.substr(prefix.size()) : name);
  for (const JobNumber& each : job_numbers()) {
    if (has_own_name(each, wanted) || has_other_name(each, wanted)) {
      return &each;
    }
  }
  return nullptr;
}

}  // namespace poprt
