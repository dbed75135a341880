/**
 * Notice above an object that is still on the page but no longer visible: it was deleted, or the token lost the
 * permission to read it.
 */
import { TesseraError } from "@tessera-server/client";
import { useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSession } from "../base/session.ts";
import { isDeletedHere } from "./deleted.ts";
import { Refusal } from "./refusal.tsx";
import * as texts from "../texts/kit-objects.ts";

/** Members of a `useQuery` result that tell whether an object is still there. */
export interface Reading {
  readonly isError: boolean;
  readonly error: unknown;
  readonly errorUpdateCount: number;
  refetch(): unknown;
}

const DELETED = {
  title: texts.goneTitle,
  detail: texts.goneDetail,
};
const OWN = {
  title: texts.deletedHereTitle,
  detail: texts.deletedHereDetail,
};
const TAKEN = {
  title: texts.accessLostTitle,
  detail: texts.accessLostDetail,
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
  const isOwnDelete = isDeletedHere(useRouterState({ select: ({ location }) => location.pathname }));
  const isTaken = error instanceof TesseraError && error.status === 403;
  const words = isOwnDelete ? OWN : isTaken ? TAKEN : DELETED;
  const says = { title: words.title, detail: [words.detail, loss].join(" ").trim(), mayPass: true };
  return (
    <Refusal error={error} says={says} retry={() => void refetch()}>
      {children}
    </Refusal>
  );
}
