package mappings

import "context"

// nowhere are texts that no name holds, one for each way of forgiving: every
// way is tried for them, and what it needs is made.
var nowhere = []string{"Qwxqzwxqz xqzvwqxzv", "qzxwqzxw", "qqzzqq vvxxvv", "囧囧囧囧", "囧qzxw", "10.0000/qzxwqzxw"}

// Warm makes what else is made for the first query that needs it, such as the
// words for finding typos, so that no client waits for it.
func (ix *Index) Warm(ctx context.Context) error {
	for _, text := range nowhere {
		if _, err := ix.Search(ctx, Query{Text: text, Size: 1}); err != nil {
			return err
		}
	}
	return nil
}
