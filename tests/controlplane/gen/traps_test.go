package gen

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// traps are texts that YAML 1.1, which kubectl reads, takes for something else unless they are quoted.
var traps = []string{
	"on", "off", "yes", "no", "y", "N", "true", "False", "1e3", "1.5", "012", "0o12", "0x1F", "0b1", "1_000", "+1", "-1", "~",
	"null", "Null", "1:30", "190:20:30", ".inf", "-.Inf", ".NaN", "2026-01-01", "2026-01-01T00:00:00Z", "=", "<<", "", " ", "a: b",
	"a:b", "a #b", "#", "- a", "? a", "[", "{a}", "*a", "&a", "!a", "!!str a", "|", ">", "%a", "@a", "`a", "\"a\"", "'a'",
	"\\n", "a\nb", "a\n", "\ta", "a ", "---", "...", "\u2028", "\u0085", "\ufeffa", "é", "😀",
}

var labelValue = regexp.MustCompile(`^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$`)

// sh quotes a word for a shell.
func sh(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// TestTraps lets kubectl read every trap as the value of a variable, of a label and of an annotation.
func TestTraps(t *testing.T) {
	var words []string
	labels, env := map[string]string{}, map[string]string{}
	for i, trap := range traps {
		name := fmt.Sprintf("trap%d", i)
		env[name] = trap
		words = append(words, "--env", sh(name+"="+trap), "--annotation", sh(name+"="+trap))
		if labelValue.MatchString(trap) {
			labels[name] = trap
			words = append(words, "--label", sh(name+"="+trap))
		}
	}
	if len(labels) < 15 {
		t.Fatal("too few labels:", labels)
	}
	for _, form := range []string{"yaml", "json"} {
		manifest, _ := generated(t, "--offline", "job on --image a/b:1 -o "+form+" "+strings.Join(words, " "))
		read, err := run(t.Context(), manifest, "create", "--dry-run=client", "-o", "json", "-f", "-")
		if err != nil {
			t.Fatalf("%v\n%s", err, manifest)
		}
		var job struct {
			Metadata struct {
				Name                string
				Labels, Annotations map[string]string
			}
			Spec struct {
				Template struct {
					Spec struct {
						Containers []struct {
							Env []struct{ Name, Value string }
						}
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(read), &job); err != nil {
			t.Fatal(err)
		}
		if job.Metadata.Name != "on" {
			t.Errorf("%s: the name is %q", form, job.Metadata.Name)
		}
		compare(t, form+" labels", labels, job.Metadata.Labels)
		compare(t, form+" annotations", env, job.Metadata.Annotations)
		got := map[string]string{}
		for _, each := range job.Spec.Template.Spec.Containers[0].Env {
			got[each.Name] = each.Value
		}
		compare(t, form+" env", env, got)
	}
}

func compare(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	for name, value := range want {
		if read, ok := got[name]; !ok || read != value {
			t.Errorf("%s: %q is read as %q", what, value, read)
		}
	}
}
