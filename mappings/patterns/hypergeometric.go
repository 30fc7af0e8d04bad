package patterns

import "math"

// factorials has ln n! at index n.
type factorials []float64

func newFactorials(most int) factorials {
	f := make(factorials, most+1)
	for n := range f {
		f[n], _ = math.Lgamma(float64(n) + 1)
	}
	return f
}

// mass returns ln P(X = k) of the hypergeometric distribution. Of a number of things, n are drawn
// at random. The parameter all is the number of things, the parameter marked is the number of
// marked things among them, and X is the number of marked things that are drawn. The result is -Inf
// if k is impossible.
func (f factorials) mass(k, all, marked, n int) float64 {
	if k < 0 || k > marked || k > n || all-marked-n+k < 0 {
		return math.Inf(-1)
	}
	return f[marked] + f[all-marked] + f[n] + f[all-n] - f[all] - f[k] - f[marked-k] - f[n-k] - f[all-marked-n+k]
}

// negligible is a fraction of the sum of a tail. The summation stops after the first term that is
// smaller than this fraction of the sum.
const negligible = 1e-18

// atLeast returns ln P(X >= k).
func (f factorials) atLeast(k, all, marked, n int) float64 {
	switch {
	case k <= max(0, marked+n-all):
		return 0
	case k > min(marked, n):
		return math.Inf(-1)
	case float64(k)*float64(all) < float64(marked)*float64(n):
		return math.Log1p(-math.Exp(f.atMost(k-1, all, marked, n)))
	}
	sum, term := 1.0, 1.0
	for i := k; i < min(marked, n) && term > negligible*sum; i++ {
		term *= float64(marked-i) * float64(n-i) / (float64(i+1) * float64(all-marked-n+i+1))
		sum += term
	}
	return min(0, f.mass(k, all, marked, n)+math.Log(sum))
}

// atMost returns ln P(X <= k).
func (f factorials) atMost(k, all, marked, n int) float64 {
	least := max(0, marked+n-all)
	switch {
	case k >= min(marked, n):
		return 0
	case k < least:
		return math.Inf(-1)
	case float64(k)*float64(all) >= float64(marked)*float64(n):
		return math.Log1p(-math.Exp(f.atLeast(k+1, all, marked, n)))
	}
	sum, term := 1.0, 1.0
	for i := k; i > least && term > negligible*sum; i-- {
		term *= float64(i) * float64(all-marked-n+i) / (float64(marked-i+1) * float64(n-i+1))
		sum += term
	}
	return min(0, f.mass(k, all, marked, n)+math.Log(sum))
}

// p returns the natural logarithm of the p value for a side.
func (f factorials) p(side Side, k, all, marked, n int) float64 {
	switch side {
	case Often:
		return f.atLeast(k, all, marked, n)
	case Seldom:
		return f.atMost(k, all, marked, n)
	}
	return min(0, math.Ln2+min(f.atLeast(k, all, marked, n), f.atMost(k, all, marked, n)))
}
