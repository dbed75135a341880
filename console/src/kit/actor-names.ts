/** Names of actors. The look-ups of one moment are one request, and the server names only tokens that the caller may read. */
import { queryOptions } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import { clientOf } from "../base/client.ts";

export type NamedToken = BodyOf<"listTokenNames">[number];

interface Asked {
  readonly accessor: string;
  resolve(token: NamedToken | null): void;
  reject(error: unknown): void;
}

/** Maximum number of AccessorIDs in one request. */
const MOST = 64;

let waiting: Asked[] = [];

async function ask(accessor: string): Promise<NamedToken | null> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) queueMicrotask(() => void sendAll());
    waiting.push({ accessor, resolve, reject });
  });
}

async function sendAll(): Promise<void> {
  const all = waiting;
  waiting = [];
  for (let start = 0; start < all.length; start += MOST) await send(all.slice(start, start + MOST));
}

async function send(asked: readonly Asked[]): Promise<void> {
  try {
    const query = { accessor: asked.map(({ accessor }) => accessor).join(",") };
    const { body } = await clientOf(undefined, "live").request("listTokenNames", { query });
    const found = new Map(body.map((token) => [token.AccessorID, token]));
    for (const { accessor, resolve } of asked) resolve(found.get(accessor) ?? null);
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}

/** The token of an AccessorID; null for one that is gone, or that the caller may not read. */
export function actorQuery(accessor: string) {
  return queryOptions({
    queryKey: ["actor", accessor],
    queryFn: async () => ask(accessor),
    staleTime: 60_000,
  });
}
