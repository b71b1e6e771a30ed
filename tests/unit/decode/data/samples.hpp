#pragma once

#include <string_view>

// Objects written by Go: k8s.io/api v0.36.1 types, marshalled by their own Marshal (messages) and
// by apimachinery's protobuf serializer (bodies, with the envelope), and by encoding/json. Protobuf
// is in hex. The objects use every field that the decoders read.
// clang-format off
namespace gpu::decode::samples {

inline constexpr std::string_view kPodProtobuf =
    "0af0020a07747261696e2d301206747261696e2d1a067465616d2d6122002a2431313131313131312d323232322d"
    "333333332d343434342d3535353535353535353535353204343731313803420808a09b9cd70610004a0808bebea1"
    "d7061000501e5a0c0a036170701205747261696e5a090a05656d70747912005a0b0a03656e76120470726f646240"
    "0a306b75626563746c2e6b756265726e657465732e696f2f6c6173742d6170706c6965642d636f6e666967757261"
    "74696f6e120c7b22736563726574223a317d621a0a046e6f746512126b657074206279206e6f646573206f6e6c79"
    "6a200a034a6f621a05747261696e2204616161612a0862617463682f7631300138016a180a09436f6e6669674d61"
    "701a01632204626262622a0276317203782f798a01490a076b75626563746c12065570646174651a027631320846"
    "69656c647356313a260a247b22663a6d65746164617461223a7b22663a6c6162656c73223a7b222e223a7b7d7d7d"
    "7d420012e9040a090a0176120412020a0012a4010a046d61696e120f6578616d706c652f747261696e3a311a0372"
    "756e220f2d2d746f6b656e3d68756e746572322a003a130a0850415353574f5244120768756e74657232424e0a15"
    "0a0e6e76696469612e636f6d2f67707512030a0138120a0a0363707512030a013412120a066d656d6f727912080a"
    "06313533364d6912150a0e6e76696469612e636f6d2f67707512030a01386a007200800100880100900100a20100"
    "122a0a05706c61696e120d6578616d706c652f706c61696e2a0042006a007200800100880100900100a201001a05"
    "4e6576657232003a0c0a04706f6f6c1204613130303a0a0a047a6f6e6512027a3142004a0052066e6f64652d3758"
    "00600068008201008a01009a011164656661756c742d7363686564756c6572a201420a0570726f7879120d657861"
    "6d706c652f70726f78792a00420f120d0a0363707512060a043130306d6a007200800100880100900100a20100c2"
    "0106416c77617973a2014d0a056665746368120d6578616d706c652f66657463682a004223120e0a036370751207"
    "0a05313530306d12110a066d656d6f727912070a053531324d696a007200800100880100900100a20100b201260a"
    "0e6e76696469612e636f6d2f67707512064578697374731a00220a4e6f5363686564756c65b2010d0a016b12001a"
    "0176220028ac02c201056261746368c801fbffffffffffffffff0182020d0a0363707512060a043235306d820211"
    "0a066d656d6f727912070a053132304d69b202120a106578616d706c652e636f6d2f67617465c2021e0a100a066d"
    "656d6f727912060a0436344769120a0a0363707512030a01361abe020a0752756e6e696e6712260a0c506f645363"
    "686564756c65641204547275651a00220808a19b9cd70610002a0032003800124c0a10506f64526573697a655065"
    "6e64696e671204547275651a0022002a0a496e6665617369626c6532204e6f6465206469646e2774206861766520"
    "656e6f75676820636170616369747938001a002207426563617573652a0032003a0808a59b9cd7061000423d0a04"
    "6d61696e12001a0020002802320f6578616d706c652f747261696e3a313a004200520a0a0363707512030a01335a"
    "0c120a0a0363707512030a013242170a05706c61696e12001a002000280032003a0042005a004a0052150a057072"
    "6f787912001a002000280032003a0042005a066e6f64652d38720844656665727265648801009a010a0a03637075"
    "12030a0135a20110120e0a0363707512070a05343530306d";

inline constexpr std::string_view kPodJson =
    R"~({"kind":"Pod","apiVersion":"v1","metadata":{"name":"train-0","generateName":"train-")~"
    R"~(,"namespace":"team-a","uid":"11111111-2222-3333-4444-555555555555","resourceVersion")~"
    R"~(:"4711","generation":3,"creationTimestamp":"2026-11-01T10:00:00Z","deletionTimestamp)~"
    R"~(":"2026-11-02T10:00:30Z","deletionGracePeriodSeconds":30,"labels":{"app":"train","em)~"
    R"~(pty":"","env":"prod"},"annotations":{"kubectl.kubernetes.io/last-applied-configurati)~"
    R"~(on":"{\"secret\":1}","note":"kept by nodes only"},"ownerReferences":[{"apiVersion":")~"
    R"~(batch/v1","kind":"Job","name":"train","uid":"aaaa","controller":true,"blockOwnerDele)~"
    R"~(tion":true},{"apiVersion":"v1","kind":"ConfigMap","name":"c","uid":"bbbb"}],"finaliz)~"
    R"~(ers":["x/y"],"managedFields":[{"manager":"kubectl","operation":"Update","apiVersion")~"
    R"~(:"v1","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{}}}}}]},"sp)~"
    R"~(ec":{"volumes":[{"name":"v","emptyDir":{}}],"initContainers":[{"name":"proxy","image)~"
    R"~(":"example/proxy","resources":{"requests":{"cpu":"100m"}},"restartPolicy":"Always"},)~"
    R"~({"name":"fetch","image":"example/fetch","resources":{"requests":{"cpu":"1500m","memo)~"
    R"~(ry":"512Mi"}}}],"containers":[{"name":"main","image":"example/train:1","command":["r)~"
    R"~(un"],"args":["--token=hunter2"],"env":[{"name":"PASSWORD","value":"hunter2"}],"resou)~"
    R"~(rces":{"limits":{"nvidia.com/gpu":"8"},"requests":{"cpu":"4","memory":"1536Mi","nvid)~"
    R"~(ia.com/gpu":"8"}}},{"name":"plain","image":"example/plain","resources":{}}],"restart)~"
    R"~(Policy":"Never","nodeSelector":{"pool":"a100","zone":"z1"},"nodeName":"node-7","sche)~"
    R"~(dulerName":"default-scheduler","tolerations":[{"key":"nvidia.com/gpu","operator":"Ex)~"
    R"~(ists","effect":"NoSchedule"},{"key":"k","value":"v","tolerationSeconds":300}],"prior)~"
    R"~(ityClassName":"batch","priority":-5,"overhead":{"cpu":"250m","memory":"120Mi"},"sche)~"
    R"~(dulingGates":[{"name":"example.com/gate"}],"resources":{"limits":{"memory":"64Gi"},")~"
    R"~(requests":{"cpu":"6"}}},"status":{"phase":"Running","conditions":[{"type":"PodSchedu)~"
    R"~(led","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-01T10:00:01Z)~"
    R"~("},{"type":"PodResizePending","status":"True","lastProbeTime":null,"lastTransitionTi)~"
    R"~(me":null,"reason":"Infeasible","message":"Node didn't have enough capacity"}],"reaso)~"
    R"~(n":"Because","nominatedNodeName":"node-8","startTime":"2026-11-01T10:00:05Z","initCo)~"
    R"~(ntainerStatuses":[{"name":"proxy","state":{},"lastState":{},"ready":false,"restartCo)~"
    R"~(unt":0,"image":"","imageID":""}],"containerStatuses":[{"name":"main","state":{},"las)~"
    R"~(tState":{},"ready":false,"restartCount":2,"image":"example/train:1","imageID":"","al)~"
    R"~(locatedResources":{"cpu":"3"},"resources":{"requests":{"cpu":"2"}}},{"name":"plain",)~"
    R"~("state":{},"lastState":{},"ready":false,"restartCount":0,"image":"","imageID":"","re)~"
    R"~(sources":{}}],"resize":"Deferred","allocatedResources":{"cpu":"5"},"resources":{"req)~"
    R"~(uests":{"cpu":"4500m"}}}})~";

