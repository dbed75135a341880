/** An object that is not there: not yet, or not for this token. */
import type { Reading } from "./gone.tsx";
import { PageHead } from "./page-head.tsx";
import { Refusal, wordsOf } from "./refusal.tsx";
import { ObjectSkeleton } from "./skeletons.tsx";

interface PendingProps {
  /** Of `useQuery`, which has no data. */
  readonly query: Reading;
  readonly up: { readonly to: string; readonly title: string };
}

/** What a screen shows until it has its object. */
export function ObjectPending({ query, up }: PendingProps) {
  if (!query.isError) return <ObjectSkeleton />;
  return (
    <section aria-label={up.title}>
      <PageHead title={wordsOf(query.error).title} up={up} />
      {/* The head says what it is. */}
      <Refusal error={query.error} says={{ title: "" }} retry={() => void query.refetch()} />
    </section>
  );
}
