/** A program that prunes all audit records of a database and says so, until it is killed: `node pruning.ts URL DATA-DIR`. */
import { oldAuditRecords } from "../../src/records/retention.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { startRemoval } from "../../src/storage/operator/removal.ts";

const [, , url = "", dataDir = ""] = process.argv;
const fail = (error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
};
const db = await openDatabase({ url, dataDir, onFatal: fail, onWarning: () => undefined });
startRemoval(db, oldAuditRecords(db, { keepMs: 1, keepRefusedReadsMs: 1, everyMs: 0 }), fail);
process.stdout.write("pruning\n");
// The work alone would not keep it.
setInterval(() => undefined, 1000);
