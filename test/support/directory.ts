/** Directory for files that tests make. */
import { tmpdir } from "node:os";

/** Names the directory of a test run to its workers, see set-up/sqlite.ts. */
export const DIRECTORY_VARIABLE = "TESSERA_TEST_DIRECTORY";

/** The directory of this test run; the system's temporary one outside of any. */
export function runDirectory(): string {
  return process.env[DIRECTORY_VARIABLE] ?? tmpdir();
}
