#include "report/type.hpp"

namespace gpu::report {

Type::Type(Form form) : form_(std::move(form)) {}

Type Type::text() { return Type(Text{.least_length = 1, .pattern = {}}); }

Type Type::any_text() { return Type(Text{.least_length = 0, .pattern = {}}); }

Type Type::text_like(std::string pattern) {
  return Type(Text{.least_length = 0, .pattern = std::move(pattern)});
}

Type Type::flag() { return Type(Flag{}); }

Type Type::integer() { return Type(Integer{.least = {}}); }

Type Type::count(std::int64_t least) { return Type(Integer{.least = least}); }

Type Type::number() { return Type(Number{.least = {}, .most = {}}); }

Type Type::amount() { return Type(Number{.least = 0, .most = {}}); }

Type Type::ratio() { return Type(Number{.least = 0, .most = 1}); }

Type Type::one_of(std::vector<std::string> words) { return Type(Words{std::move(words)}); }

Type Type::record(std::vector<Field> fields) { return Type(Record{std::move(fields)}); }

Type Type::amounts() { return Type(Amounts{}); }

Type Type::list(Type of, std::size_t least) {
  return Type(List{.of = {std::move(of)}, .least = least});
}

Type Type::or_null() const {
  Type type = *this;
  type.is_nullable_ = true;
  return type;
}

}  // namespace gpu::report
