import { existsSync, writeFileSync } from "node:fs";
import { type AuditHead, headLine, parseLine } from "../../records/line.ts";
import { createChainMacs } from "../../records/macs.ts";
import { type Verification, verifyDatabase } from "../../records/verify/database.ts";
import { type FileVerification, verifyFiles } from "../../records/verify/file.ts";
import { type ChainFinding, sayFinding } from "../../records/verify/finding.ts";
import { readHeads, textLines } from "../../records/verify/lines.ts";
import { readConfig } from "../../config.ts";
import { ConfigError, errorCode } from "../../config/given.ts";
import { checkPlain } from "../../config/plain-file.ts";
import { openReadOnly } from "../../storage/operator/read-only.ts";
import { StartError } from "../../storage/start-error.ts";
import { givenMasterKey } from "../given-master-key.ts";
import { tell } from "../with-database.ts";

export interface AuditVerifyFlags {
  /** Files of records instead of a database, the oldest first. */
  file?: string[];
  /** Files that hold heads which were kept elsewhere. */
  head?: string[];
  saveHeads?: string;
}

/** Heads that are shown where all is right. */
const MOST_SHOWN = 10;

/**
 * `tessera audit verify`: walks all chains of audit records of a database, beside the server that uses it, or of files, and says
 * the first record of each that was changed, taken out or put in. Then the exit code is 1.
 *
 * @param args as `serve` takes them @throws ConfigError, StartError when it cannot be read
 */
export async function auditVerifyCommand(
  { file, head = [], saveHeads }: AuditVerifyFlags,
  args: readonly string[],
): Promise<void> {
  if (saveHeads !== undefined) await checkHeadsFile(saveHeads);
  const saved = await readHeads(head);
  if (head.length > 0 && saved.size === 0)
    throw new StartError(`${head.join(" and ")} contains no chain head; use a file from --save-heads`);
  let findings = 0;
  const heads: AuditHead[] = [];
  const told = {
    onFinding: (finding: ChainFinding) => {
      findings += 1;
      tell(sayFinding(finding));
    },
    onWhole: (each: AuditHead) => void heads.push(each),
  };
  const verified = file === undefined ? await withReadOnly(args, saved, told) : await verifyFiles(file, saved, told);
  if (verified.records === 0 && findings === 0)
    throw new StartError(`${file?.join(" and ") ?? "the database"} contains no audit records: nothing was verified`);
  const summary = "unsigned" in verified ? ofDatabase(verified) : ofFiles(verified);
  tell(`${summary}; ${findings === 0 ? "all verified" : `${findings} chains failed verification`}`);
  if (findings > 0) {
    process.exitCode = 1;
    return;
  }
  for (const each of heads.slice(0, MOST_SHOWN)) tell(headLine(each));
  if (heads.length > MOST_SHOWN) tell(`… and ${heads.length - MOST_SHOWN} more heads; --save-heads writes all`);
  if (saveHeads !== undefined) save(saveHeads, heads);
}

async function withReadOnly(
  args: readonly string[],
  saved: ReadonlyMap<string, AuditHead>,
  told: Parameters<typeof verifyDatabase>[2],
): Promise<Verification> {
  const config = readConfig(args);
  const { database, dataDir, keyFile } = config;
  const onWarning = (message: string) => void process.stderr.write(`tessera: ${message}\n`);
  const { db, keyring, close } = await openReadOnly({
    url: database.url,
    dataDir,
    keyFile,
    masterKey: await givenMasterKey(config),
    onWarning,
  });
  try {
    return await verifyDatabase({ db, macs: createChainMacs(keyring), now: Date.now }, saved, told);
  } finally {
    await close();
  }
}

function ofDatabase({ chains, records, unsigned }: Verification): string {
  const rest = unsigned === 0 ? "" : `, ${unsigned} not yet signed`;
  return `${records} records of ${chains} chains${rest}`;
}

function ofFiles({ chains, records, begunLater }: FileVerification): string {
  const rest = begunLater === 0 ? "" : `, ${begunLater} starting after their first record`;
  return `${records} records of ${chains} chains${rest}`;
}

/** @throws ConfigError when there is something else that heads would take the place of */
async function checkHeadsFile(path: string): Promise<void> {
  checkPlain(path, "--save-heads");
  if (!existsSync(path)) return;
  for await (const { text } of textLines(path)) {
    if (parseLine(text)?.type !== "head")
      throw new ConfigError(
        `${path} does not contain chain heads and is not overwritten; use another path for --save-heads`,
      );
  }
}

function save(path: string, heads: readonly AuditHead[]): void {
  try {
    writeFileSync(path, heads.map((head) => `${headLine(head)}\n`).join(""), { mode: 0o600 });
  } catch (error) {
    throw new StartError(`cannot write --save-heads ${path} (${errorCode(error)}); check the path`);
  }
}