inline constexpr std::string_view kNodeProtobuf =
    "0add010a066e6f64652d3712001a0022002a046363636332003800420808ffb484af0610004a080880a59fd70610"
    "005a200a166b756265726e657465732e696f2f686f73746e616d6512066e6f64652d375a1e0a166e76696469612e"
    "636f6d2f6770752e70726f6475637412044131303062360a306b75626563746c2e6b756265726e657465732e696f"
    "2f6c6173742d6170706c6965642d636f6e66696775726174696f6e12027b7d62210a1c6e6f64652e616c7068612e"
    "6b756265726e657465732e696f2f74746c1201308a01110a076b7562656c657412001a003200420012630a0b3130"
    "2e302e302e302f323412001a0d6177733a2f2f2f7a312f692d3120012a2f0a0e6e76696469612e636f6d2f677075"
    "120770726573656e741a0a4e6f5363686564756c65220808a09b9cd70610002a100a016b12001a094e6f45786563"
    "7574651ae8020a0b0a0363707512040a0236340a170a066d656d6f7279120d0a0b3532373935313238344b690a15"
    "0a0e6e76696469612e636f6d2f67707512030a01380a0d0a04706f647312050a03313130120f0a0363707512080a"
    "0636333737306d12140a066d656d6f7279120a0a083532303030304d6912150a0e6e76696469612e636f6d2f6770"
    "7512030a0137120d0a04706f647312050a033131301a0022500a0552656164791204547275651a0808a09b9cd706"
    "1000220808a0def8d50610002a0c4b7562656c65745265616479321f6b7562656c657420697320706f7374696e67"
    "20726561647920737461747573221f0a0e4d656d6f72795072657373757265120546616c73651a0022002a003200"
    "2a160a0a496e7465726e616c4950120831302e312e322e3332040a0208003a250a0012001a002205362e312e302a"
    "0032003a0776312e33362e3142004a005205616d64363442130a0f6578616d706c652f747261696e3a311005";

