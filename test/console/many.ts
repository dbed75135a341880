/** Fills the console's server beyond what one can look through: tags of its organization, and tokens. */
import { createClient } from "@tessera-server/client";
import { sized } from "../support/length.ts";
import type { OpenedConsole } from "./open.ts";

/** How many; the long form has those of the console's promise. */
export const MANY = { tags: sized(2_000, 100_000), tokens: sized(1_000, 20_000) } as const;

/** As many as one request makes. */
const BATCH = 1_000;

/** The name of one of the tags, such as `many-000042`. */
export function manyTag(at: number): string {
  return `many-${String(at).padStart(6, "0")}`;
}

/** Description of one of the tokens. */
export function manyToken(at: number): string {
  return `Robot ${String(at).padStart(6, "0")}`;
}

/** Makes them: the tags in `acme`, of the tokens every tenth with the role `web-team`. */
export async function makeMany({ url, token }: Pick<OpenedConsole, "url" | "token">): Promise<void> {
  const client = createClient({ address: url, token });
  for (let from = 0; from < MANY.tags; from += BATCH) {
    const data = Array.from({ length: BATCH }, (_each, at) => ({
      type: "tags" as const,
      attributes: { name: manyTag(from + at) },
    }));
    await client.tags.create({ organization: "acme", body: { data } });
  }
  const left = Array.from({ length: MANY.tokens }, (_each, at) => at).values();
  const lane = async () => {
    for (const at of left) {
      const Roles = at % 10 === 0 ? [{ Name: "web-team" }] : [];
      await client.tokens.create({ body: { Description: manyToken(at), Roles } });
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}
