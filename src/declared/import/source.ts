/** Objects of another server, as objects to declare here, and the ones that cannot be imported. */
import type { Declared } from "../object.ts";

export type ImportOrigin = "consul" | "consul-community" | "tessera";

export interface Taken {
  /** How many objects were read, also of those that are left. */
  readonly seen: number;
  readonly objects: readonly Declared[];
  /** Kind of the source server, as checks of policies know it. Undefined for one without a kind. */
  readonly from?: ImportOrigin;
  /** Objects that were left out, each with the reason, for the user who migrates. */
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

/** Maximum number of names for each reason. */
const NAMED = 20;

/** Objects that were left out, by reason. */
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
