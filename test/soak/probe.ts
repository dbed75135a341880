/**
 * Loaded into the server by `--import`: writes the longest turn of its event loop of each second to a file. The server's
 * own metric looks every 20 ms and misses by as much; this one looks every 2 ms, which costs half a percent of a core.
 */
import { appendFileSync, openSync, readSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const EVERY_MS = 2;
const REPORT_MS = 1000;
const file = process.env["SOAK_PROBE_FILE"];

// Threads and child processes of the server are loaded with it too.
if (isMainThread && file !== undefined && process.argv[2] === "serve") watch(file);

function watch(reports: string): void {
  const statistics = openSync("/proc/thread-self/schedstat", "r");
  const buffer = Buffer.alloc(128);
  /** For how long this thread could have run and got no core, since it began. */
  const waited = (): number => {
    const length = readSync(statistics, buffer, 0, buffer.length, 0);
    return Number(buffer.toString("latin1", 0, length).split(" ")[1]) / 1e6;
  };
  let last = performance.now();
  let lastWaited = waited();
  let worst = { at: Date.now(), wall: 0, waited: 0 };
  let reportAt = last + REPORT_MS;
  setInterval(() => {
    const now = performance.now();
    const nowWaited = waited();
    const turn = { at: Date.now(), wall: now - last - EVERY_MS, waited: nowWaited - lastWaited };
    if (turn.wall - turn.waited > worst.wall - worst.waited) worst = turn;
    if (now >= reportAt) {
      appendFileSync(reports, `${JSON.stringify(worst)}\n`);
      worst = { at: Date.now(), wall: 0, waited: 0 };
      reportAt = now + REPORT_MS;
    }
    // Not what writing the report took.
    last = performance.now();
    lastWaited = nowWaited;
  }, EVERY_MS).unref();
}
