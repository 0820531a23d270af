#include "holdfast/answers/asked/asked_instance.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/pack.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/ask.hpp"
#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/workflow/wfformat.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast {

namespace {

// The beginnings of messages of ObjectReader.
constexpr std::string_view kUnknownField = "unknown field";
constexpr std::string_view kMissing = "is missing";
// The beginning of messages of the readers of JSON and TOML.
constexpr std::string_view kSyntaxError = "syntax error";

// Returns what was probably meant by "8h" or "20 minutes" in place of a file.
std::string meant_by(const std::string& text, std::span<const Parameter> fields) {
  const bool has_digit = text.find_first_of("0123456789") != std::string::npos;
  if (!has_digit && (parse_quantity("1" + text, Unit::seconds).has_value() ||
                     parse_quantity("1" + text, Unit::bytes).has_value())) {
    return fmt::format("; write the unit directly after its number, as in 20{}", text);
  }
  for (const Parameter& field : fields) {
    if (field.kind != Kind::number && field.kind != Kind::integer) continue;
    if (field.kind == Kind::integer ? !parse_integer(text) : !parse_quantity(text, field.unit))
      continue;
    return fmt::format("; did you mean {} {}?", option_name(field.name), text);
  }
  return {};
}

// Returns true for a name with the ending of a JSON or TOML file.
bool is_document_name(const std::filesystem::path& name) {
  const auto ending = unpacked_name(name).extension();
  return ending == ".json" || ending == ".toml";
}

// Returns the fields that read records of a kind; an empty kind: of any.
std::vector<const Parameter*> readers_of(std::span<const Parameter> fields, std::string_view kind) {
  std::vector<const Parameter*> out;
  for (const Parameter& field : fields) {
    if (kind.empty() ? !field.reads.empty() : field.reads == kind) out.push_back(&field);
  }
  return out;
}

// Returns how recorded data of a kind (empty: any) are given, because they are often given in place of the document.
std::string way_in(const Domain& domain, std::string_view kind) {
  std::vector<std::string> names;
  for (const Parameter* field : readers_of(domain.fields, kind))
    names.push_back(option_name(field->name));
  if (!names.empty()) return "recorded data are given with " + join(names, ", ");
  for (const Verb& verb : domain.verbs) {
    const bool reads_it =
        !readers_of(verb.options, kind).empty() || !readers_of(verb.positionals, kind).empty();
    if (!kind.empty() && reads_it)
      return fmt::format("'holdfast {} {}' makes an instance of such a file (see its --help)",
                         domain.name, verb.name);
  }
  return kind.empty() ? std::string() : way_in(domain, {});
}

// Returns the verb that makes an instance of a file of this kind, its argument; null if there is none.
const Verb* maker_of(const Domain& domain, std::string_view kind) {
  const auto verb = std::ranges::find_if(domain.verbs, [&](const Verb& one) {
    return one.gives == Gives::instance && one.positionals.size() == 1 &&
           readers_of(one.positionals, kind).size() == 1;
  });
  return verb == domain.verbs.end() ? nullptr : &*verb;
}

}  // namespace

Error no_such_instance(const std::string& text, std::span<const Parameter> fields) {
  return {ErrorCode::usage, "",
          fmt::format("found {}, which is no file, expected an instance document{}",
                      in_quotes(text), meant_by(text, fields))};
}

std::string AskedInstance::file_name() const {
  return file == "-" ? "standard input" : file;
}

Result<Value> AskedInstance::data_in_place_of_document(Input& input, Error no_document) {
  auto trace = open_trace(file, {}, [this](const Format& format) {
    return format.as<WorkflowRun>() != nullptr ||
           !readers_of(domain->fields, format.kind()).empty();
  });
  // A workflow that was recorded in another format (DAX, STG, a trace of Nextflow) is a document in WfFormat.
  if (const auto* workflow = trace ? trace->format->as<WorkflowRun>() : nullptr) {
    HOLDFAST_TRY(run, workflow->read(std::move(trace->lines)));
    return parse_json(wfformat_text(run));
  }
  const auto readers =
      trace ? readers_of(domain->fields, trace->format->kind()) : std::vector<const Parameter*>{};
  const Verb* maker = trace && readers.empty() ? maker_of(*domain, trace->format->kind()) : nullptr;
  if (maker != nullptr) {
    Request request;
    request.domain = domain;
    HOLDFAST_CHECK(merge_into(request.parameters, arguments, false));
    request.options.set(maker->positionals.front().name, file);
    HOLDFAST_TRY(made, ask(*domain, *maker, request));
    input.taken.push_back(fmt::format("{} ({}) was taken as what 'holdfast {} {} {}' makes of it",
                                      in_quotes(file), trace->format->summary, domain->name,
                                      maker->name, file));
    return std::move(made.document);
  }
  if (readers.size() != 1) {
    const std::string way = way_in(*domain, trace ? trace->format->kind() : std::string_view());
    if (trace) no_document.message = fmt::format("found {}", trace->format->summary);
    no_document.message += fmt::format("{} expected a JSON or TOML document{}{}", trace ? "," : ";",
                                       way.empty() ? "" : "; ", way);
    if (trace) no_document.where = file;
    return fail(std::move(no_document));
  }
  const std::string option = option_name(readers.front()->name);
  auto argument = std::ranges::find(arguments, readers.front(), &Argument::parameter);
  if (argument == arguments.end())
    argument = arguments.insert(
        arguments.end(), {.parameter = readers.front(), .place = option, .given = std::nullopt});
  if (argument->given) {
    return fail(
        ErrorCode::usage, option,
        fmt::format("found it together with {}, which is such a file too", in_quotes(file)));
  }
  argument->given = Value(file);
  input.taken.push_back(
      fmt::format("{} ({}) was taken as {}", in_quotes(file), trace->format->summary, option));
  file.clear();
  return Value();
}

