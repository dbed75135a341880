/** The move of a database that clients write to, as an operator runs it. */
import { setTimeout as sleep } from "node:timers/promises";
import { begin, type Place, type Running } from "./command.ts";

/** Starts `tessera move`. @param env more environment variables */
export function move(from: Place, to: Place, more: readonly string[] = [], env: Record<string, string> = {}): Running {
  const places = ["--from", from.database, "--to", to.database, "--data-dir", from.dataDir];
  return begin(["move", ...places, ...more], [], env);
}

/** Clients that make tokens until they are told to stop, or until nobody answers them. */
export interface Writing {
  /** AccessorIDs of those that they were told are there. */
  readonly acknowledged: string[];
  readonly refusals: { status: number; retryAfter: string | null }[];
  stop(): Promise<void>;
}

/** Starts them. */
export function write(url: string, token: string, clients: number): Writing {
  const acknowledged: string[] = [];
  const refusals: { status: number; retryAfter: string | null }[] = [];
  let isOver = false;
  const writers = Array.from({ length: clients }, async (_, writer) => {
    for (let round = 1; !isOver; round++) {
      const answer = await fetch(`${url}/v1/acl/token`, {
        method: "PUT",
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ Description: `w${writer} r${round}` }),
      });
      const body = (await answer.json().catch(() => ({}))) as { AccessorID?: string };
      if (answer.status === 200) acknowledged.push(body.AccessorID ?? "");
      else {
        refusals.push({ status: answer.status, retryAfter: answer.headers.get("retry-after") });
        await sleep(20);
      }
    }
  });
  return {
    acknowledged,
    refusals,
    async stop() {
      isOver = true;
      await Promise.all(writers);
    },
  };
}
