# The rooms of cmd, one folder a command: as lib/rooms.cmake. They are one library, gpu_cmd.

gpu_room(cmd/shell
  NEEDS base kube/process report kube/config kube/http kube/read telemetry/exporters kube/collect
        input/files
  LIBRARIES CLI11::CLI11
  DOORS aliases argv candidates command env flags help kustomize metrics_flags output_forms platform progress quick_snapshot
        reader run_command)
gpu_room(cmd/completion
  NEEDS base report cmd/shell
  DOORS complete completion)
gpu_room(cmd/connection
  NEEDS kube/config cmd/shell
  DOORS connection)
gpu_room(cmd/manifests
  NEEDS base report model/snapshot input/files cmd/shell
  DOORS manifests)
gpu_room(cmd/watch
  NEEDS base kube/process report kube/read kube/watch cmd/shell
  DOORS watch)
gpu_room(cmd/cost
  NEEDS base report model/objects model/snapshot model/holdings kube/config kube/read usage/rows
        cost/prices cost/against cost/ledger cost/rows cost/forecast input/files
        cmd/shell cmd/manifests cmd/watch kube/http
  DOORS cost price_sources)
gpu_room(cmd/doctor
  NEEDS base report kube/process model/objects model/snapshot checkup/checks checkup/run cmd/shell
  DOORS doctor)
gpu_room(cmd/gen
  NEEDS base report model/snapshot usage/rows manifest/tree manifest/read manifest/fit
        manifest/kinds kube/config cost/ledger cost/forecast plan cmd/shell cmd/cost
  DOORS gen)
gpu_room(cmd/lint
  NEEDS base report kube/config kube/process scheduler/cluster input/files plan lint/rules
        lint/text cmd/shell
  LIBRARIES nlohmann_json::nlohmann_json
  DOORS lint)
gpu_room(cmd/quota
  NEEDS base report model/objects kube/read quota cmd/shell
  DOORS quota)
gpu_room(cmd/fit
  NEEDS base report model/objects model/snapshot kube/config kube/read manifest/tree manifest/read
        manifest/fit manifest/kinds diagnose/answer usage/rows plan plan/fit plan/moves cmd/shell cmd/manifests cmd/cost
  DOORS fit)
gpu_room(cmd/snapshot
  NEEDS base model/holdings input/snapshot cmd/shell
  DOORS snapshot)
gpu_room(cmd/options
  NEEDS base cmd/shell
  DOORS options)
gpu_room(cmd/version
  NEEDS base cmd/shell
  DOORS version)
gpu_room(cmd/top
  NEEDS base model/gpu report model/objects model/snapshot model/holdings kube/read usage/devices
        usage/rows cmd/shell cmd/watch
  DOORS top)
gpu_room(cmd/why_pending
  NEEDS base report model/objects model/snapshot scheduler/cluster diagnose/answer usage/rows
        diagnose/explain kube/collect plan cmd/shell cmd/manifests
  DOORS why_pending)
gpu_room(cmd
  NEEDS base kube/process report cmd/shell cmd/completion cmd/connection cmd/cost cmd/doctor cmd/fit cmd/gen cmd/lint cmd/options cmd/quota cmd/snapshot cmd/version
        cmd/top cmd/why_pending)
