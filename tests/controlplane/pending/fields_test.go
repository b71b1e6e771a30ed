package pending

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

var unknownField = regexp.MustCompile(`unknown field "[^"]*"`)

// TestRefusedFields holds what is said of wrong fields against the words of the API server, which
// kubectl asks as it does by default.
func TestRefusedFields(t *testing.T) {
	const gpu = `resources: {limits: {nvidia.com/gpu: "1"}}`
	pod := func(spec string) string {
		return `{apiVersion: v1, kind: Pod, metadata: {name: asked, namespace: default}, spec: {` + spec + `}}`
	}
	with := func(container string) string {
		return pod(`containers: [{name: main, image: none, ` + container + `}]`)
	}
	maker := func(apiVersion, kind, spec, template string) string {
		return `{apiVersion: ` + apiVersion + `, kind: ` + kind + `, metadata: {name: asked, namespace: default}, spec: {` + spec +
			`template: {metadata: {labels: {app: asked}}, spec: {containers: [{name: main, image: none, ` + gpu + `}]` + template + `}}}}`
	}
	for name, text := range map[string]string{
		"GPUs beside limits":     with(`resources: {nvidia.com/gpu: "1"}`),
		"limit":                  with(`resources: {limit: {nvidia.com/gpu: "1"}}`),
		"several slips":          pod(`tolerationes: [], containers: [{name: main, image: none, imagePullPolice: Always}]`),
		"slip in a toleration":   pod(`tolerations: [{key: a, operater: Exists}], containers: [{name: main, image: none}]`),
		"slip in a Deployment":   maker("apps/v1", "Deployment", `replica: 2, selector: {matchLabels: {app: asked}}, `, ""),
		"slip in a Job":          maker("batch/v1", "Job", `backofflimit: 2, `, `, restartPolicy: Never`),
		"no image":               pod(`containers: [{name: main, ` + gpu + `}]`),
		"no volume":              with(gpu + `, volumeMounts: [{name: data, mountPath: /data}]`),
		"unqualified resource":   with(`resources: {limits: {gpu: "1"}}`),
		"GPUs of the whole pod":  pod(`resources: {limits: {nvidia.com/gpu: "1"}}, containers: [{name: main, image: none}]`),
		"Job without a policy":   maker("batch/v1", "Job", "", ""),
		"selector of others":     maker("apps/v1", "Deployment", `selector: {matchLabels: {app: others}}, `, ""),
		"no selector":            maker("apps/v1", "StatefulSet", "", ""),
		"fields that are right":  maker("apps/v1", "Deployment", `replicas: 1, selector: {matchLabels: {app: asked}}, `, `, tolerations: [{operator: Exists}]`),
		"Job that may be made":   maker("batch/v1", "Job", "", `, restartPolicy: Never`),
		"CronJob without policy": `{apiVersion: batch/v1, kind: CronJob, metadata: {name: asked, namespace: default}, spec: {schedule: "* * * * *", jobTemplate: {spec: {template: {spec: {containers: [{name: main, image: none}]}}}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			made := object(t, text)
			answer := askFile(t, made)
			file := filepath.Join(t.TempDir(), "asked.yaml")
			write(t, file, made.Object)
			command := exec.Command(filepath.Join(shared.binaries, "kubectl"), "create", "--dry-run=server", "-f", file, "--kubeconfig", shared.cluster.Kubeconfig(cluster.Admin))
			output, err := command.CombinedOutput()
			const lead = "the API server would refuse it: "
			if (err != nil) != strings.HasPrefix(answer.Summary, lead) {
				t.Fatalf("%q, and the API server says %q", answer.Summary, output)
			}
			told := strings.TrimPrefix(answer.Summary, lead)
			ours, theirs := unknownField.FindAllString(told, -1), unknownField.FindAllString(string(output), -1)
			slices.Sort(ours)
			slices.Sort(theirs)
			if !slices.Equal(ours, theirs) || (err != nil && len(ours) == 0 && !strings.Contains(string(output), told)) {
				t.Errorf("%q, and the API server says %q", told, output)
			}
		})
	}
}
