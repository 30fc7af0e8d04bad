// Package validate reads the manifests as Kubernetes does. Kustomize builds them, and each object
// is decoded into its own type, in which an unknown field is an error.
package validate

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// object returns, for each kind, a value to decode into.
var object = map[string]func() any{
	"apps/v1 Deployment":                 func() any { return new(apps.Deployment) },
	"batch/v1 CronJob":                   func() any { return new(batch.CronJob) },
	"networking.k8s.io/v1 NetworkPolicy": func() any { return new(networking.NetworkPolicy) },
	"policy/v1 PodDisruptionBudget":      func() any { return new(policy.PodDisruptionBudget) },
	"v1 PersistentVolumeClaim":           func() any { return new(core.PersistentVolumeClaim) },
	"v1 Service":                         func() any { return new(core.Service) },
}

// build returns the output of "kubectl kustomize".
func build(t *testing.T, folder string) string {
	t.Helper()
	all, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join("..", folder))
	if err != nil {
		t.Fatal(err)
	}
	text, err := all.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// decode decodes objects. An unknown field is an error.
func decode(text string) (objects []any, err error) {
	for _, doc := range strings.Split(text, "\n---\n") {
		var head struct {
			APIVersion, Kind string
			Metadata         struct{ Name string }
		}
		if err := yaml.Unmarshal([]byte(doc), &head); err != nil {
			return nil, err
		}
		make := object[head.APIVersion+" "+head.Kind]
		if make == nil {
			return nil, fmt.Errorf("%s %s is of no kind that is known here", head.APIVersion, head.Kind)
		}
		o := make()
		if err := yaml.UnmarshalStrict([]byte(doc), o); err != nil {
			return nil, fmt.Errorf("%s %s: %w", head.Kind, head.Metadata.Name, err)
		}
		objects = append(objects, o)
	}
	return objects, nil
}

// pods returns the pod templates by the name of the object that creates the pods.
func pods(objects []any) map[string]core.PodTemplateSpec {
	found := map[string]core.PodTemplateSpec{}
	for _, o := range objects {
		switch o := o.(type) {
		case *apps.Deployment:
			found[o.Name] = o.Spec.Template
		case *batch.CronJob:
			found[o.Name] = o.Spec.JobTemplate.Spec.Template
		}
	}
	return found
}

// TestManifests builds both deployments and checks the rules that types cannot express.
func TestManifests(t *testing.T) {
	for _, folder := range []string{"bucket", "shared"} {
		t.Run(folder, func(t *testing.T) {
			objects, err := decode(build(t, folder))
			if err != nil {
				t.Fatal(err)
			}
			made := pods(objects)
			if want := []string{"bencao", "bencao-index", "bencao-redis"}; !slices.Equal(slices.Sorted(maps.Keys(made)), want) {
				t.Errorf("pods of %v, want of %v", slices.Sorted(maps.Keys(made)), want)
			}
			claims := map[string]bool{"bencao-sources": true} // the operator creates this one
			for _, o := range objects {
				if c, ok := o.(*core.PersistentVolumeClaim); ok {
					claims[c.Name] = true
				}
			}
			for name, pod := range made {
				checkPod(t, name, pod, claims)
			}
			for _, o := range objects {
				switch o := o.(type) {
				case *apps.Deployment:
					if o.Name == "bencao" {
						checkServe(t, o)
					}
					if !fits(o.Spec.Selector.MatchLabels, o.Spec.Template.Labels) {
						t.Errorf("%s selects no pods of its own", o.Name)
					}
				case *batch.CronJob:
					if o.Spec.ConcurrencyPolicy != batch.ForbidConcurrent || *o.Spec.JobTemplate.Spec.BackoffLimit != 0 {
						t.Errorf("%s: two nights could run at once, or one twice", o.Name)
					}
				case *core.Service:
					checkService(t, o, made)
				case *policy.PodDisruptionBudget:
					if !fits(o.Spec.Selector.MatchLabels, made["bencao"].Labels) {
						t.Errorf("%s protects no pods", o.Name)
					}
				}
			}
		})
	}
}

func fits(selector, labels map[string]string) bool {
	for k, v := range selector {
		if labels[k] != v {
			return false
		}
	}
	return len(selector) > 0
}

