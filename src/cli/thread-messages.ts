/** Messages between the main thread and the other threads that answer requests. */
import type { Gathered } from "../records/refusals/refusal.ts";
import type { Active } from "../acl/sessions/activity.ts";
import type { Used } from "../acl/tokens/uses.ts";
import type { CountedUse } from "../records/uses/memory.ts";
import type { Config } from "../config.ts";
import type { ForwardedAnswer, ForwardedRequest } from "../http/forwarding/messages.ts";
import type { Numbers } from "../http/metrics/metrics.ts";
import type { FollowingThread } from "../storage/database.ts";

/** Data that a thread is started with. */
export interface ThreadWork {
  config: Config;
  masterKey: Uint8Array | undefined;
  following: FollowingThread;
  /** The port that all of them share. */
  port: number;
  /** ID of the process in traces, where there are any. */
  instanceId: string | undefined;
}

/** From a thread to the main one. */
export type ThreadMessage =
  | { type: "listening" }
  | { type: "refused"; message: string }
  | { type: "request"; id: number; request: ForwardedRequest }
  /** The client of that request has gone before it was answered. */
  | { type: "gone"; id: number }
  /** Denied requests of the thread, for the records. */
  | { type: "refusals"; gathered: readonly Gathered[] }
  /** Tokens that were used, for the first time on that day as far as this thread knows. */
  | { type: "used"; tokens: readonly Used[] }
  /** Permissions that callers of the thread used. */
  | { type: "permissions-used"; uses: readonly CountedUse[] }
  /** Sessions of the console that somebody used. */
  | { type: "active"; sessions: readonly Active[] }
  | { type: "my-numbers"; id: number; numbers: Numbers };

/** From the main thread to another. */
export type MainMessage =
  | { type: "answer"; id: number; answer: ForwardedAnswer }
  | { type: "tell-numbers"; id: number }
  | { type: "reload" }
  | { type: "stop"; drainMs: number };
