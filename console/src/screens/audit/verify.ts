/**
 * Walks chains of records in the browser, as `tessera audit verify --file` does: each record has to be the one behind the one
 * before, with the hash of what it holds. The server only gives the lines; that they fit together is computed here.
 */
import * as texts from "../../texts/audit.ts";

/** The columns of a record in the order in which its hash is made over them, and what a line calls them. */
const COLUMNS = [
  "chain",
  "seq",
  "at",
  "partition",
  "namespace",
  "organization",
  "accessorId",
  "kind",
  "id",
  "name",
  "action",
  "outcome",
  "requestId",
] as const;

type Line = Readonly<Record<string, unknown>> & {
  readonly chain: string;
  readonly seq: number;
  readonly at: string;
  readonly hash: string;
};

export interface BrokenRecord {
  readonly chain: string;
  readonly seq: number;
  readonly why: string;
}

/** Result of a verification. */
export interface Verdict {
  readonly records: number;
  /** Records of these chains up to the last one that was read, with those before the first. */
  readonly total: number;
  readonly chains: number;
  readonly from: string;
  readonly to: string;
  readonly finding: BrokenRecord | undefined;
  /** There are more records than are read here. */
  readonly isCut: boolean;
}

export interface VerifyInput {
  readonly lines: AsyncIterable<string>;
  /** The records of the page, which have to be those of the chains. */
  readonly shown: readonly { readonly Chain?: string; readonly Seq?: number; readonly Hash?: string }[];
  readonly most: number;
  onProgress(records: number): void;
}

/** Walks lines of an export, the oldest first, up to the first record that is not right. @throws SyntaxError for what is no line */
export async function verify({ lines, shown, most, onProgress }: VerifyInput): Promise<Verdict> {
  const expected = new Map(shown.map(({ Chain, Seq, Hash }) => [`${Seq} ${Chain}`, Hash]));
  const places = new Map<string, { seq: number; hash: string }>();
  let [records, from, to] = [0, "", ""];
  let finding: BrokenRecord | undefined;
  const verdictOf = (isCut: boolean): Verdict => {
    const ends = new Map([...places].map(([chain, { seq }]) => [chain, seq]));
    for (const { Chain: chain = "", Seq: seq = 0 } of shown) {
      const end = ends.get(chain);
      if (end !== undefined) ends.set(chain, Math.max(end, seq));
    }
    const total = [...ends.values()].reduce((sum, seq) => sum + seq, 0);
    return { records, total, chains: places.size, from, to, finding, isCut };
  };
  for await (const text of lines) {
    if (text === "") continue;
    if (records >= most) return verdictOf(true);
    const line = JSON.parse(text) as Line;
    if (line["type"] !== "record") continue;
    records += 1;
    if (records % 500 === 0) onProgress(records);
    if (from === "") from = line.at;
    to = line.at;
    finding = await step(line, places.get(line.chain), expected.get(`${line.seq} ${line.chain}`));
    if (finding !== undefined) break;
    places.set(line.chain, { seq: line.seq, hash: line.hash });
  }
  return verdictOf(false);
}

async function step(
  line: Line,
  before: { seq: number; hash: string } | undefined,
  shown: string | undefined,
): Promise<BrokenRecord | undefined> {
  const found = (seq: number, why: string): BrokenRecord => ({ chain: line.chain, seq, why });
  if (before !== undefined && line.seq !== before.seq + 1) {
    return found(before.seq + 1, texts.recordMissing(line.seq));
  }
  if (shown !== undefined && shown !== line.hash) return found(line.seq, texts.recordDiffers);
  // The first record of a chain that begins later: only the records after it prove its contents here.
  if (before === undefined && line.seq !== 1) return undefined;
  if ((await hashOf(before?.hash ?? "", line)) !== line.hash) {
    return found(line.seq, texts.recordModified);
  }
  return undefined;
}

/** SHA-256, base64url, over a JSON array of the hash before and the columns of the record. */
async function hashOf(before: string, line: Line): Promise<string> {
  const detail = line["detail"];
  const columns = COLUMNS.map((column) => line[column] ?? "");
  const text = JSON.stringify([before, ...columns, typeof detail === "string" ? detail : JSON.stringify(detail)]);
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
