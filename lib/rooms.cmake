# The rooms of lib, lowest first: what each may include from, and which of its headers others may include.
# DESIGN: base <- model <- {decode, scheduler, usage} <- {admission, diagnose, kube} <- {plan, telemetry, input} <- cmd.

gpu_room(base
  LIBRARIES ZLIB::ZLIB fmt_headers
  DOORS ascii base64 contains duration environment error flat_map gzip phrase quantity split
        terminal terminal_session text time yaml_text)
gpu_room(model
  NEEDS base
  DOORS card_share claim container device dra dra_pool event field_mistake gap gpu_labels
        gpu_resource holding label_selector live node node_pools placement planned_pod pod pool
        pools quantity_text queue requests resource_list sample scheduling_facts selector
        selector_text snapshot toleration toleration_index unseen_pools usual_namespace volume
        waiting_claims workload workload_object)
gpu_room(report
  NEEDS base
  LIBRARIES nlohmann_json::nlohmann_json
  DOORS diagnostic render report sort typed_cell values)
gpu_room(decode/wire
  NEEDS base model
  LIBRARIES nlohmann_json::nlohmann_json protozero::protozero yaml-cpp::yaml-cpp
  DOORS json_fields json_item json_nesting list_framer list_header path protobuf qualified_name
        yaml)
gpu_room(scheduler/cel
  NEEDS base model
  LIBRARIES re2::re2
  DOORS selector)
gpu_room(scheduler/cluster
  NEEDS base model
  DOORS amounts change cluster filter node_labels node_view overlay owned_pods pod_classes
        pod_events rules scheduling_key volume_claims)
gpu_room(telemetry/dialects
  NEEDS base model
  LIBRARIES EXPAT::EXPAT
  DOORS adapter_metric dialect interpret nvidia_smi_xml queries series smi_series text_reader
        xml_text)
gpu_room(usage
  NEEDS base model
  DOORS gaps gpu_usage inventory model_usage namespace_usage node_usage pod_usage unit use)
gpu_room(decode/objects
  NEEDS base model decode/wire
  DOORS controller device_class metadata node pod pod_template policy_object resource_claim
        resource_slice scheduling_object status volume_object watch_framer workload_object)
gpu_room(diagnose/answer
  NEEDS base model scheduler/cluster
  DOORS code constraint explain_options explanation headline pod_identity request_parts)
gpu_room(kube/config
  NEEDS base decode/wire
  LIBRARIES OpenSSL::Crypto
  DOORS connection describe files pem proxy url)
gpu_room(scheduler/devices
  NEEDS base model scheduler/cel scheduler/cluster
  DOORS allocator dynamic_resources shortage)
gpu_room(scheduler/volumes
  NEEDS base model scheduler/cluster
  DOORS volume_filters volume_limits)
gpu_room(admission/api
  NEEDS model scheduler/cluster diagnose/answer
  DOORS admission limit_ranges pod_validation quota quota_room)
gpu_room(admission/kueue
  NEEDS base model scheduler/cluster diagnose/answer
  DOORS forecast workload)
gpu_room(diagnose/stack
  NEEDS base model scheduler/cluster diagnose/answer
  DOORS daemon_reach driver_hang gpu_stack node_maintenance resource_names)
gpu_room(kube/http
  NEEDS base decode/wire decode/objects kube/config
  LIBRARIES CURL::libcurl
  DOORS advice client fetcher headers process retry server_error signals trust)
gpu_room(manifest
  NEEDS base model decode/wire decode/objects
  DOORS manifest)
gpu_room(scheduler/filters
  NEEDS base model scheduler/cluster scheduler/devices
  DOORS affinity_term inter_pod_affinity node_affinity node_declared_features node_name
        node_ports node_resources_fit node_unschedulable pod_topology_spread refusals
        taint_toleration)
gpu_room(kube/read
  NEEDS base model decode/wire decode/objects kube/http
  DOORS collect_context gpu_devices item_reader list_batch list_path needs scheduling_kinds)
gpu_room(scheduler/cycle
  NEEDS base model scheduler/cluster scheduler/devices scheduler/volumes scheduler/filters
  DOORS judge messages verdict)
gpu_room(diagnose/lifecycle
  NEEDS base model scheduler/cluster diagnose/answer admission/kueue diagnose/stack
        scheduler/cycle
  DOORS after_binding autoscaler before_scheduling gang preemption_note scheduler_word
        silent_scheduler word_cause)
gpu_room(diagnose/nodes
  NEEDS base model scheduler/cluster diagnose/answer scheduler/devices scheduler/volumes
        diagnose/stack scheduler/filters scheduler/cycle
  DOORS candidates cause label_typo missing_label node_groups node_reason)
gpu_room(telemetry/exporters
  NEEDS base model decode/wire telemetry/dialects decode/objects kube/config kube/http kube/read
  DOORS exporters scrape scrape_gaps scrape_json typed_exporters)
gpu_room(diagnose/fix
  NEEDS base model scheduler/cluster diagnose/answer admission/api admission/kueue diagnose/stack
        scheduler/filters scheduler/cycle diagnose/nodes
  DOORS fixes holder_advice rollout room_advice)
gpu_room(diagnose/owners
  NEEDS base model scheduler/cluster diagnose/answer admission/api admission/kueue
        scheduler/cycle diagnose/lifecycle diagnose/nodes
  DOORS named_owner refused_owners)
gpu_room(telemetry/prometheus
  NEEDS base model decode/wire telemetry/dialects decode/objects kube/config kube/http kube/read
        telemetry/exporters
  DOORS nodes prometheus)
gpu_room(diagnose/explain
  NEEDS base model scheduler/cluster diagnose/answer diagnose/stack scheduler/cycle
        diagnose/lifecycle diagnose/nodes diagnose/fix diagnose/owners
  DOORS explain explain_owner)
gpu_room(telemetry/live
  NEEDS base model telemetry/dialects kube/config kube/http kube/read telemetry/exporters
        telemetry/prometheus
  DOORS custom_metrics live_metrics)
gpu_room(input/snapshot
  NEEDS base model decode/wire telemetry/dialects kube/config telemetry/exporters telemetry/live
  DOORS envelope writer)
gpu_room(kube/collect
  NEEDS base model decode/objects kube/http kube/read telemetry/live
  DOORS collect missing_nodes namespaces owners scheduling_facts)
gpu_room(plan
  NEEDS base model scheduler/cluster diagnose/answer scheduler/devices admission/api
        admission/kueue diagnose/stack scheduler/cycle diagnose/lifecycle diagnose/nodes
        diagnose/explain
  DOORS plan)
gpu_room(input/files
  NEEDS base model decode/wire telemetry/dialects decode/objects kube/config kube/http manifest
        kube/read telemetry/exporters telemetry/prometheus telemetry/live input/snapshot
        kube/collect
  DOORS collect_from_files manifest_file)
gpu_room(kube/watch
  NEEDS base model decode/objects kube/http kube/read telemetry/exporters telemetry/live
        kube/collect
  DOORS watch)
