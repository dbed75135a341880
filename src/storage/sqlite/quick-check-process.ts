/** Checks the database file whose path it is given, and prints what it found as JSON; see `quick-check.ts`. */
import { DatabaseSync } from "node:sqlite";
import { type CheckResult, findDamage } from "./quick-check.ts";

const db = new DatabaseSync(process.argv[2] ?? "", { readOnly: true });
db.exec("pragma busy_timeout = 5000");
const result: CheckResult = { finding: findDamage(db) };
process.stdout.write(JSON.stringify(result));
