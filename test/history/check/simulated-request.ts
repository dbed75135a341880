/** Requests of the clients of a simulation, and their effects. */
import type { Operation } from "../history.ts";

/** The effect of an operation: how it is recorded and answered. */
export interface Effect {
  readonly operation: Operation;
  readonly index?: number;
  /** 200 unless said. */
  readonly status?: number;
  /** Has its client learn from the answer. One that gets none has learned nothing, whatever the server did. */
  readonly learn?: () => void;
}

/** An operation as it is asked for, and what it does when the server comes to it. */
export interface Request {
  readonly operation: Operation;
  readonly perform: (now: number, node: number) => Effect;
}
