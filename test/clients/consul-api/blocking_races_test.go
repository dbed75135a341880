package consulapi

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
)

// A change may come while reads begin to wait: before, in or after the first look that the server takes for them. Wherever
// it falls, each of them has to be told, since what they were shown before is older.
func TestChangeWhileReadsBeginToWait(t *testing.T) {
	const rounds, readers, apart = 25, 24, 300 * time.Microsecond
	eachEngineAlone(t, func(t *testing.T, e *env) {
		for _, read := range blockingReads {
			t.Run("is not missed: "+read.name, func(t *testing.T) {
				of := e.subjects()[read.kind]
				for round := range rounds {
					_, before, err := read.ask(e, of, nil)
					wantMeta(t, before, err)
					text := fmt.Sprintf("round %d", round)
					all := make([]*armed, readers)
					for i := range all {
						all[i] = &armed{blockingRead: read, of: of, before: before}
						all[i].begin(func() (any, *api.QueryMeta, error) {
							time.Sleep(time.Duration(i) * apart)
							return all[i].until(t, e, text)
						})
					}
					index := of.describe(t, text)
					over := time.After(patience / 4)
					for i, a := range all {
						select {
						case o := <-a.outcomes:
							wantMeta(t, o.meta, o.err)
						case <-over:
							now, meta, err := read.ask(e, of, nil)
							wantMeta(t, meta, err)
							shown, _ := descriptionIn(now, of.id)
							t.Fatalf("round %d: reader %d since the index %d still waits %s after the change with the index %d; who asks anew is shown %q at %d; %d requests wait",
								round, i, before.LastIndex, patience/4, index, shown, meta.LastIndex, e.waiting(t))
						}
					}
				}
			})
		}
	})
}

// until asks as clients do, each time since the index of the answer before, until it is shown a description.
func (a *armed) until(t *testing.T, asker *env, description string) (any, *api.QueryMeta, error) {
	last := a.before.LastIndex
	for {
		answer, meta, err := a.ask(asker, a.of, since(t, last))
		if err != nil {
			return nil, nil, err
		}
		if shown, _ := descriptionIn(answer, a.of.id); shown == description {
			return answer, meta, nil
		}
		last = meta.LastIndex
	}
}
