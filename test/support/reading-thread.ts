/** A thread that reads in one turn after the other, each a read transaction as those of requests are, without a pause. */
import { parentPort, workerData } from "node:worker_threads";
import { openConnection } from "../../src/storage/sqlite/connection.ts";
import { createTurnSnapshot } from "../../src/storage/sqlite/reader.ts";

const { path } = workerData as { path: string };
const connection = openConnection(path, "read");
const snapshot = createTurnSnapshot(connection);
let isOver = false;

function read(): void {
  if (isOver) {
    snapshot.leave();
    connection.close();
    return;
  }
  snapshot.enter();
  connection.all("select count(*) from meta", []);
  setImmediate(read);
}

parentPort?.once("message", () => (isOver = true));
read();
parentPort?.postMessage("reads");
