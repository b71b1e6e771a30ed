#pragma once

#include <string_view>

#include "input/snapshot/pseudonyms.hpp"

namespace gpu::input {

/// Names that Kubernetes, cloud providers and GPU stacks define: they say nothing of whose cluster
/// it is, and stay. Everything else is replaced.
bool is_known(Space space, std::string_view name);

/// How much of a label may stay.
enum class LabelRule { hide, keep_key, keep };
/// Keys that are defined by others than the cluster's owner stay; values only where the key's
/// definer chooses them: a card's model, not a zone.
LabelRule label_rule(std::string_view key);

/// Whether messages may name this driver of devices: its maker calls it so.
bool is_known_driver(std::string_view name);

/// Whether `domain` belongs to Kubernetes, a cloud provider or a GPU stack: "nvidia.com".
bool is_known_domain(std::string_view domain);

/// A word that our own gaps about live use are made of.
bool is_gap_word(std::string_view word);
/// A word that messages of Kubernetes, or values of GPU annotations, are made of.
bool is_message_word(std::string_view word);
bool is_annotation_word(std::string_view word);
/// A name that a CEL expression may hold: of the language, or of a known attribute.
bool is_cel_word(std::string_view word);

/// Whether all parts of what stands behind a known prefix are words of GPU stacks or numbers:
/// "engines.copy", "1g.10gb.count", "10de.present"; not the name of a team.
bool is_hardware_suffix(std::string_view suffix);

/// The last part of an image's name, where it is one that GPU stacks publish: "dcgm-exporter";
/// empty for others.
std::string_view known_image(std::string_view image);

/// A name made of hardware words and numbers alone: "gpu-0-mig-1g10gb-3", "0000:0f:00.0".
bool is_hardware_name(std::string_view name);

}  // namespace gpu::input
