/**
 * Pieces of work that may be spans of a trace. The code that does them does not know whether spans are made. Without
 * `--otlp-endpoint` there is no listener, and each piece costs one check.
 */
import { tracingChannel } from "node:diagnostics_channel";
import type { Context } from "@opentelemetry/api";
import type { Engine } from "./storage/engine.ts";

export type Attributes = Readonly<Record<string, string | number>>;

export interface PieceOfWork {
  /** Name of the operation, in words of this program: it contains nothing that users store, send or configure. */
  name: string;
  attributes: Attributes;
  /** Whether the piece is a trace by itself when it belongs to no request. */
  mayBegin: boolean;
}

/** Piece that has ended, as the channel passes it. */
export interface EndedPiece extends PieceOfWork {
  result?: unknown;
  error?: unknown;
}

/** Matches the first word of a statement and its first table, which are the program's. */
const SUMMARY = /^\s*(\w+)(?:[^]*?\bfrom "?(\w+))?/i;

/**
 * Returns the piece of one statement. The piece does not contain the text of the statement: a text that was built for a
 * request may contain values.
 */
export function statementPiece(engine: Engine, text: string): PieceOfWork {
  const [, verb = "", table] = SUMMARY.exec(text) ?? [];
  const operation = verb.toUpperCase();
  return databasePiece(engine, operation, table === undefined ? operation : `${operation} ${table}`);
}

/** Returns the piece of an operation of the database. */
export function databasePiece(engine: Engine, operation: string, name: string): PieceOfWork {
  const system = engine === "sqlite" ? "sqlite" : "postgresql";
  return { name, attributes: { "db.system.name": system, "db.operation.name": operation }, mayBegin: false };
}

export const PIECES = tracingChannel<EndedPiece, Context | undefined>("tessera:piece");

/** Runs `work` as a piece. @param describe called only when there is a listener */
export function asPiece<T>(describe: () => PieceOfWork, work: () => Promise<T>): Promise<T> {
  return PIECES.hasSubscribers ? PIECES.tracePromise(work, describe()) : work();
}
