import type { Engine } from "../engine.ts";

/** Column types by engine: identifiers compare by bytes on both, whatever the database's locale is. */
export interface Dialect {
  engine: Engine;
  text: string;
  integer: string;
  /** Whether programs of earlier versions may use the schema beside this one: what only they need is made for them. */
  servesEarlier: boolean;
}

/** One numbered change of the schema. Applied once, in order, and never edited after a release. */
export interface Migration {
  /** Name `NNNN-what`; the number orders migrations by age. */
  name: string;
  /** Earlier names, from before other migrations were inserted in front of it. No release had them. */
  formerly?: readonly string[];
  /**
   * `expand`, also when left out: programs that do not know it work as before. `contract`: it removes or tightens
   * what an older program still uses.
   */
  phase?: Phase;
  statements(dialect: Dialect): string[];
  /** Statements that may fail for lack of rights; each is left out when it does. */
  optional?(dialect: Dialect): string[];
}

export type Phase = "expand" | "contract";

export const DIALECTS: Record<Engine, Dialect> = {
  sqlite: { engine: "sqlite", text: "text", integer: "integer", servesEarlier: true },
  postgres: { engine: "postgres", text: `text collate "C"`, integer: "bigint", servesEarlier: true },
};
