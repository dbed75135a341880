import type { Random } from "../../history/random.ts";
import type { Sender } from "../sender.ts";
import type { Target } from "../target.ts";

/** Tools of a hostile client. */
export interface Ring {
  readonly target: Target;
  readonly random: Random;
  /** With connections of this attack's own, and no token. */
  readonly client: Sender;
  /** Notes a status that was answered, or `cut` or such. */
  readonly note: (outcome: string | number) => void;
}

/** One kind of hostile client. */
export interface Attack {
  readonly name: string;
  /** How often it begins in a second; no more than `atOnce` of them are under way. */
  readonly perSecond: number;
  readonly atOnce: number;
  /** Outcomes each of which there must be, or it did not meet what it is to attack. */
  readonly meets: readonly (string | number)[];
  act(ring: Ring): Promise<void>;
}
