/** Loaded into a node in front of the program, by `node --import`: changes one file of it. See `mutations.ts`. */
import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";
import { isMutation, MUTATED, MUTATION_VARIABLE, MUTATIONS, mutate } from "./mutations.ts";

const name = process.env[MUTATION_VARIABLE] ?? "";
if (!isMutation(name)) throw new Error(`there is no mutation ${name}`);
const mutation = MUTATIONS[name];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/${mutation.file}`)) return loaded;
    const source = mutate(Buffer.from(loaded.source as string | Uint8Array).toString("utf8"), mutation);
    if (isMainThread) process.stderr.write(`${MUTATED}: ${name}\n`);
    return { ...loaded, source };
  },
});
