import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Answer } from "./api.ts";
import { MANAGEMENT, type V1 } from "./v1.ts";

/** Long enough for whatever wakes a waiter by mistake. */
export const QUIET_MS = 150;

export interface Wait {
  answer: Promise<Answer>;
  /** Whether it has been answered. */
  isOver(): boolean;
}

/** Blocking reads, begun and left waiting. */
export function createWaits(v1: V1) {
  async function indexOf(path: string, token?: string): Promise<number> {
    const { headers } = await v1.get(path, token);
    expect(headers["x-consul-index"]).toBe(headers["x-service-index"]);
    return Number(headers["x-service-index"]);
  }

  /** Asks for news since an index; the present one unless said otherwise. */
  async function wait(
    path: string,
    options: { since?: number | string; wait?: string; token?: string } = {},
  ): Promise<Wait> {
    const since = options.since ?? (await indexOf(path, options.token));
    let over = false;
    const query = `index=${since}&wait=${options.wait ?? "10s"}`;
    const answer = v1
      .get(`${path}${path.includes("?") ? "&" : "?"}${query}`, options.token)
      .finally(() => (over = true));
    await sleep(QUIET_MS);
    return { answer, isOver: () => over };
  }

  /** How many requests wait now. */
  async function waiting(): Promise<number> {
    const headers = { "x-service-token": MANAGEMENT };
    const { text } = await v1.send({ method: "GET", url: "/metrics", headers });
    return Number(/^tessera_waiting_requests (\d+)$/m.exec(text)?.[1]);
  }

  return { indexOf, wait, waiting };
}
