/** What another server has, as objects to be declared here; and what of it cannot come along. */
import type { Declared } from "../object.ts";

export interface Taken {
  /** How many objects were read, also of those that are left. */
  readonly seen: number;
  readonly objects: readonly Declared[];
  /** What was left, each with why, for whoever moves. */
  readonly left: readonly string[];
  /** Secrets by what stands for them in the objects: no plan shows one. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Keeps secrets apart from the objects that have them. */
export interface Vault {
  readonly secrets: ReadonlyMap<string, string>;
  /** @returns what stands for it */
  keep(secret: string): string;
}

export function createVault(): Vault {
  const secrets = new Map<string, string>();
  return {
    secrets,
    keep(secret) {
      const name = `taken:${secrets.size}`;
      secrets.set(name, secret);
      return name;
    },
  };
}

/** So many of each are named. */
const NAMED = 20;

/** What was left, by why. */
export interface Left {
  add(why: string, what: string): void;
  lines(): string[];
}

export function createLeft(): Left {
  const byReason = new Map<string, string[]>();
  return {
    add(why, what) {
      const all = byReason.get(why) ?? [];
      all.push(what);
      byReason.set(why, all);
    },
    lines: () =>
      [...byReason].map(([why, all]) => {
        const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : "";
        return `${why}: ${all.slice(0, NAMED).join(", ")}${more}`;
      }),
  };
}
