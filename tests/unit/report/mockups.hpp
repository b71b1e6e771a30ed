#pragma once

#include <string_view>

// The mock-ups of OUTPUT.md, as they stand there (but for one mark that the ASCII one forgot).
namespace gpu::report::mockup {

inline constexpr std::string_view kSummary =
    R"(GPUs  36   22 allocated   6 free   8 unavailable   50% busy
MIG   14    9 allocated   5 free

)";

inline constexpr std::string_view kNodes =
    R"(NODE    MODEL         ALLOCATED       UTIL             MEMORY                POWER  STATE
gpu-a1  H100-80G      ■■■■■■■■   8/8  ━━━━━━━━━─  91%  ━━━━━━━━━╸ 595/640Gi  5.2kW  Ready
gpu-a2  H100-80G      ■■■■■■□□   6/8  ━━━━━━━───  70%  ━━━━━━╸─── 401/640Gi  4.1kW  Ready
gpu-a3  H100-80G      ■■■■■■■□   7/8  ━─────────   8%  ━━━━━━━━── 503/640Gi  1.3kW  Ready
gpu-a4  H100-80G      ××××××××   0/8  -                -                         -  Cordoned
gpu-l1  L4-24G        ■□□□       1/4  ━─────────  12%  ━─────────  11/96Gi   0.1kW  Ready
gpu-m1  A100-1g.10gb  ■■■■■□□□  9/14  ━━━━──────  38%  ━━━━╸─────  58/136Gi  0.4kW  Ready
)";

inline constexpr std::string_view kHints = R"(
6 allocated GPUs on gpu-a3 are idle now               kubectl gpu top pods --node gpu-a3
4 pods wait for 15 GPUs                               kubectl gpu why-pending -A
No metrics from gpu-a4: dcgm-exporter is not ready    kubectl gpu doctor metrics
)";

inline constexpr std::string_view kNodes80 =
    R"(NODE    MODEL         ALLOCATED       UTIL            MEMORY  STATE
gpu-a1  H100-80G      ■■■■■■■■   8/8  ━━━━━╸  91%  595/640Gi  Ready
gpu-a2  H100-80G      ■■■■■■□□   6/8  ━━━━──  70%  401/640Gi  Ready
gpu-a3  H100-80G      ■■■■■■■□   7/8  ╸─────   8%  503/640Gi  Ready
gpu-a4  H100-80G      ××××××××   0/8  -                    -  Cordoned
gpu-l1  L4-24G        ■□□□       1/4  ╸─────  12%    11/96Gi  Ready
gpu-m1  A100-1g.10gb  ■■■■■□□□  9/14  ━━╸───  38%   58/136Gi  Ready
)";

inline constexpr std::string_view kNodesAscii =
    R"(NODE    MODEL         ALLOCATED       UTIL             MEMORY                POWER  STATE
gpu-a1  H100-80G      ########   8/8  =========-  91%  =========- 595/640Gi  5.2kW  Ready
gpu-a2  H100-80G      ######..   6/8  =======---  70%  ======---- 401/640Gi  4.1kW  Ready
gpu-a3  H100-80G      #######.   7/8  =---------   8%  ========-- 503/640Gi  1.3kW  Ready
gpu-a4  H100-80G      xxxxxxxx   0/8  -                -                         -  Cordoned
gpu-l1  L4-24G        #...       1/4  =---------  12%  =---------  11/96Gi   0.1kW  Ready
gpu-m1  A100-1g.10gb  #####...  9/14  ====------  38%  ====------  58/136Gi  0.4kW  Ready
)";

inline constexpr std::string_view kNodesPiped =
    R"(NODE    MODEL         GPUS  ALLOCATED  FREE  UNAVAILABLE  UTIL%  MEM_USED_GI  MEM_TOTAL_GI  STATE
gpu-a1  H100-80G         8          8     0            0     91          595           640  Ready
gpu-a2  H100-80G         8          6     2            0     70          401           640  Ready
gpu-a3  H100-80G         8          7     1            0      8          503           640  Ready
gpu-a4  H100-80G         8          0     0            8      -            -           640  Cordoned
gpu-l1  L4-24G           4          1     3            0     12           11            96  Ready
gpu-m1  A100-1g.10gb    14          9     5            0     38           58           136  Ready
)";

