/**
 * Work on the rows of a long read that would hold the event loop: it is done where such reads are made. On SQLite that is a
 * reading thread, which is handed plain data and hands plain data back; on PostgreSQL, whose rows are parsed here in any case, it
 * is here. See decision 25.
 */
import type { ApartWork, Database, EngineDatabase } from "../database.ts";
import type { Keyring } from "../keys/sealed.ts";

/** Makes the function that has work done where an engine makes its long reads. */
export function createApart(engine: Pick<EngineDatabase, "runInThread" | "long">, keyring: Keyring): Database["apart"] {
  const { runInThread, long } = engine;
  if (runInThread === undefined) return (work, input) => work.run({ ...long, keyring }, input);
  return async <I, O>({ name }: ApartWork<I, O>, input: I) => (await runInThread(name, input, keyring.dataKey)) as O;
}
