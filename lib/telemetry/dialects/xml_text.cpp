#include "telemetry/dialects/xml_text.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "base/error.hpp"

namespace gpu::telemetry {
namespace {

constexpr std::size_t kDeepest = 20;
/// Of the text in one element; what is told of GPUs is short.
constexpr std::size_t kLongestText = 4096;

using Parser = std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)>;

/// Follows the parser. No exception may pass through expat: the first one is kept, and the parser
/// is stopped.
class Walk {
 public:
  Walk(XML_Parser parser, const XmlEvents& events) : parser_(parser), events_(events) {}

  void start(const char* name) {
    guarded([&] {
      if (texts_.size() == kDeepest) throw Error(ErrorKind::data, "its elements are nested deeply");
      lengths_.push_back(path_.size());
      if (!path_.empty()) path_ += '/';
      path_ += name;
      texts_.emplace_back();
      if (events_.start) events_.start(path_);
    });
  }

  void end() {
    guarded([&] {
      if (events_.end) events_.end(path_, trimmed(texts_.back()));
      texts_.pop_back();
      path_.resize(lengths_.back());
      lengths_.pop_back();
    });
  }

  void text(std::string_view part) {
    guarded([&] {
      if (texts_.empty()) return;
      std::string& text = texts_.back();
      text += part.substr(0, kLongestText - text.size());
    });
  }

  void refuse(const char* what) {
    guarded([&] { throw Error(ErrorKind::data, what); });
  }

  void rethrow() const {
    if (problem_) std::rethrow_exception(problem_);
  }

 private:
  template <class Work>
  void guarded(Work work) {
    // What expat had found before it was stopped still comes.
    if (problem_) return;
    try {
      work();
    } catch (...) {
      problem_ = std::current_exception();
      XML_StopParser(parser_, XML_FALSE);
    }
  }

  XML_Parser parser_;
  const XmlEvents& events_;
  std::string path_;
  std::vector<std::size_t> lengths_;  ///< of path_ without its last names
  std::vector<std::string> texts_;    ///< of the elements that are open
  std::exception_ptr problem_;
};

Walk& walk_of(void* data) { return *static_cast<Walk*>(data); }

void XMLCALL on_start(void* data, const XML_Char* name, const XML_Char** /*attributes*/) {
  walk_of(data).start(name);
}
void XMLCALL on_end(void* data, const XML_Char* /*name*/) { walk_of(data).end(); }
void XMLCALL on_text(void* data, const XML_Char* text, int length) {
  walk_of(data).text({text, static_cast<std::size_t>(length)});
}
void XMLCALL on_entity(void* data, const XML_Char* /*name*/, int /*is_parameter*/,
                       const XML_Char* /*value*/, int /*length*/, const XML_Char* /*base*/,
                       const XML_Char* /*system_id*/, const XML_Char* /*public_id*/,
                       const XML_Char* /*notation*/) {
  walk_of(data).refuse("it declares entities");
}
void XMLCALL on_skipped(void* data, const XML_Char* /*name*/, int /*is_parameter*/) {
  walk_of(data).refuse("it uses an entity that is not declared");
}

}  // namespace

void read_xml(std::string_view xml, const XmlEvents& events) {
  if (xml.size() > kLongestXml) throw Error(ErrorKind::data, "it is longer than 8 MiB");
  const Parser parser(XML_ParserCreate("UTF-8"), &XML_ParserFree);
  if (!parser) throw std::bad_alloc();
  Walk walk(parser.get(), events);
  XML_SetUserData(parser.get(), &walk);
  XML_SetElementHandler(parser.get(), on_start, on_end);
  XML_SetCharacterDataHandler(parser.get(), on_text);
  XML_SetEntityDeclHandler(parser.get(), on_entity);
  XML_SetSkippedEntityHandler(parser.get(), on_skipped);
  const XML_Status status =
      XML_Parse(parser.get(), xml.data(), static_cast<int>(xml.size()), XML_TRUE);
  walk.rethrow();
  if (status == XML_STATUS_OK) return;
  throw Error(ErrorKind::data, fmt::format("line {}: {}", XML_GetCurrentLineNumber(parser.get()),
                                           XML_ErrorString(XML_GetErrorCode(parser.get()))));
}

}  // namespace gpu::telemetry
