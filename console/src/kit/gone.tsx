/**
 * Notice above an object that is still on the page but no longer visible: it was deleted, or the token lost the
 * permission to read it.
 */
import { TesseraError } from "@tessera-server/client";
import type { ReactNode } from "react";
import { useSession } from "../base/session.ts";
import { Refusal } from "./refusal.tsx";

/** Members of a `useQuery` result that tell whether an object is still there. */
export interface Reading {
  readonly isError: boolean;
  readonly error: unknown;
  readonly errorUpdateCount: number;
  refetch(): unknown;
}

const DELETED = {
  title: "It was deleted",
  detail: "By somebody else, or your token may not see it any more. What you see is from before.",
};
const TAKEN = {
  title: "Your token may not see it any more",
  detail: "What you see is from before.",
};

/**
 * Checks whether a later read of an object failed with 403 or 404. Without a session all reads fail, which tells
 * nothing about the object.
 */
export function useIsGone(query: Reading | undefined): boolean {
  const isSignedIn = useSession()?.SignedIn === true;
  if (query === undefined || !isSignedIn || !query.isError || !(query.error instanceof TesseraError)) return false;
  return query.error.status === 404 || query.error.status === 403;
}

interface GoneProps {
  readonly query: Reading;
  /** Sentence about actions that are no longer possible. */
  readonly loss?: string;
  /** The way to its history. */
  readonly children?: ReactNode;
}

/** Says so, above what is shown. */
export function Gone({ query: { error, refetch }, loss = "", children }: GoneProps) {
  const words = error instanceof TesseraError && error.status === 403 ? TAKEN : DELETED;
  const says = { title: words.title, detail: `${words.detail}${loss}`, mayPass: true };
  return (
    <Refusal error={error} says={says} retry={() => void refetch()}>
      {children}
    </Refusal>
  );
}
