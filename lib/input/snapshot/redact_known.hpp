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

/// Whether `domain` belongs to Kubernetes, a cloud provider or a GPU stack, and what stands before
/// it is a word of theirs: "gpu.nvidia.com".
bool is_known_domain(std::string_view domain);

/// Whether Kubernetes or a known operator serves this kind in this group, and the version looks
/// like one. Events do not always say the group: without one, whether anybody known has such a
/// kind.
bool is_known_kind(std::string_view kind, std::string_view api_version);

/// A word that our own gaps about live use are made of.
bool is_gap_word(std::string_view word);
/// A word that messages of Kubernetes are made of.
bool is_message_word(std::string_view word);
/// A name that a CEL expression may hold: of the language, or of a known attribute.
bool is_cel_word(std::string_view word);

/// The last part of an image's name, where it is one that GPU stacks publish: "dcgm-exporter";
/// empty for others.
std::string_view known_image(std::string_view image);

}  // namespace gpu::input
