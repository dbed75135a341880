/** Caller of a request on the lane, as work sees it. */
import { leavePlaceOf } from "../../bounds.ts";
import { CallerGone, type WorkCaller, type WorkOwner } from "../../callers.ts";
import type { Actor } from "../../rights/actor.ts";
import { ownerOf } from "../receiving/request-callers.ts";

/** The client of a connection. */
export interface LaneClient {
  /** Whether it has gone. */
  isGone(): boolean;
  /** Its address; empty when it has gone. */
  readonly address: string;
}

/** How often it is looked whether a caller has gone for whom something waits. */
const LOOK_MS = 100;

export class LaneCaller implements WorkCaller {
  actor: Actor | undefined;
  readonly #client: LaneClient;
  #ending: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: LaneClient) {
    this.#client = client;
  }

  isGone(): boolean {
    return this.#client.isGone();
  }

  get gone(): AbortSignal {
    return (this.#ending ??= this.#follow()).signal;
  }

  get owner(): WorkOwner {
    return ownerOf(this.actor, this.#client.address);
  }

  /** Nothing works for it any more: the connection may stay for long. */
  end(): void {
    leavePlaceOf(this);
    clearInterval(this.#timer);
  }

  #follow(): AbortController {
    const ending = new AbortController();
    this.#timer = setInterval(() => {
      if (!this.isGone()) return;
      this.end();
      ending.abort(new CallerGone());
    }, LOOK_MS);
    this.#timer.unref();
    return ending;
  }
}
