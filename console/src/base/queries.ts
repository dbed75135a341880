/** The cache of what was read. */
import { ConnectionError, TesseraError } from "@tessera-server/client";
import { QueryClient } from "@tanstack/react-query";
import type { Scope } from "./address.ts";

/** The cache; one for the page. What was read is fresh until an event says otherwise, but half a minute at most. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 5 * 60_000,
      // The client tries again itself, where that is safe.
      retry: false,
      refetchInterval: ({ state }) => (isTemporary(state.error) ? waitAfter(state.errorUpdateCount) : false),
      // While there was no network no event came, so nothing is known to be as it was.
      refetchOnReconnect: "always",
      refetchOnWindowFocus: (query) => query.state.status !== "error" || !isRefused(query.state.error),
    },
    // Without a network a write fails at once: put off, it would be made later without a word.
    mutations: { retry: false, networkMode: "always" },
  },
});

/** A server that restarts, or a proxy without one, answers again later. */
function isTemporary(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof TesseraError && [502, 503, 504].includes(error.status));
}

/** @returns milliseconds until a failed read is repeated: 1 s after the first failure, at most 15 s */
function waitAfter(failures: number): number {
  return Math.min(15_000, 1000 * 2 ** (failures - 1));
}

function isRefused(error: unknown): boolean {
  return error instanceof TesseraError && (error.status === 403 || error.status === 404);
}

/** The key of something that lies in a scope; events of the topic `noun` make it be read again. */
export function scopedKey({ partition, namespace }: Scope, noun: string, ...rest: readonly unknown[]) {
  return ["v1", partition, namespace, noun, ...rest] as const;
}

/** The key of something that belongs to an organization. */
export function organizationKey(organization: string, noun: string, ...rest: readonly unknown[]) {
  return ["v2", organization, noun, ...rest] as const;
}
