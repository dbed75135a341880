/** The process of the hostile clients: what they cost is not to be taken for what the server's answers took. */
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../history/random.ts";
import type { Attack } from "./attacks/attack.ts";
import { ATTACKS } from "./attacks/attacks.ts";
import { sender } from "./sender.ts";
import type { Target } from "./target.ts";

/** Parameters that the process gets at its start. */
export interface Orders {
  readonly target: Target;
  readonly seed: number;
  readonly milliseconds: number;
  /** Names of attacks. */
  readonly attacks: readonly string[];
}

/** Result of one attack, which the process sends at its end. */
export interface Attacked {
  readonly name: string;
  /** How often it was begun. */
  readonly begun: number;
  /** How often it met what. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Hostile clients run elsewhere: what making their requests costs may not take the server's processor from it. */
const PRIORITY = 10;

setPriority(PRIORITY);
process.once("message", (orders: Orders) => void attackAll(orders));

async function attackAll({ target, seed, milliseconds, attacks }: Orders): Promise<void> {
  const until = performance.now() + milliseconds;
  const chosen = ATTACKS.filter(({ name }) => attacks.includes(name));
  const attacked = await Promise.all(chosen.map((attack, number) => repeat(attack, target, seed + number, until)));
  process.send?.(attacked, () => process.exit(0));
}

/** Begins an attack at its rate, unless too many are still under way. */
async function repeat(attack: Attack, target: Target, seed: number, until: number): Promise<Attacked> {
  const outcomes: Record<string, number> = {};
  const note = (outcome: string | number): void => {
    // This process itself cuts off requests that are under way at the end.
    if (performance.now() < until) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const random = createRandom(seed);
  const client = sender(target.url, "", 32);
  const beat = 1000 / attack.perSecond;
  let underWay = 0;
  let begun = 0;
  for (let due = performance.now() + random.below(beat); due < until; due += beat) {
    await sleep(Math.max(0, due - performance.now()));
    if (underWay >= attack.atOnce) continue;
    underWay += 1;
    begun += 1;
    void attack
      .act({ target, random, client, note })
      .catch((error: Error) => note(error.message.slice(0, 60)))
      .finally(() => (underWay -= 1));
  }
  await sleep(Math.max(0, until - performance.now()));
  client.close();
  return { name: attack.name, begun, outcomes };
}
