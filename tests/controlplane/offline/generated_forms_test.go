package offline

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"kubectl-gpu/tests/controlplane/internal/generate"
)

// checkForms: every form says what JSON says.
func checkForms(t *testing.T, path, encoded string, all answer, isWide bool) {
	t.Helper()
	checkYAML(t, encoded, text(t, path, "-o", "yaml"))
	checkCSV(t, encoded, text(t, path, "-o", "csv"))
	args := []string{"--plain"}
	if isWide {
		args = append(args, "-o", "wide")
	}
	checkPiped(t, text(t, path, args...), all)
	var names strings.Builder
	for i, row := range all.Items {
		if i == 0 || all.Items[i-1].Name != row.Name {
			names.WriteString("node/" + row.Name + "\n")
		}
	}
	if have := text(t, path, "-o", "name"); have != names.String() {
		t.Errorf("-o name:\n%swant:\n%s", have, names.String())
	}
}

func checkYAML(t *testing.T, encoded, form string) {
	t.Helper()
	asJSON, err := yaml.YAMLToJSONStrict([]byte(form))
	if err != nil {
		t.Fatalf("-o yaml: %v in:\n%s", err, form)
	}
	if have := decoded[any](t, string(asJSON)); !reflect.DeepEqual(have, decoded[any](t, encoded)) {
		t.Errorf("-o yaml says something else than -o json:\n%s", form)
	}
}

// checkCSV looks each field up in the JSON, and each value of the JSON in the fields.
func checkCSV(t *testing.T, encoded, form string) {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(form)).ReadAll()
	if err != nil || len(records) == 0 {
		t.Fatalf("-o csv: %v in:\n%s", err, form)
	}
	decoder := json.NewDecoder(strings.NewReader(encoded))
	decoder.UseNumber()
	var list struct {
		Items []map[string]any `json:"items"`
	}
	if err := decoder.Decode(&list); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != len(records)-1 {
		t.Fatalf("-o csv: %d rows, want %d", len(records)-1, len(list.Items))
	}
	for i, object := range list.Items {
		have := map[string]string{}
		for column, heading := range records[0] {
			have[heading] = records[i+1][column]
		}
		want := map[string]string{}
		flatten(want, "", object)
		for heading := range have {
			if _, exists := want[heading]; !exists {
				want[heading] = "" // of a record in another row
			}
		}
		if !reflect.DeepEqual(have, want) {
			t.Errorf("-o csv, row %d: %v, want %v", i, have, want)
		}
	}
}

func flatten(fields map[string]string, prefix string, object map[string]any) {
	for key, value := range object {
		switch value := value.(type) {
		case map[string]any:
			flatten(fields, prefix+key+".", value)
		case nil:
			fields[prefix+key] = ""
		default:
			fields[prefix+key] = fmt.Sprint(value)
		}
	}
}

// checkPiped reads the table as a script would: a word per column, a heading without blanks.
func checkPiped(t *testing.T, form string, all answer) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(form, "\n"), "\n")
	heading := strings.Fields(lines[0])
	if len(lines)-1 != len(all.Items) {
		t.Errorf("piped: %d lines for %d rows:\n%s", len(lines)-1, len(all.Items), form)
		return
	}
	for i, row := range all.Items {
		words := strings.Fields(lines[i+1])
		if len(words) != len(heading) {
			t.Errorf("piped: %d words under %d headings: %s", len(words), len(heading), lines[i+1])
			continue
		}
		have := map[string]string{}
		for column, title := range heading {
			have[title] = words[column]
		}
		want := map[string]string{"NODE": row.Name, "MODEL": "-", "GPUS": dash(totalOf(row)), "ALLOCATED": dash(row.Allocated),
			"FREE": dash(row.Free), "UNAVAILABLE": dash(row.Unavailable), "STATE": row.State}
		if row.Model != nil {
			want["MODEL"] = *row.Model
		}
		if _, exists := have["RESOURCE"]; exists {
			want["RESOURCE"] = row.Resource
		}
		for title, word := range want {
			if have[title] != word {
				t.Errorf("piped, row %d: %s %q, want %q", i, title, have[title], word)
			}
		}
	}
}

