# The rooms of lib, lowest first: what each may include from, and which of its headers others may include.
# DESIGN: base <- model <- {decode, scheduler, usage} <- {admission, diagnose, kube} <- {plan, telemetry, input} <- cmd.

gpu_room(base
  LIBRARIES ZLIB::ZLIB fmt_headers
  DOORS ascii base64 contains duration environment error flat_map gzip money phrase quantity
        resource_list secrets split terminal terminal_session text time yaml_text)
gpu_room(decode/wire
  NEEDS base
  LIBRARIES nlohmann_json::nlohmann_json protozero::protozero yaml-cpp::yaml-cpp
  DOORS json_fields json_item json_nesting list_framer list_header path protobuf qualified_name
        yaml)
gpu_room(kube/process
  NEEDS base
  DOORS process readable signals standard_streams)
gpu_room(model/gpu
  NEEDS base
  DOORS card_share gpu_labels gpu_models gpu_resource instance_table mig pool sample
        usual_namespace xid)
gpu_room(manifest/tree
  NEEDS base
  LIBRARIES nlohmann_json::nlohmann_json
  DOORS tree yaml)
gpu_room(manifest/schema
  NEEDS base decode/wire manifest/tree
  DOORS field_type set_field)
gpu_room(report
  NEEDS base
  LIBRARIES nlohmann_json::nlohmann_json
  DOORS checklist columns diagnostic fields render report schema sort style typed_cell values wrap)
gpu_room(kube/config
  NEEDS base decode/wire
  LIBRARIES OpenSSL::Crypto
  DOORS connection describe files pem proxy url)
gpu_room(model/objects
  NEEDS base model/gpu
  DOORS api_group claim container coverage device event field_mistake gap gpu_operator job karpenter
        label_selector node object_kind own_kind placement pod quantity_text queue scheduling_facts
        selector selector_text start_failure volcano volume workload_end workload_object)
gpu_room(telemetry/dialects
  NEEDS base model/gpu
  LIBRARIES EXPAT::EXPAT
  DOORS adapter_metric dialect interpret nvidia_smi_xml queries series smi_series text_reader
        xml_text)
gpu_room(kube/auth
  NEEDS base decode/wire kube/process kube/config
  DOORS credentials)
gpu_room(model/snapshot
  NEEDS base model/gpu model/objects
  DOORS card_use gpu_fraction history kai live planned_pod quota_key requests snapshot waiting_claims
        workload)
gpu_room(scheduler/cel
  NEEDS base model/objects
  LIBRARIES re2::re2
  DOORS selector)
gpu_room(decode/objects
  NEEDS base decode/wire model/gpu model/objects
  DOORS controller device_class metadata node pod pod_template pod_volume resource_claim
        resource_slice selector status taint watch_framer workload_object)
gpu_room(decode/kinds
  NEEDS base decode/wire model/objects decode/objects model/snapshot
  DOORS field kind_info policy_object volume_object whitelist)
gpu_room(cost/held
  NEEDS base model/gpu model/objects model/snapshot
  DOORS held job_held past_held)
gpu_room(model/pools
  NEEDS base model/gpu model/objects model/snapshot
  DOORS expected_units node_pools toleration toleration_index)
gpu_room(manifest/fit
  NEEDS base model/gpu model/objects model/snapshot model/pools manifest/tree
  DOORS accelerator api_words claims facts options pod request)
gpu_room(manifest/kinds
  NEEDS base model/gpu manifest/tree manifest/schema manifest/fit
  DOORS kind)
gpu_room(scheduler/cluster
  NEEDS base model/objects model/snapshot
  DOORS amounts change cluster filter findings node_labels node_view overlay owned_pods
        pod_classes pod_events rules scheduler_version scheduling_key volume_claims)
gpu_room(diagnose/answer
  NEEDS base model/gpu model/objects model/snapshot scheduler/cluster
  DOORS code constraint explain_options explanation fraction_remarks headline patience pod_identity
        request_parts)
gpu_room(kube/http
  NEEDS base kube/process kube/config kube/auth decode/objects
  LIBRARIES CURL::libcurl
  DOORS advice client fetcher headers retry server_error trust)
gpu_room(manifest/read
  NEEDS base decode/wire model/gpu model/objects model/snapshot decode/objects decode/kinds
  DOORS api_kind count_mistake document manifest mistake object_name)
gpu_room(lint/rules
  NEEDS base decode/wire model/gpu model/snapshot decode/objects manifest/read manifest/schema
  LIBRARIES nlohmann_json::nlohmann_json
  SEPARATE
  DOORS finding rules subject)
