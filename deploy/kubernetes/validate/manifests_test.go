// Package validate reads the manifests as Kubernetes does. Kustomize builds them, and each object
// is decoded into the Go type of its kind. An unknown field is an error.
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

// object maps the version and kind of an object to a function that returns an empty value of its Go
// type.
var object = map[string]func() any{
	"apps/v1 Deployment":                 func() any { return new(apps.Deployment) },
	"batch/v1 CronJob":                   func() any { return new(batch.CronJob) },
	"networking.k8s.io/v1 NetworkPolicy": func() any { return new(networking.NetworkPolicy) },
	"policy/v1 PodDisruptionBudget":      func() any { return new(policy.PodDisruptionBudget) },
	"v1 PersistentVolumeClaim":           func() any { return new(core.PersistentVolumeClaim) },
	"v1 Service":                         func() any { return new(core.Service) },
}

// build returns the manifests of a folder as "kubectl kustomize" prints them.
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

// decode decodes the objects of manifests. An unknown kind or field is an error.
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
			return nil, fmt.Errorf("%s %s is of an unknown kind", head.APIVersion, head.Kind)
		}
		o := make()
		if err := yaml.UnmarshalStrict([]byte(doc), o); err != nil {
			return nil, fmt.Errorf("%s %s: %w", head.Kind, head.Metadata.Name, err)
		}
		objects = append(objects, o)
	}
	return objects, nil
}

// pods returns the pod templates, by the name of the Deployment or CronJob that has them.
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

// TestManifests builds both ways of deployment and checks rules that the types do not express.
func TestManifests(t *testing.T) {
	for _, folder := range []string{"bucket", "shared"} {
		t.Run(folder, func(t *testing.T) {
			objects, err := decode(build(t, folder))
			if err != nil {
				t.Fatal(err)
			}
			made := pods(objects)
			if want := []string{"bencao", "bencao-index", "bencao-redis"}; !slices.Equal(slices.Sorted(maps.Keys(made)), want) {
				t.Errorf("the pods are of %v, want %v", slices.Sorted(maps.Keys(made)), want)
			}
			claims := map[string]bool{"bencao-sources": true} // the operator creates this claim
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
						t.Errorf("%s does not select the pods of its own template", o.Name)
					}
				case *batch.CronJob:
					if o.Spec.ConcurrencyPolicy != batch.ForbidConcurrent || *o.Spec.JobTemplate.Spec.BackoffLimit != 0 {
						t.Errorf("%s: two builds could run at once, or a failed build could run again", o.Name)
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

// checkPod checks that a pod has no privileges, that its containers have limits, and that its
// volumes exist.
func checkPod(t *testing.T, name string, pod core.PodTemplateSpec, claims map[string]bool) {
	t.Helper()
	s := pod.Spec.SecurityContext
	if s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.SeccompProfile == nil || pod.Spec.AutomountServiceAccountToken == nil || *pod.Spec.AutomountServiceAccountToken {
		t.Errorf("%s: runs as root, without seccomp, or with a token of the cluster", name)
	}
	volumes := map[string]bool{}
	for _, v := range pod.Spec.Volumes {
		volumes[v.Name] = true
		if c := v.PersistentVolumeClaim; c != nil && (!claims[c.ClaimName] || v.EmptyDir != nil) {
			t.Errorf("%s: volume %s uses the claim %s, which does not exist, or has two sources", name, v.Name, c.ClaimName)
		}
	}
	for _, c := range append(slices.Clone(pod.Spec.InitContainers), pod.Spec.Containers...) {
		h := c.SecurityContext
		if h == nil || h.ReadOnlyRootFilesystem == nil || !*h.ReadOnlyRootFilesystem || h.AllowPrivilegeEscalation == nil || *h.AllowPrivilegeEscalation || h.Capabilities == nil || !slices.Equal(h.Capabilities.Drop, []core.Capability{"ALL"}) {
			t.Errorf("%s, %s: may write to its image, or has privileges", name, c.Name)
		}
		if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Cpu().IsZero() {
			t.Errorf("%s, %s: has no memory limit, or requests no CPU", name, c.Name)
		}
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				t.Errorf("%s, %s: mounts %s, which is no volume", name, c.Name, m.Name)
			}
		}
	}
}

// checkServe checks that the server has at least two replicas on different nodes, with probes, and
// with enough time to finish its requests.
func checkServe(t *testing.T, d *apps.Deployment) {
	t.Helper()
	pod := d.Spec.Template.Spec
	c := pod.Containers[0]
	if *d.Spec.Replicas < 2 || len(pod.TopologySpreadConstraints) == 0 || *pod.TerminationGracePeriodSeconds < 45 {
		t.Error("the server has one replica, or replicas on one node, or too little time to finish its requests")
	}
	for _, p := range []*core.Probe{c.StartupProbe, c.ReadinessProbe, c.LivenessProbe} {
		if p == nil || p.HTTPGet == nil || !slices.ContainsFunc(c.Ports, func(have core.ContainerPort) bool { return have.Name == p.HTTPGet.Port.StrVal }) {
			t.Errorf("a probe is missing, or uses a port that does not exist: %v", p)
		}
	}
	for _, first := range pod.InitContainers {
		if first.RestartPolicy == nil && slices.ContainsFunc(first.Env, func(e core.EnvVar) bool { return e.Name == "BENCAO_MAX_AGE" }) {
			t.Errorf("%s refuses an old snapshot, so no pod would start after a failed build", first.Name)
		}
	}
	for _, m := range c.VolumeMounts {
		if !m.ReadOnly {
			t.Errorf("the server may write to %s", m.Name)
		}
	}
}

// checkService checks that a service refers to a port of the pods that it selects.
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
	t.Errorf("service %s has no pods, or refers to none of their ports", s.Name)
}

// TestSpoiled checks that decode returns an error for manifests with a mistake.
func TestSpoiled(t *testing.T) {
	good := build(t, "bucket")
	for what, spoil := range map[string][2]string{
		"a misspelt field":    {"readinessProbe:", "readynessProbe:"},
		"an unknown field":    {"concurrencyPolicy: Forbid", "concurrency: Forbid"},
		"a wrong type":        {"replicas: 2", "replicas: two"},
		"a field given twice": {"restartPolicy: Never", "restartPolicy: Never\n          restartPolicy: Always"},
		"an unknown kind":     {"kind: CronJob", "kind: Cronjob"},
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
