// Whether a port rotates queries and keys as the model does. C++17, without libraries.
//
// fixtures.json says what is right, and what each known mistake would make of it. Fill in rotate(), compile this file
// with the port, and run it with the path of fixtures.json. What fails is named; the exit code is then 1.

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace {

// The types that the port is tested in, by the names of fixtures.json; float16 may be tested as bfloat16 is.
const std::vector<std::string> dtypes = {"float32"};

struct Section {
  std::string name, layers;                    // which layers are meant
  int heads, tokens, dim, first, count;        // of the dim dimensions of a head, count rotate from first on
  std::vector<std::vector<double>> positions;  // [axes][tokens], of one axis in most models
};

// =====================================================================================================================
// Call the port here. q and k are [heads, tokens, dim], row-major, whole heads whose values the dtype holds: rotate
// them in place.
void rotate(const Section& section, std::vector<float>& q, std::vector<float>& k, const std::string& dtype) {
  (void)section, (void)q, (void)k, (void)dtype;
  std::cerr << "call the port in rotate()\n";
  std::exit(2);
}
// =====================================================================================================================

// A value of fixtures.json.
struct Value {
  bool is_null = false;
  double number = 0;
  std::string text;
  std::vector<Value> items;
  std::map<std::string, Value> members;

  bool has(const std::string& key) const { return members.count(key) > 0; }
  const Value& operator[](const std::string& key) const { return members.at(key); }
  std::vector<double> numbers() const {
    std::vector<double> made;
    for (const Value& item : items) made.push_back(item.number);
    return made;
  }
};

struct Reader {
  const char* next;

  char peek() {
    while (*next == ' ' || *next == '\n' || *next == '\r' || *next == '\t' || *next == ',' || *next == ':') ++next;
    return *next;
  }

  std::string text() {
    std::string made;
    for (++next; *next != '"' && *next != 0; ++next) {
      if (*next == '\\') ++next;
      made += *next;
    }
    ++next;
    return made;
  }

  Value value() {
    Value made;
    const char first = peek();
    if (first == '"') {
      made.text = text();
    } else if (first == '[') {
      for (++next; peek() != ']' && *next != 0;) made.items.push_back(value());
      ++next;
    } else if (first == '{') {
      for (++next; peek() == '"';) {
        const std::string key = text();
        made.members[key] = value();
      }
      ++next;
    } else if (first == 'n' || first == 't' || first == 'f') {  // null, true and false
      made.is_null = first == 'n';
      next += first == 'f' ? 5 : 4;
    } else {
      char* end = nullptr;
      made.number = std::strtod(next, &end);
      if (end == next) {
        std::cerr << "this is no fixtures.json\n";
        std::exit(2);
      }
      next = end;
    }
    return made;
  }
};

// Describes what is wrong with outputs [tokens, dim]; empty if nothing is.
std::string problem(const Value& fixtures, const Value& section, const std::vector<double>& values,
                    const std::string& dtype) {
  const std::vector<double> indices = section["indices"].numbers(), outputs = section["outputs"].numbers();
  const std::vector<double> tolerances = section["tolerances"][dtype].numbers();
  const auto dim = static_cast<std::size_t>(section["dims"]["dim"].number);
  std::vector<double> errors;
  std::size_t worst = 0;
  double size = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto index = static_cast<std::size_t>(indices[i]);
    errors.push_back(values[index] - outputs[i]);
    const double own = std::fabs(errors[i]) / tolerances[index / dim];
    if (!(own <= size) && !std::isnan(size)) size = own, worst = i;
  }
  bool passes = size <= 1;
  const Value* best = nullptr;
  double left = fixtures["namedResidual"].number;
  for (const Value& mistake : section["mistakes"].items) {
    std::vector<double> at, moves;
    if (mistake.has("times")) {
      for (std::size_t i = 0; i < section["rotated"].number; ++i) {
        at.push_back(static_cast<double>(i));
        moves.push_back(outputs[i] * (mistake["times"].number - 1));
      }
    } else {
      at = mistake["at"].numbers(), moves = mistake["moves"].numbers();
    }
    double squares = 0, product = 0, rest = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double error = errors[static_cast<std::size_t>(at[i])];
      squares += moves[i] * moves[i];
      product += error * moves[i];
      rest += (error - moves[i]) * (error - moves[i]);
    }
    double tolerance = fixtures["scoreTolerance"].number;
    bool is_detected = true;
    if (mistake.has(dtype)) tolerance = mistake[dtype].number, is_detected = !mistake[dtype].is_null;
    passes = passes && (!is_detected || std::fabs(product / squares) <= tolerance);
    if (rest / squares <= left) best = &mistake, left = rest / squares;
  }
  if (passes) return "";
  std::string found = "none of the mistakes known here";
  if (best != nullptr) {
    found.clear();
    for (const Value& name : (*best)["names"].items)
      found += (found.empty() ? "" : " or ") + name.text + " (" + fixtures["meanings"][name.text].text + ")";
  }
  const auto index = static_cast<std::size_t>(indices[worst]);
  char where[160];
  std::snprintf(where, sizeof where, "; token %zu, dimension %zu is %.6g in place of %.6g, %.3g tolerances off",
                index / dim, index % dim, values[index], outputs[worst], size);
  return found + where;
}

int count_problems(const Value& fixtures, const std::string& dtype) {
  int count = 0;
  for (const Value& each : fixtures["sections"].items) {
    const Value& dims = each["dims"];
    const auto whole = [](const Value& value) { return static_cast<int>(value.number); };
    const int heads = whole(fixtures["heads"]);
    Section section{each["name"].text,    each["layers"].text,  heads, 0, whole(dims["dim"]),
                    whole(dims["first"]), whole(dims["count"]), {}};
    for (const Value& axis : each["positions"].items) section.positions.push_back(axis.numbers());
    section.tokens = static_cast<int>(section.positions[0].size());
    const double times = fixtures["keys"].number;
    std::vector<float> q, k;
    for (int row = 0; row < heads * section.tokens; ++row)
      for (const double x : each["input"].numbers())
        q.push_back(static_cast<float>(x)), k.push_back(static_cast<float>(times * x));
    rotate(section, q, k, dtype);
    for (const bool is_key : {false, true}) {
      std::vector<double> values;
      for (const float y : is_key ? k : q) values.push_back(is_key ? y / times : y);
      // All heads are alike. The last comes first: the first head's index, 0, looks like no rotation.
      std::string wrong;
      const auto size = static_cast<std::ptrdiff_t>(values.size()) / heads;
      for (int head = heads; wrong.empty() && head-- > 0;)
        wrong = problem(fixtures, each, {values.begin() + head * size, values.begin() + (head + 1) * size}, dtype);
      if (wrong.empty()) continue;
      ++count;
      std::cout << section.name << ", " << (is_key ? "keys" : "queries") << ", " << dtype << ": " << wrong << "\n";
    }
  }
  return count;
}

}  // namespace

int main(int count, char** arguments) {
  std::ifstream file(count > 1 ? arguments[1] : "fixtures.json");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Reader reader{text.c_str()};
  const Value fixtures = reader.value();
  int found = 0;
  for (const std::string& dtype : dtypes) found += count_problems(fixtures, dtype);
  if (found == 0) std::cout << "as the model does\n";
  return found == 0 ? 0 : 1;
}
