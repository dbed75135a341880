/** Compiles what a subject has before and after a draft, each set of policies once. */
import { DraftedRights, type HeldSets, type HolderPair } from "../../explain/effect/drafted-rights.ts";
import type { DeciderOptions, Drafts, RunInTurns } from "../../explain/access/held.ts";
import type { Authorizer } from "../../rights/rules/authorizer.ts";
import { compileInSteps } from "../../rights/rules/compile.ts";
import type { Steps } from "../../rights/rules/scanner.ts";
import type { Scope } from "../../rights/scope.ts";
import type { Reader } from "../../storage/database.ts";

/** Rights of one subject. */
export interface RightsPair {
  had: Authorizer;
  /** The same object where the draft does not concern the subject. */
  has: Authorizer;
}

/** Compiled sets that are kept, by an estimate of their memory. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Any policy may decide about a question of the ledger, so none is left out. */
function* all(): Steps<boolean> {
  yield;
  return true;
}

/** Its cache belongs to one request, and is dropped with it. */
export class ReplayRights {
  readonly #rights: DraftedRights;
  readonly #options: DeciderOptions;
  readonly #run: RunInTurns;
  readonly #compiled = new Map<string, Authorizer>();
  #bytes = 0;

  constructor(db: Reader, drafts: Drafts, options: DeciderOptions, run: RunInTurns) {
    this.#rights = new DraftedRights(db, drafts, options, all, run);
    this.#options = options;
    this.#run = run;
  }

  /** Reads together what these have, who lie in one scope. */
  prepare(scope: Scope, holders: readonly HolderPair[]): Promise<void> {
    return this.#rights.prepare(scope, holders);
  }

  /** @returns undefined in a namespace that is being deleted, whose tokens count for nothing */
  async of(holder: HolderPair): Promise<RightsPair | undefined> {
    const held = await this.#rights.held(holder, true);
    if (held === undefined) return undefined;
    const had = await this.#compile(`stored ${held.keys.before}`, held.before);
    const has = held.isSame ? had : await this.#compile(`drafted ${held.keys.after}`, held.after);
    return { had, has };
  }

  async #compile(key: string, sets: HeldSets): Promise<Authorizer> {
    let compiled = this.#compiled.get(key);
    if (compiled !== undefined) return compiled;
    const { defaultPolicy } = this.#options;
    compiled = await this.#run(compileInSteps({ ...sets, defaultPolicy }));
    if (this.#bytes + compiled.bytes > MOST_BYTES) {
      this.#compiled.clear();
      this.#bytes = 0;
    }
    this.#bytes += compiled.bytes;
    this.#compiled.set(key, compiled);
    return compiled;
  }
}