gpu_room(lint/text
  NEEDS base manifest/read lint/rules
  DOORS fix lint placed_object)
gpu_room(model/dra
  NEEDS model/gpu model/objects model/snapshot model/pools base
  DOORS dra dra_device dra_held dra_pool)
gpu_room(scheduler/volumes
  NEEDS base model/objects scheduler/cluster
  DOORS volume_binding volume_limits volume_restrictions volume_zone)
gpu_room(admission/api
  NEEDS model/objects model/snapshot scheduler/cluster diagnose/answer
  DOORS admission limit_ranges pod_validation quota quota_scopes)
gpu_room(admission/kueue
  NEEDS base model/gpu model/objects model/pools model/snapshot scheduler/cluster diagnose/answer
  DOORS flavor forecast idle_workloads index quota_tree workload)
gpu_room(admission/kai
  NEEDS base model/gpu model/objects model/snapshot scheduler/cluster diagnose/answer
  DOORS bound index queue request)
gpu_room(admission/volcano
  NEEDS base model/objects model/snapshot scheduler/cluster
  DOORS index queue)
gpu_room(model/holdings
  NEEDS base model/gpu model/snapshot model/pools model/dra
  DOORS holding pools unseen_pools)
gpu_room(usage/devices
  NEEDS base model/gpu model/objects model/snapshot model/holdings
  DOORS card_keys device_merge holding_time listed live_use use use_sum)
gpu_room(usage/rows
  NEEDS base model/gpu model/objects model/snapshot model/pools model/dra model/holdings usage/devices
  DOORS amounts gaps gpu_usage inventory model_usage named_rows namespace_usage node_usage
        pod_usage unit)
gpu_room(scheduler/devices
  NEEDS base model/objects model/snapshot scheduler/cel scheduler/cluster model/dra
  DOORS allocator dynamic_resources shortage)
gpu_room(diagnose/stack
  NEEDS base model/gpu model/objects model/snapshot model/pools scheduler/cluster diagnose/answer model/holdings
        usage/rows
  DOORS daemon_reach dra_driver driver_hang gpu_promise gpu_stack node_maintenance pci_label
        resource_names scale_up_groups stack_pods)
gpu_room(kube/read
  NEEDS base decode/wire model/objects model/snapshot decode/objects kube/http model/holdings
  DOORS collect_context gpu_devices item_reader list_batch list_path needs)
gpu_room(scheduler/filters
  NEEDS base model/gpu model/objects model/snapshot model/pools scheduler/cluster
        scheduler/devices
  DOORS affinity_term inter_pod_affinity node_affinity node_declared_features node_name
        node_ports node_resources_fit node_unschedulable pod_topology_spread shared_gpus
        taint_toleration)
gpu_room(scheduler/scores
  NEEDS base model/objects model/pools model/snapshot scheduler/cluster scheduler/filters
  DOORS scores usual_requests)
gpu_room(scheduler/cycle
  NEEDS base model/objects scheduler/cluster scheduler/volumes scheduler/devices
        scheduler/filters
  DOORS judge messages verdict)
gpu_room(telemetry/exporters
  NEEDS base decode/wire model/gpu kube/config model/objects telemetry/dialects decode/objects
        kube/http kube/read
  DOORS exporters scrape scrape_gaps scrape_json typed_exporters)
gpu_room(diagnose/lifecycle
  NEEDS base model/gpu model/objects model/snapshot model/pools scheduler/cluster diagnose/answer
        admission/kueue diagnose/stack scheduler/cycle
  DOORS after_binding autoscaler before_scheduling container_trouble device_word gang own_rules
        preemption_note
        scheduler_word silent_scheduler word_cause)
gpu_room(quota
  NEEDS base model/gpu model/objects model/snapshot scheduler/cluster diagnose/answer admission/api
        admission/kueue admission/kai usage/rows diagnose/stack
  DOORS answer cards resource_quotas row)
gpu_room(checkup/checks
  NEEDS base model/gpu model/objects model/snapshot model/pools model/holdings usage/devices
        usage/rows scheduler/cluster diagnose/stack diagnose/lifecycle quota
  DOORS check check_result stack_part surroundings)
gpu_room(checkup/run
  NEEDS model/objects model/snapshot model/holdings diagnose/stack checkup/checks
  DOORS checkup)
gpu_room(diagnose/nodes
  NEEDS base model/gpu model/objects model/snapshot model/pools scheduler/cluster diagnose/answer
        scheduler/volumes scheduler/devices diagnose/stack scheduler/filters scheduler/cycle
  DOORS candidates cause label_typo missing_label node_groups node_reason shared_gpu_detail
        shares)
