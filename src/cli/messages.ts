/** Messages between the processes that share a port. */
import type { Numbers } from "../http/metrics/metrics.ts";

/** Report of a child that serves. */
export interface Listening {
  /** The real address. */
  url: string;
  /** The file with the first management token, from the one child that made it. */
  tokenFile: string | undefined;
}

/** An answer for `/metrics` is put together by the child that was asked: the parent brings it the others' numbers. */
export type NumbersMessage =
  | { type: "ask-others"; id: number; numbers: Numbers }
  | { type: "my-numbers"; id: number; numbers: Numbers };

/** About the port, which the parent owns: a child asks for connections, took one, wants no more. */
export type PortMessage = { type: "open" } | { type: "took"; id: number } | { type: "leave" };

/** From a child to its parent. A start that is refused says why in one line. */
export type ChildMessage =
  | ({ type: "listening" } & Listening)
  | { type: "refused"; message: string }
  | PortMessage
  | NumbersMessage;

/** Address of the port, or the reason why it cannot be opened. */
export type Opened = { type: "opened"; address: string; port: number } | { type: "not-opened"; code: string };

/** From the parent to a child. With `connection` comes a socket; after `no-more` none does. */
export type ParentMessage =
  | Opened
  | { type: "connection"; id: number }
  | { type: "no-more" }
  | { type: "tell-numbers"; id: number }
  | { type: "others-numbers"; id: number; numbers: readonly Numbers[] };

/** Set in the environment of a child. Not a `TESSERA_…` variable: those are options. */
export const CHILD_VARIABLE = "_TESSERA_CHILD";
