/** Runs long reads on a read-only connection, in a thread of its own. */
import { parentPort, workerData } from "node:worker_threads";
import { openConnection } from "./connection.ts";

export interface ReadRequest {
  id: number;
  sql: string;
  parameters: readonly unknown[];
}
export interface ReadAnswer {
  id: number;
  rows: unknown[];
  error: { message: string; errcode: number | undefined } | undefined;
}

const connection = openConnection((workerData as { path: string }).path, "read");

parentPort?.on("message", (request: ReadRequest | "close") => {
  if (request === "close") {
    connection.close();
    parentPort?.close();
    return;
  }
  const answer: ReadAnswer = { id: request.id, rows: [], error: undefined };
  try {
    answer.rows = connection.all(request.sql, request.parameters);
  } catch (error) {
    const errcode = error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
    answer.error = { message: String(error), errcode };
  }
  parentPort?.postMessage(answer);
});