Result<Value> AskedInstance::read_file_or_input(Input& input) {
  if (file != "-") {
    auto document = read_document(file);
    const bool is_unread = !document && document.error().message.starts_with(kSyntaxError);
    if (is_unread && !is_document_name(file)) {
      return data_in_place_of_document(input, std::move(document).error());
    }
    return document;
  }
  HOLDFAST_TRY(text, standard_input());
  auto document = parse_json(text);
  if (!document) return fail(in_file(file_name(), document.error()));
  return document;
}

Result<AskedInstance::Input> AskedInstance::read() {
  Input input;
  if (!file.empty()) {
    if (file.starts_with("--")) {
      return fail(ErrorCode::usage, "--instance",
                  fmt::format("found the option {}, expected a file", printable(file)));
    }
    HOLDFAST_TRY(document, read_file_or_input(input));
    if (!document.is_null()) input.document = std::move(document);
    const Status stripped = take_off_header(*domain, input.document);
    if (!stripped) return fail(placed(stripped.error(), input.document));
    input.directory = file == "-" ? input_directory : std::filesystem::path(file).parent_path();
    if (input.directory.empty()) input.directory = ".";
  } else if (in_memory) {
    input.document = *in_memory;
    HOLDFAST_CHECK(take_off_header(*domain, input.document));
  }
  if (!input.document.is_null() && input.document.members() == nullptr) {
    return fail(ErrorCode::bad_format, file_name(),
                fmt::format("found {}, expected an object", input.document.described()));
  }
  if (auto merged = merge_into(input.document, arguments, input.directory != "."); !merged) {
    Error error = std::move(merged).error();
    if (error.code != ErrorCode::bad_format) return fail(std::move(error));
    error.where = place_in(input.document, error.where);
    return fail(in_memory ? std::move(error) : in_file(file_name(), std::move(error)));
  }
  return input;
}

Error AskedInstance::placed(Error error, const Value& document) const {
  if (Error::Remedy& remedy = error.remedy; !remedy.field.empty() && !error.field.empty()) {
    // The fields about a file lie beside the one that names it.
    const std::string folder = error.field.substr(0, error.field.rfind('/') + 1);
    const std::string option =
        writer_of(arguments, folder + (remedy.field == "read_as" ? "format" : remedy.field), false);
    if (!option.empty()) remedy.field = option;
  }
  if (!error.field.empty()) return error;  // its place is in a file that the document names
  if (!error.where.empty() && !error.where.starts_with('/')) return error;
  if (const std::string option = given_at(arguments, error.where); !option.empty()) {
    error.where = option;
    // An option is always known; here it has no meaning in the kind of instance that the other options make.
    if (error.message.starts_with(kUnknownField)) {
      error.message = "has no effect together with the other options";
    }
    error.message = named_as_given(std::move(error.message), arguments);
    if (exit_code(error.code) == 3) error.code = ErrorCode::usage;
    return error;
  }
  if (in_memory) return error;
  if (file.empty()) {
    if (exit_code(error.code) == 3) error.code = ErrorCode::usage;
    const std::string option =
        writer_of(arguments, error.where, error.message.starts_with(kMissing));
    if (!option.empty()) error.where = option;
    error.message = named_as_given(std::move(error.message), arguments);
    return error;
  }
  if (error.message.starts_with(kMissing)) {
    const std::string option = writer_of(arguments, error.where, true);
    if (!option.empty()) error.message += fmt::format("; {} gives it too", option);
  }
  if (!error.where.empty()) error.where = place_in(document, error.where);
  return in_file(file_name(), std::move(error));
}

bool AskedInstance::is_lacking(const Error& placed) const {
  const bool about_document =
      placed.where.empty() || placed.where.starts_with('/') || is_absent(arguments, placed.where);
  return file.empty() && !in_memory && about_document && placed.code == ErrorCode::usage;
}

}  // namespace holdfast
