/** An object that is not there: not yet, or not for this token. */
import { useState } from "react";
import type { Reading } from "./gone.tsx";
import { PageHead } from "./page-head.tsx";
import { Refusal, wordsOf } from "./refusal.tsx";
import { ObjectSkeleton } from "./skeletons.tsx";

interface PendingProps {
  /** Result of `useQuery` without data. */
  readonly query: Reading;
  readonly up: { readonly to: string; readonly title: string };
}

/** Placeholder of a screen until its object is there. */
export function ObjectPending({ query, up }: PendingProps) {
  const [last, setLast] = useState<unknown>();
  if (query.isError && query.error !== last) setLast(query.error);
  // A retry after an error keeps that error visible: the page does not fall back to a skeleton.
  const error = query.isError ? query.error : query.errorUpdateCount > 0 ? last : undefined;
  if (error === undefined) return <ObjectSkeleton />;
  return (
    <section aria-label={up.title}>
      <PageHead title={wordsOf(error).title} up={up} />
      {/* The page head already shows the title. */}
      <Refusal error={error} says={{ title: "" }} retry={() => void query.refetch()} />
    </section>
  );
}
