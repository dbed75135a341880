/**
 * Faults of the program itself, to see that the checks find them. The program has no switch for them: a node is
 * started with `mutation-hook.ts`, which changes the text of one of its files as that is loaded.
 */
import { pathToFileURL } from "node:url";
import { join } from "node:path";

export interface Mutation {
  /** The file, from the top of the repository. */
  readonly file: string;
  /** Texts that are there once each, and what stands in their places. */
  readonly edits: readonly (readonly [from: string, to: string])[];
}

export const MUTATIONS = {
  /** Hears of no change of another node, and believes itself up to date. */
  deaf: {
    file: "src/storage/postgres/feed.ts",
    edits: [
      ["  #hear(payload: string): void {", "  #hear(payload: string): void {\n    if (this.#node !== '') return;"],
      ["for (const partition of unexplained) {", "for (const partition of unexplained.slice(unexplained.length)) {"],
    ],
  },
  /** Answers a write before it is committed; not the first ones of a counter, or the node would not start. */
  eager: {
    file: "src/storage/postgres/writer.ts",
    edits: [
      [
        "    await this.#commit(own, sent);\n",
        "    const committing = this.#commit(own, sent);\n" +
          "    if ((await index) > 20) committing.catch(() => undefined);\n    else await committing;\n",
      ],
    ],
  },
  /** Believes its caches also when it has heard nothing of the other nodes for long. */
  trusting: {
    file: "src/storage/feed/feed.ts",
    edits: [["age < TRUSTED_SECONDS", "age < Infinity"]],
  },
  /** Answers from its caches whoever asks for the newest. */
  cached: {
    file: "src/storage/reads/derived-cache.ts",
    edits: [["(await this.#isCurrent(entry))", "(await this.#isCurrent(entry), true)"]],
  },
  /** Tells its own caches of no commit of the embedded database. */
  deafCaches: {
    file: "src/storage/sqlite/writing-side.ts",
    edits: [["this.hub.publish(events);", "if (events.length < 0) this.hub.publish(events);"]],
  },
  /** Tells them some time after the answer to the write. */
  lateCaches: {
    file: "src/storage/sqlite/writing-side.ts",
    edits: [["this.hub.publish(events);", "void setTimeout(() => this.hub.publish(events), 500);"]],
  },
} as const satisfies Record<string, Mutation>;

export type MutationName = keyof typeof MUTATIONS;

/** Names the mutation to the hook. Not `TESSERA_…`, which the server takes for options of its own. */
export const MUTATION_VARIABLE = "HISTORY_MUTATION";

/** Line that a node prints when its file has been changed. */
export const MUTATED = "history: the program was changed";

export function isMutation(name: string): name is MutationName {
  return Object.hasOwn(MUTATIONS, name);
}

/** The environment of a node with a mutation. */
export function mutationEnvironment(name: MutationName): Record<string, string> {
  const hook = pathToFileURL(join(import.meta.dirname, "mutation-hook.ts")).href;
  return { NODE_OPTIONS: `--import=${hook}`, [MUTATION_VARIABLE]: name };
}

/** @throws Error unless every text to be replaced is there exactly once */
export function mutate(source: string, { file, edits }: Mutation): string {
  let text = source;
  for (const [from, to] of edits) {
    const parts = text.split(from);
    if (parts.length !== 2) throw new Error(`${file} holds "${from}" ${parts.length - 1} times, not once`);
    text = parts.join(to);
  }
  return text;
}