func dash(value *int64) string {
	if value == nil {
		return "-"
	}
	return fmt.Sprint(*value)
}

// byUnit has whole GPUs first: numbers of different units do not compare.
func byUnit(a, b item) int {
	if (a.Unit == "gpu") != (b.Unit == "gpu") {
		if a.Unit == "gpu" {
			return -1
		}
		return 1
	}
	return strings.Compare(a.Unit, b.Unit)
}

// checkSorted: the same rows and totals, of each unit the most free first, and in the old order where that is the same.
func checkSorted(t *testing.T, path string, all answer) {
	t.Helper()
	want := slices.Clone(all.Items)
	slices.SortStableFunc(want, func(a, b item) int { return cmp.Or(byUnit(a, b), int(*b.Free-*a.Free)) })
	sorted := top(t, path, "--sort-by", "free")
	checkSubset(t, "--sort-by free", sorted, want)
	if !reflect.DeepEqual(sorted.Summary, all.Summary) {
		t.Errorf("--sort-by free changes the summary: %s, was %s", asJSON(sorted.Summary), asJSON(all.Summary))
	}
}

func checkSubset(t *testing.T, what string, have answer, want []item) {
	t.Helper()
	if len(have.Items) != len(want) || len(want) > 0 && !reflect.DeepEqual(have.Items, want) {
		t.Errorf("%s: %s\nwant %s", what, asJSON(have.Items), asJSON(want))
	}
	checkTotals(t, have)
}

// checkNames asks for every other node, those without a GPU among them.
func checkNames(t *testing.T, path string, cluster generate.Cluster, all answer) {
	t.Helper()
	var names []string
	for i, node := range cluster.Nodes {
		if i%2 == 0 {
			names = append(names, node["metadata"].(generate.Doc)["name"].(string))
		}
	}
	want := only(all.Items, func(row item) bool { return slices.Contains(names, row.Name) })
	checkSubset(t, fmt.Sprint(names), top(t, path, names...), want)
}

func only(items []item, keep func(item) bool) []item {
	return slices.DeleteFunc(slices.Clone(items), func(row item) bool { return !keep(row) })
}

// checkResourceFilters: each row is under its own resource and no other.
func checkResourceFilters(t *testing.T, path string, all answer) {
	t.Helper()
	found := 0
	seen := map[string]bool{}
	for _, row := range all.Items {
		if seen[row.Resource] {
			continue
		}
		seen[row.Resource] = true
		have := top(t, path, "--resource", row.Resource)
		checkSubset(t, "--resource "+row.Resource, have, only(all.Items, func(each item) bool { return each.Resource == row.Resource }))
		found += len(have.Items)
		_, short, _ := strings.Cut(row.Resource, "/")
		if len(seen) == 1 {
			checkSubset(t, "--resource "+short, top(t, path, "--resource", short),
				only(all.Items, func(each item) bool { return strings.HasSuffix(each.Resource, "/"+short) }))
		}
	}
	if found != len(all.Items) {
		t.Errorf("--resource: %d rows in all, want %d", found, len(all.Items))
	}
}

// checkModelFilters: a part of the name or of the product, in any case; a row of no model is under none.
func checkModelFilters(t *testing.T, path string, all answer) {
	t.Helper()
	seen := map[string]bool{}
	for _, row := range all.Items {
		model := modelOf(row)
		if model == "" || seen[model] {
			continue
		}
		seen[model] = true
		for _, wanted := range []string{model, strings.ToLower(model[:len(model)/2+1])} {
			want := only(all.Items, func(each item) bool {
				product := ""
				if each.Product != nil {
					product = *each.Product
				}
				return contains(modelOf(each), wanted) || contains(product, wanted)
			})
			checkSubset(t, "--model "+wanted, top(t, path, "--model", wanted), want)
			if !slices.ContainsFunc(want, func(each item) bool { return each.Name == row.Name }) {
				t.Errorf("--model %s: not %s", wanted, row.Name)
			}
		}
	}
}

// modelOf is the model without the number of its shares: "T4-16G" of "T4-16G/4".
func modelOf(row item) string {
	if row.Model == nil {
		return ""
	}
	model, _, _ := strings.Cut(*row.Model, "/")
	return model
}

func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}
