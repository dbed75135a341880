/** Loaded into a server with `--import`: a file says when each sync of the log and of its mark ended, by the clock of the thread that made it. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const file = process.env["LOG_SYNC_NOTES"] ?? "";
const { fdatasyncSync: sync, appendFileSync: append, readlinkSync } = fs;

fs.fdatasyncSync = (descriptor: number) => {
  sync(descriptor);
  const what = /\.db(-wal|\.mark)$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.[1];
  if (what !== undefined) append(file, `${what} ${performance.now()}\n`);
};
syncBuiltinESMExports();