gpu_room(telemetry/prometheus
  NEEDS base decode/wire model/gpu kube/config model/objects telemetry/dialects model/snapshot
        decode/objects kube/http kube/read telemetry/exporters
  DOORS discovery nodes prometheus query series)
gpu_room(diagnose/fix
  NEEDS base model/gpu model/objects model/snapshot model/pools scheduler/cluster diagnose/answer
        admission/api admission/kueue diagnose/stack scheduler/filters scheduler/cycle
        diagnose/nodes
  DOORS fixes holder_advice rollout room_advice)
gpu_room(diagnose/owners
  NEEDS base model/objects model/snapshot scheduler/cluster diagnose/answer admission/api
        admission/kueue scheduler/cycle diagnose/lifecycle diagnose/nodes
  DOORS named_owner refused_owners)
gpu_room(telemetry/live
  NEEDS base kube/process model/gpu kube/config model/objects telemetry/dialects model/snapshot
        kube/http model/holdings kube/read telemetry/exporters telemetry/prometheus
  DOORS custom_metrics live_metrics)
gpu_room(diagnose/explain
  NEEDS base model/objects model/snapshot model/pools model/holdings scheduler/cluster diagnose/answer
        admission/kai diagnose/stack scheduler/filters scheduler/cycle diagnose/lifecycle diagnose/nodes diagnose/fix
        diagnose/owners
  DOORS explain explain_named_pod explain_owner fold known_namespaces)
gpu_room(telemetry/history
  NEEDS base model/gpu model/objects model/snapshot kube/read telemetry/dialects
        telemetry/prometheus
  DOORS history)
gpu_room(input/snapshot
  NEEDS base decode/wire model/gpu kube/config model/objects telemetry/dialects model/snapshot
        telemetry/exporters telemetry/live decode/kinds
  DOORS envelope writer)
gpu_room(kube/collect
  NEEDS base model/gpu model/objects model/snapshot decode/objects model/pools kube/http kube/read
        telemetry/live decode/kinds telemetry/history
  DOORS collect missing_nodes namespaces owners refused_owners scheduling_facts)
gpu_room(input/files
  NEEDS base decode/wire kube/process kube/config telemetry/dialects model/snapshot decode/objects
        model/pools manifest/read kube/read telemetry/exporters telemetry/prometheus telemetry/live
        input/snapshot kube/collect decode/kinds
  DOORS collect_from_files input_bytes manifest_file)
gpu_room(kube/watch
  NEEDS base model/snapshot decode/objects model/pools kube/http kube/read telemetry/exporters
        telemetry/live kube/collect
  DOORS watch)
gpu_room(plan
  NEEDS base model/gpu model/objects model/snapshot model/pools scheduler/cluster diagnose/answer
        admission/api admission/kai admission/kueue admission/volcano scheduler/devices
        diagnose/stack scheduler/filters scheduler/scores scheduler/cycle diagnose/lifecycle
        diagnose/nodes diagnose/explain
  DOORS api_refusal existing_pods explain_planned filling gang outlook plan queue_admission volumes)
gpu_room(cost/prices
  NEEDS base decode/wire model/gpu model/objects
  DOORS node_facts price price_book price_rule)
gpu_room(cost/ledger
  NEEDS base model/gpu model/objects model/snapshot usage/rows cost/prices
  DOORS card_part ledger node_ledger use_now)
gpu_room(cost/rows
  NEEDS base model/gpu model/snapshot usage/rows cost/held cost/ledger
  DOORS cost_row job_rows line past_lines)
gpu_room(cost/against
  NEEDS base model/gpu cost/ledger cost/rows
  LIBRARIES nlohmann_json::nlohmann_json
  DOORS difference)
gpu_room(cost/forecast
  NEEDS base model/gpu model/objects model/snapshot model/pools scheduler/cluster admission/api
        diagnose/explain cost/prices cost/ledger cost/rows
  DOORS autoscaling forecast)
gpu_room(plan/fit
  NEEDS base model/gpu model/objects model/pools model/snapshot usage/rows scheduler/cluster
        scheduler/filters diagnose/answer diagnose/stack diagnose/lifecycle admission/kueue plan cost/prices
        cost/ledger cost/rows
  DOORS answer result)
gpu_room(plan/moves
  NEEDS base model/objects model/snapshot scheduler/cluster scheduler/scores scheduler/cycle plan
  DOORS room)
