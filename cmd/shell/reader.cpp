#include "cmd/shell/reader.hpp"

namespace gpu::cmd {

Reader reader_of(report::Format format, const GlobalFlags& flags, const Env& env) {
  if (format != report::Format::text && format != report::Format::wide) return Reader::machine;
  return out_style(flags, env).width ? Reader::people : Reader::pipe;
}

}  // namespace gpu::cmd
