#include <fmt/format.h>

#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/kinds/storage.hpp"

namespace gpu::manifest {
namespace {

constexpr std::string_view kHome = "/home/jovyan";
constexpr std::string_view kImage =
    "ghcr.io/kubeflow/kubeflow/notebook-servers/jupyter-pytorch-cuda-full:v1.11.0";

std::string workspace_of(const GenOptions& options) { return options.name + "-workspace"; }

PodShape shape_of(const GenOptions& options) {
  PodShape shape;
  shape.container = options.name;
  shape.usual_image = kImage;
  shape.workload = Workload::notebook;
  shape.command = options.command;
  shape.mounts = Tree::list({Tree::map({{"name", "workspace"}, {"mountPath", kHome}})});
  shape.volumes =
      Tree::list({Tree::map({{"name", "workspace"},
                             {"persistentVolumeClaim",
                              Tree::map({{"claimName", workspace_of(options)}}).on_one_line()}})});
  return shape;
}

Documents make_notebook(GenRequest& request) {
  const GenOptions& options = request.options;
  const PodParts pod(request, shape_of(options));
  Tree notebook =
      object_of("kubeflow.org/v1", "Notebook",
                metadata_of(request, options.name, Tree::map({{"app", options.name}}),
                            Tree::map({{"notebooks.kubeflow.org/server-type", "jupyter"}})));
  Tree made = pod.pod_template();
  notebook.set("spec", Tree::map({{"template", std::move(made)}}));
  request.note(
      "the GPU is held until the notebook is stopped, used or not; switch on culling in "
      "the notebook controller");
  return {
      claim_of(request, {.name = workspace_of(options),
                         .access_mode = "ReadWriteOnce",
                         .usual_size = "20Gi",
                         .why = {"the notebook controller creates no claim of its own", "", ""}}),
      std::move(notebook)};
}

}  // namespace

const GenKind kNotebookKind = {
    .word = "notebook",
    .kind = "Notebook",
    .group = "kubeflow.org",
    .summary = "a Jupyter notebook of Kubeflow, with a claim for its home directory",
    .example = "--gpu-model A100 --storage 50Gi",
    .install = "Kubeflow Notebooks",
    .name = {.form = NameForm::dns_1123,
             .most = 52,
             .why = "the StatefulSet that is made of it labels its pods NAME-HASH"},
    .options = kPodOptions | OptionSet{Option::storage},
    .make = make_notebook,
};

}  // namespace gpu::manifest