inline constexpr std::string_view kGpus =
    R"(GPU         MODEL     UTIL             MEMORY          TEMP     POWER  POD                  HEALTH
gpu-a2/0    H100-80G  ━━━━━━━━━╸  97%  ━━━━━╸ 75/80Gi  66°C  690/700W  ml/llama-pretrain-1  ok
gpu-a2/1    H100-80G  ━━━━━━━━━╸  97%  ━━━━━╸ 75/80Gi  65°C  688/700W  ml/llama-pretrain-1  ok
gpu-a2/2    H100-80G  ━━━━━━━━━╸  96%  ━━━━━╸ 75/80Gi  67°C  691/700W  ml/llama-pretrain-1  ok
gpu-a2/3    H100-80G  ━━━━━━━━━╸  98%  ━━━━━╸ 75/80Gi  66°C  693/700W  ml/llama-pretrain-1  ok
gpu-a2/4    H100-80G  ━━━━━━━━━─  88%  ━━━━── 51/80Gi  61°C  596/700W  ml/eval-sweep-7      ok
gpu-a2/5    H100-80G  ━━━━━━━━╸─  84%  ━━━╸── 50/80Gi  60°C  588/700W  ml/eval-sweep-7      ok
gpu-a2/6    H100-80G  ──────────   0%  ──────  0/80Gi  33°C   72/700W  -                    ok
gpu-a2/7    H100-80G  ──────────   0%  ──────  0/80Gi  33°C   71/700W  -                    ok
gpu-m1/0:7  1g.10gb   ━━━━━━────  61%  ━━━━╸─  7/10Gi     -         -  serving/asr-0        ok
gpu-m1/0:8  1g.10gb   ━━━━━━────  58%  ━━━╸──  6/10Gi     -         -  serving/asr-1        ok
)";

inline constexpr std::string_view kPods =
    R"(NAMESPACE  POD                 NODE     GPUS  UTIL                MEMORY  AGE
ml         llama-pretrain-0    gpu-a1      8  ━━━━━━━━━─  91%  595/640Gi   3d
ml         llama-pretrain-1    gpu-a2      4  ━━━━━━━━━╸  97%  300/320Gi   3d
research   notebook-jo         gpu-a3      4  ──────────   0%  290/320Gi   6d  idle
ml         eval-sweep-7        gpu-a2      2  ━━━━━━━━╸─  86%  101/160Gi  40m
research   notebook-ana        gpu-a3      2  ╸─────────   2%  142/160Gi   2d  idle
serving    rerank-6c9f7-x2x9k  gpu-a3      1  ━━━━━━────  60%    71/80Gi  12d
serving    embed-5d7cb-7hq4m   gpu-l1      1  ━━━━╸─────  46%    11/24Gi  12d
serving    asr (9 pods)        gpu-m1  9 mig  ━━━━━━────  59%    58/88Gi  12d
)";

inline constexpr std::string_view kPods80 =
    R"(NAMESPACE  POD                 NODE     GPUS  UTIL            MEMORY  AGE
ml         llama-pretrain-0    gpu-a1      8  ━━━━━╸  91%  595/640Gi   3d
ml         llama-pretrain-1    gpu-a2      4  ━━━━━╸  97%  300/320Gi   3d
research   notebook-jo         gpu-a3      4  ──────   0%  290/320Gi   6d  idle
ml         eval-sweep-7        gpu-a2      2  ━━━━━─  86%  101/160Gi  40m
research   notebook-ana        gpu-a3      2  ╸─────   2%  142/160Gi   2d  idle
serving    rerank-6c9f7-x2x9k  gpu-a3      1  ━━━╸──  60%    71/80Gi  12d
serving    embed-5d7cb-7hq4m   gpu-l1      1  ━━━───  46%    11/24Gi  12d
serving    asr (9 pods)        gpu-m1  9 mig  ━━━╸──  59%    58/88Gi  12d
)";

}  // namespace gpu::report::mockup
