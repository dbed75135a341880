/** An object that is not there: not yet, or not for this token. */
import { Text } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { isDeletedHere } from "./deleted.ts";
import type { Reading } from "./gone.tsx";
import { A } from "./link.tsx";
import { PageHead } from "./page-head.tsx";
import { Refusal, wordsOf } from "./refusal.tsx";
import { ObjectSkeleton } from "./skeletons.tsx";
import * as texts from "../texts/kit-objects.ts";

interface PendingProps {
  /** Result of `useQuery` without data. */
  readonly query: Reading;
  readonly up: { readonly to: string; readonly title: string };
}

/** Placeholder of a screen until its object is there. */
export function ObjectPending({ query, up }: PendingProps) {
  const [last, setLast] = useState<unknown>();
  const isOwnDelete = isDeletedHere(useRouterState({ select: ({ location }) => location.pathname }));
  if (query.isError && query.error !== last) setLast(query.error);
  // A retry after an error keeps that error visible: the page does not fall back to a skeleton.
  const error = query.isError ? query.error : query.errorUpdateCount > 0 ? last : undefined;
  if (error === undefined) return <ObjectSkeleton />;
  if (isOwnDelete) {
    return (
      <section aria-label={up.title}>
        <PageHead title={texts.deletedHereTitle} up={up} />
        <Text size="sm">
          {texts.deletedHereDetail} <A to={up.to}>{up.title}</A>
        </Text>
      </section>
    );
  }
  return (
    <section aria-label={up.title}>
      <PageHead title={wordsOf(error).title} up={up} />
      {/* The page head already shows the title. */}
      <Refusal error={error} says={{ title: "" }} retry={() => void query.refetch()} />
    </section>
  );
}
