#pragma once

#include "cmd/cost/answer.hpp"
#include "cmd/cost/view.hpp"
#include "report/fields.hpp"

// The columns of the views of `cost`, for people and pipes; the keys for machines are the same in
// all of them.
namespace gpu::cmd {

void add_namespace_columns(CostColumns& columns, const CostAnswer& answer);
void add_pod_columns(CostColumns& columns, const CostAnswer& answer);
/// Of jobs, and of owners of any kind.
void add_owner_columns(CostColumns& columns, const CostAnswer& answer);
void add_label_columns(CostColumns& columns, const CostAnswer& answer);
/// Of nodes and models.
void add_supply_columns(CostColumns& columns, const CostAnswer& answer);

/// What nobody holds, by reason.
const report::Fields<cost::CostRow>& unallocated_fields();

/// What the pods of one owner have cost, those that are gone, too.
const report::Fields<cost::CostRow>& owner_sum_fields();

/// The keys of an item of CostList.
void add_cost_keys(CostColumns& columns);

}  // namespace gpu::cmd
