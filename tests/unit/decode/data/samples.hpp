#pragma once

#include <string_view>

// Objects written by Go: k8s.io/api v0.36.1 types, marshalled by their own Marshal (messages) and
// by apimachinery's protobuf serializer (bodies, with the envelope), and by encoding/json. Protobuf
// is in hex. The objects use every field that the decoders read.
// clang-format off
namespace gpu::decode::samples {

inline constexpr std::string_view kPodProtobuf =
    "0aad030a07747261696e2d301206747261696e2d1a067465616d2d6122002a2431313131313131312d323232322d"
    "333333332d343434342d3535353535353535353535353204343731313803420808a09b9cd70610004a0808bebea1"
    "d7061000501e5a0c0a036170701205747261696e5a090a05656d70747912005a0b0a03656e76120470726f646238"
    "0a1e68616d692e696f2f766770752d646576696365732d616c6c6f636174656412164750552d312c4e5649444941"
    "2c383139322c35303a3b62400a306b75626563746c2e6b756265726e657465732e696f2f6c6173742d6170706c69"
    "65642d636f6e66696775726174696f6e120c7b22736563726574223a317d621a0a046e6f746512126b6570742062"
    "79206e6f646573206f6e6c796a200a034a6f621a05747261696e2204616161612a0862617463682f763130013801"
    "6a180a09436f6e6669674d61701a01632204626262622a0276317203782f798a014c0a076b75626563746c120655"
    "70646174651a02763132084669656c647356313a290a277b22663a6d65746164617461223a207b22663a6c616265"
    "6c73223a207b222e223a207b7d7d7d7d420012e6050a090a0176120412020a0012e9010a046d61696e120f657861"
    "6d706c652f747261696e3a311a0372756e220f2d2d746f6b656e3d68756e746572322a00321f0a076d6574726963"
    "7310c8970118b84922035443502a0831302e392e392e39320c0a00100018ffff0322002a003a130a085041535357"
    "4f5244120768756e7465723242640a150a0e6e76696469612e636f6d2f67707512030a0138120a0a036370751203"
    "0a013412120a066d656d6f727912080a06313533364d6912150a0e6e76696469612e636f6d2f67707512030a0138"
    "1a070a036f776e12001a0b0a046d61646512036770756a007200800100880100900100a20100122a0a05706c6169"
    "6e120d6578616d706c652f706c61696e2a0042006a007200800100880100900100a201001a054e6576657232003a"
    "0c0a04706f6f6c1204613130303a0a0a047a6f6e6512027a3142004a0052066e6f64652d37580060006800820100"
    "8a01009a011164656661756c742d7363686564756c6572a201420a0570726f7879120d6578616d706c652f70726f"
    "78792a00420f120d0a0363707512060a043130306d6a007200800100880100900100a20100c20106416c77617973"
    "a2014d0a056665746368120d6578616d706c652f66657463682a004223120e0a0363707512070a05313530306d12"
    "110a066d656d6f727912070a053531324d696a007200800100880100900100a20100b201260a0e6e76696469612e"
    "636f6d2f67707512064578697374731a00220a4e6f5363686564756c65b2010d0a016b12001a0176220028ac02c2"
    "01056261746368c801fbffffffffffffffff0182020d0a0363707512060a043235306d8202110a066d656d6f7279"
    "12070a053132304d69b202120a106578616d706c652e636f6d2f67617465ba020a0a036f776e1a03626967ba020b"
    "0a046d61646522036f6e65ba020b0a046e6f6e6522036f6e65ba020c0a056c6174657222036f6e65c2021e0a100a"
    "066d656d6f727912060a0436344769120a0a0363707512030a01361a82050a0752756e6e696e6712260a0c506f64"
    "5363686564756c65641204547275651a00220808a19b9cd70610002a0032003800124c0a10506f64526573697a65"
    "50656e64696e671204547275651a0022002a0a496e6665617369626c6532204e6f6465206469646e277420686176"
    "6520656e6f75676820636170616369747938001a002207426563617573652a0831302e302e302e37320831302e31"
    "2e322e333a0808a59b9cd706100042af010a046d61696e12001a0020002802320f6578616d706c652f747261696e"
    "3a313a004200520a0a0363707512030a01335a0c120a0a0363707512030a013272400a0e6e76696469612e636f6d"
    "2f67707512110a064750552d616112074865616c746879121b0a064750552d62621209556e6865616c7468793206"
    "584944203739722e0a0e636c61696d3a6d6164652f677075121c0a186770752e6e76696469612e636f6d2f677075"
    "3d6770752d30120042170a05706c61696e12001a002000280032003a0042005a004a00523a0a0570726f78791200"
    "1a002000280032003a00420072230a0e6e76696469612e636f6d2f67707512110a064750552d63631207556e6b6e"
    "6f776e5a066e6f64652d38620a0a0831302e312e322e3362090a07666430303a3a33720844656665727265647a1a"
    "0a046d6164651212747261696e2d302d6d6164652d78376b32707a060a046e6f6e6582010a0a0831302e302e302e"
    "378801009201510a2d0a046d61696e120e6e76696469612e636f6d2f6770751a15636f6e7461696e65722d302d72"
    "6571756573742d301220747261696e2d302d657874656e6465642d7265736f75726365732d71397834649a010a0a"
    "0363707512030a0135a20110120e0a0363707512070a05343530306d";

inline constexpr std::string_view kPodJson =
    R"~({"kind":"Pod","apiVersion":"v1","metadata":{"name":"train-0","generateName":"tra)~"
    R"~(in-","namespace":"team-a","uid":"11111111-2222-3333-4444-555555555555","resource)~"
    R"~(Version":"4711","generation":3,"creationTimestamp":"2026-11-01T10:00:00Z","delet)~"
    R"~(ionTimestamp":"2026-11-02T10:00:30Z","deletionGracePeriodSeconds":30,"labels":{")~"
    R"~(app":"train","empty":"","env":"prod"},"annotations":{"hami.io/vgpu-devices-alloc)~"
    R"~(ated":"GPU-1,NVIDIA,8192,50:;","kubectl.kubernetes.io/last-applied-configuration)~"
    R"~(":"{\"secret\":1}","note":"kept by nodes only"},"ownerReferences":[{"apiVersion")~"
    R"~(:"batch/v1","kind":"Job","name":"train","uid":"aaaa","controller":true,"blockOwn)~"
    R"~(erDeletion":true},{"apiVersion":"v1","kind":"ConfigMap","name":"c","uid":"bbbb"})~"
    R"~(],"finalizers":["x/y"],"managedFields":[{"manager":"kubectl","operation":"Update)~"
    R"~(","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels")~"
    R"~(:{".":{}}}}}]},"spec":{"volumes":[{"name":"v","emptyDir":{}}],"initContainers":[)~"
    R"~({"name":"proxy","image":"example/proxy","resources":{"requests":{"cpu":"100m"}},)~"
    R"~("restartPolicy":"Always"},{"name":"fetch","image":"example/fetch","resources":{")~"
    R"~(requests":{"cpu":"1500m","memory":"512Mi"}}}],"containers":[{"name":"main","imag)~"
    R"~(e":"example/train:1","command":["run"],"args":["--token=hunter2"],"ports":[{"nam)~"
    R"~(e":"metrics","hostPort":19400,"containerPort":9400,"protocol":"TCP","hostIP":"10)~"
    R"~(.9.9.9"},{"containerPort":65535}],"env":[{"name":"PASSWORD","value":"hunter2"}],)~"
    R"~("resources":{"limits":{"nvidia.com/gpu":"8"},"requests":{"cpu":"4","memory":"153)~"
    R"~(6Mi","nvidia.com/gpu":"8"},"claims":[{"name":"own"},{"name":"made","request":"gp)~"
    R"~(u"}]}},{"name":"plain","image":"example/plain","resources":{}}],"restartPolicy":)~"
    R"~("Never","nodeSelector":{"pool":"a100","zone":"z1"},"nodeName":"node-7","schedule)~"
    R"~(rName":"default-scheduler","tolerations":[{"key":"nvidia.com/gpu","operator":"Ex)~"
    R"~(ists","effect":"NoSchedule"},{"key":"k","value":"v","tolerationSeconds":300}],"p)~"
    R"~(riorityClassName":"batch","priority":-5,"overhead":{"cpu":"250m","memory":"120Mi)~"
    R"~("},"schedulingGates":[{"name":"example.com/gate"}],"resourceClaims":[{"name":"ow)~"
    R"~(n","resourceClaimName":"big"},{"name":"made","resourceClaimTemplateName":"one"},)~"
    R"~({"name":"none","resourceClaimTemplateName":"one"},{"name":"later","resourceClaim)~"
    R"~(TemplateName":"one"}],"resources":{"limits":{"memory":"64Gi"},"requests":{"cpu":)~"
    R"~("6"}}},"status":{"phase":"Running","conditions":[{"type":"PodScheduled","status")~"
    R"~(:"True","lastProbeTime":null,"lastTransitionTime":"2026-11-01T10:00:01Z"},{"type)~"
    R"~(":"PodResizePending","status":"True","lastProbeTime":null,"lastTransitionTime":n)~"
    R"~(ull,"reason":"Infeasible","message":"Node didn't have enough capacity"}],"reason)~"
    R"~(":"Because","nominatedNodeName":"node-8","hostIP":"10.0.0.7","hostIPs":[{"ip":"1)~"
    R"~(0.0.0.7"}],"podIP":"10.1.2.3","podIPs":[{"ip":"10.1.2.3"},{"ip":"fd00::3"}],"sta)~"
    R"~(rtTime":"2026-11-01T10:00:05Z","initContainerStatuses":[{"name":"proxy","state":)~"
    R"~({},"lastState":{},"ready":false,"restartCount":0,"image":"","imageID":"","alloca)~"
    R"~(tedResourcesStatus":[{"name":"nvidia.com/gpu","resources":[{"resourceID":"GPU-cc)~"
    R"~(","health":"Unknown"}]}]}],"containerStatuses":[{"name":"main","state":{},"lastS)~"
    R"~(tate":{},"ready":false,"restartCount":2,"image":"example/train:1","imageID":"",")~"
    R"~(allocatedResources":{"cpu":"3"},"resources":{"requests":{"cpu":"2"}},"allocatedR)~"
    R"~(esourcesStatus":[{"name":"nvidia.com/gpu","resources":[{"resourceID":"GPU-aa","h)~"
    R"~(ealth":"Healthy"},{"resourceID":"GPU-bb","health":"Unhealthy","message":"XID 79")~"
    R"~(}]},{"name":"claim:made/gpu","resources":[{"resourceID":"gpu.nvidia.com/gpu=gpu-)~"
    R"~(0"}]}]},{"name":"plain","state":{},"lastState":{},"ready":false,"restartCount":0)~"
    R"~(,"image":"","imageID":"","resources":{}}],"resize":"Deferred","resourceClaimStat)~"
    R"~(uses":[{"name":"made","resourceClaimName":"train-0-made-x7k2p"},{"name":"none"}])~"
    R"~(,"extendedResourceClaimStatus":{"requestMappings":[{"containerName":"main","reso)~"
    R"~(urceName":"nvidia.com/gpu","requestName":"container-0-request-0"}],"resourceClai)~"
    R"~(mName":"train-0-extended-resources-q9x4d"},"allocatedResources":{"cpu":"5"},"res)~"
    R"~(ources":{"requests":{"cpu":"4500m"}}}})~";

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