inline constexpr std::string_view kNodeJson =
    R"~({"kind":"Node","apiVersion":"v1","metadata":{"name":"node-7","uid":"cccc","creationT)~"
    R"~(imestamp":"2024-02-29T23:59:59Z","deletionTimestamp":"2026-11-02T00:00:00Z","labels")~"
    R"~(:{"kubernetes.io/hostname":"node-7","nvidia.com/gpu.product":"A100"},"annotations":{)~"
    R"~("kubectl.kubernetes.io/last-applied-configuration":"{}","node.alpha.kubernetes.io/tt)~"
    R"~(l":"0"},"managedFields":[{"manager":"kubelet"}]},"spec":{"podCIDR":"10.0.0.0/24","pr)~"
    R"~(oviderID":"aws:///z1/i-1","unschedulable":true,"taints":[{"key":"nvidia.com/gpu","va)~"
    R"~(lue":"present","effect":"NoSchedule","timeAdded":"2026-11-01T10:00:00Z"},{"key":"k",)~"
    R"~("effect":"NoExecute"}]},"status":{"capacity":{"cpu":"64","memory":"527951284Ki","nvi)~"
    R"~(dia.com/gpu":"8","pods":"110"},"allocatable":{"cpu":"63770m","memory":"520000Mi","nv)~"
    R"~(idia.com/gpu":"7","pods":"110"},"conditions":[{"type":"Ready","status":"True","lastH)~"
    R"~(eartbeatTime":"2026-11-01T10:00:00Z","lastTransitionTime":"2026-10-01T10:00:00Z","re)~"
    R"~(ason":"KubeletReady","message":"kubelet is posting ready status"},{"type":"MemoryPre)~"
    R"~(ssure","status":"False","lastHeartbeatTime":null,"lastTransitionTime":null}],"addres)~"
    R"~(ses":[{"type":"InternalIP","address":"10.1.2.3"}],"daemonEndpoints":{"kubeletEndpoin)~"
    R"~(t":{"Port":0}},"nodeInfo":{"machineID":"","systemUUID":"","bootID":"","kernelVersion)~"
    R"~(":"6.1.0","osImage":"","containerRuntimeVersion":"","kubeletVersion":"v1.36.1","kube)~"
    R"~(ProxyVersion":"","operatingSystem":"","architecture":"amd64"},"images":[{"names":["e)~"
    R"~(xample/train:1"],"sizeBytes":5}]}})~";

inline constexpr std::string_view kPodListBody =
    "6b3873000a0d0a0276311207506f644c69737412a5010a0f0a0012033831351a046d6f7265200712480a130a0161"
    "12001a026e7322002a00320038004200121c1a00320042004a0052005800600068008201008a01009a0100c20100"
    "1a130a001a0022002a0032004a005a00720088010012480a130a016212001a026e7322002a00320038004200121c"
    "1a00320042004a0052005800600068008201008a01009a0100c201001a130a001a0022002a0032004a005a007200"
    "8801001a002200";

inline constexpr std::string_view kEmptyPodListBody =
    "6b3873000a0d0a0276311207506f644c69737412110a0f0a0012033831351a046d6f726520071a002200";

inline constexpr std::string_view kStatusBody =
    "6b3873000a0c0a0276311206537461747573125c0a0d0a0012001a07676f65732d6f6e12074661696c7572651a2a"
    "5468652070726f766964656420636f6e74696e756520706172616d6574657220697320746f6f206f6c6422074578"
    "70697265642a0a0a0012001a0028033200309a031a002200";

inline constexpr std::string_view kStatusJson =
    R"~({"kind":"Status","apiVersion":"v1","metadata":{"continue":"goes-on"},"status":"Failu)~"
    R"~(re","message":"The provided continue parameter is too old","reason":"Expired","detai)~"
    R"~(ls":{"retryAfterSeconds":3},"code":410})~";

inline constexpr std::string_view kForbiddenBody =
    "6b3873000a0c0a0276311206537461747573126c0a060a0012001a0012074661696c7572651a3b706f6473206973"
    "20666f7262696464656e3a20557365722022616c696365222063616e6e6f74206c697374207265736f7572636520"
    "22706f6473222209466f7262696464656e2a0e0a0012001a04706f6473280032003093031a002200";

inline constexpr std::string_view kSinglePodBody =
    "6b3873000a090a0276311203506f6412480a130a016112001a026e7322002a00320038004200121c1a0032004200"
    "4a0052005800600068008201008a01009a0100c201001a130a001a0022002a0032004a005a0072008801001a0022"
    "00";

}  // namespace gpu::decode::samples
// clang-format on