// checkPod checks that a pod has no privileges and that its volumes exist.
func checkPod(t *testing.T, name string, pod core.PodTemplateSpec, claims map[string]bool) {
	t.Helper()
	s := pod.Spec.SecurityContext
	if s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.SeccompProfile == nil || pod.Spec.AutomountServiceAccountToken == nil || *pod.Spec.AutomountServiceAccountToken {
		t.Errorf("%s: runs as root, without seccomp, or with a token of the cluster's", name)
	}
	volumes := map[string]bool{}
	for _, v := range pod.Spec.Volumes {
		volumes[v.Name] = true
		if c := v.PersistentVolumeClaim; c != nil && (!claims[c.ClaimName] || v.EmptyDir != nil) {
			t.Errorf("%s: volume %s claims %s, which nobody makes, or is two volumes", name, v.Name, c.ClaimName)
		}
	}
	for _, c := range append(slices.Clone(pod.Spec.InitContainers), pod.Spec.Containers...) {
		h := c.SecurityContext
		if h == nil || h.ReadOnlyRootFilesystem == nil || !*h.ReadOnlyRootFilesystem || h.AllowPrivilegeEscalation == nil || *h.AllowPrivilegeEscalation || h.Capabilities == nil || !slices.Equal(h.Capabilities.Drop, []core.Capability{"ALL"}) {
			t.Errorf("%s, %s: may write its image, or has rights", name, c.Name)
		}
		if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Cpu().IsZero() {
			t.Errorf("%s, %s: has no bound of memory, or asks for no processor", name, c.Name)
		}
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				t.Errorf("%s, %s: mounts %s, which is no volume", name, c.Name, m.Name)
			}
		}
	}
}

// checkServe checks that there are at least two replicas, with probes, on different nodes, and with
// enough time to end.
func checkServe(t *testing.T, d *apps.Deployment) {
	t.Helper()
	pod := d.Spec.Template.Spec
	c := pod.Containers[0]
	if *d.Spec.Replicas < 2 || len(pod.TopologySpreadConstraints) == 0 || *pod.TerminationGracePeriodSeconds < 45 {
		t.Error("one replica, in one place, or one that is killed before its requests end")
	}
	for _, p := range []*core.Probe{c.StartupProbe, c.ReadinessProbe, c.LivenessProbe} {
		if p == nil || p.HTTPGet == nil || !slices.ContainsFunc(c.Ports, func(have core.ContainerPort) bool { return have.Name == p.HTTPGet.Port.StrVal }) {
			t.Errorf("a probe is missing, or asks at a port that is none: %v", p)
		}
	}
	for _, first := range pod.InitContainers {
		if first.RestartPolicy == nil && slices.ContainsFunc(first.Env, func(e core.EnvVar) bool { return e.Name == "BENCAO_MAX_AGE" }) {
			t.Errorf("%s refuses an old snapshot, so no pod would start after a night that failed", first.Name)
		}
	}
	for _, m := range c.VolumeMounts {
		if m.Name != "usage" && !m.ReadOnly {
			t.Errorf("the server may write %s", m.Name)
		}
	}
}

// checkService checks that a service refers to ports of its pods.
func checkService(t *testing.T, s *core.Service, made map[string]core.PodTemplateSpec) {
	t.Helper()
	for _, pod := range made {
		if !fits(s.Spec.Selector, pod.Labels) {
			continue
		}
		for _, p := range s.Spec.Ports {
			if slices.ContainsFunc(pod.Spec.Containers[0].Ports, func(have core.ContainerPort) bool { return have.Name == p.TargetPort.StrVal }) {
				return
			}
		}
	}
	t.Errorf("service %s leads to no port of a pod", s.Name)
}

// TestSpoiled checks that decoding detects errors in manifests.
func TestSpoiled(t *testing.T) {
	good := build(t, "bucket")
	for what, spoil := range map[string][2]string{
		"a field that there is not": {"readinessProbe:", "readynessProbe:"},
		"a field in another place":  {"concurrencyPolicy: Forbid", "concurrency: Forbid"},
		"a wrong type":              {"replicas: 2", "replicas: two"},
		"a field given twice":       {"restartPolicy: Never", "restartPolicy: Never\n          restartPolicy: Always"},
		"a kind that there is not":  {"kind: CronJob", "kind: Cronjob"},
	} {
		bad := strings.Replace(good, spoil[0], spoil[1], 1)
		if bad == good {
			t.Fatalf("%s: there is no %q to spoil", what, spoil[0])
		}
		if _, err := decode(bad); err == nil {
			t.Errorf("%s was not noticed", what)
		}
	}
}
