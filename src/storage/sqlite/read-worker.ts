/** Runs long reads on a read-only connection, in a thread of its own. */
import { parentPort, workerData } from "node:worker_threads";
import { bindable, openConnection } from "./connection.ts";

export interface ReadRequest {
  id: number;
  sql: string;
  parameters: readonly unknown[];
}
export interface ReadAnswer {
  id: number;
  columns: readonly string[];
  /** Values in the order of `columns`: cheaper to hand over than objects. */
  rows: unknown[][];
  error: { message: string; errcode: number | undefined; code: unknown } | undefined;
}

const connection = openConnection((workerData as { path: string }).path, "read");

parentPort?.on("message", (request: ReadRequest | "close") => {
  if (request === "close") {
    connection.close();
    parentPort?.close();
    return;
  }
  const answer: ReadAnswer = { id: request.id, columns: [], rows: [], error: undefined };
  try {
    const statement = connection.prepare(request.sql);
    answer.columns = statement.columns;
    answer.rows = statement.allArrays(bindable(request.parameters));
  } catch (error) {
    const errcode = error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    answer.error = { message: String(error), errcode, code };
  }
  parentPort?.postMessage(answer);
});
