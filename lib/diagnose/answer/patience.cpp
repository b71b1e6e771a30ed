#include "diagnose/answer/patience.hpp"

namespace gpu::diagnose {

std::chrono::minutes patience_for(WaitFor thing) {
  using std::chrono::minutes;
  switch (thing) {
    case WaitFor::mig_layout:  // ends clients, cuts the cards, starts them anew; perhaps a reboot
      return minutes{20};
    case WaitFor::driver_upgrade:  // evicts pods, builds or pulls the driver, loads it
      return minutes{60};
    case WaitFor::start:
      return minutes{5};
    case WaitFor::image_pull:  // CUDA images are large
      return minutes{15};
    case WaitFor::end:  // containers end, and volumes are let go
      return minutes{5};
    case WaitFor::quota_holder:  // admission checks are over by then: a controller creates pods
      return minutes{10};
    // One that runs binds a pod, or writes a condition, within moments; a long queue takes minutes.
    case WaitFor::first_scheduling:
      return minutes{5};
    // What cluster-autoscaler gives one to come by itself (--max-node-provision-time), and
    // Karpenter to register.
    case WaitFor::new_node:
      return minutes{15};
    // The control plane detaches by force after 6, where the kubelet of a node that is not ready
    // does not answer.
    case WaitFor::volume_release:
      return minutes{10};
  }
  return minutes{0};
}

}  // namespace gpu::diagnose
