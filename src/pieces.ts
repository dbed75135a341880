/**
 * Pieces of work that may be spans of a trace: where they are done does not know whether anybody makes spans of them. Without
 * `--otlp-endpoint` nobody listens, and each costs one look.
 */
import { tracingChannel } from "node:diagnostics_channel";
import type { Context } from "@opentelemetry/api";
import type { Engine } from "./storage/engine.ts";

export type Attributes = Readonly<Record<string, string | number>>;

export interface Piece {
  /** What is done, in words of this program: nothing that is stored, sent or configured by those who use it. */
  name: string;
  attributes: Attributes;
  /** Whether it is a trace by itself where it is done for no request. */
  mayBegin: boolean;
}

/** A piece that has ended, as the channel gives it. */
export interface EndedPiece extends Piece {
  result?: unknown;
  error?: unknown;
}

/** What a statement reads: its first word and its first table, which are the program's. */
const SUMMARY = /^\s*(\w+)(?:[^]*?\bfrom "?(\w+))?/i;

/** What is asked of the database by one statement. Its text goes along nowhere: of one that was built for a request it may hold values. */
export function statementPiece(engine: Engine, text: string): Piece {
  const [, verb = "", table] = SUMMARY.exec(text) ?? [];
  const operation = verb.toUpperCase();
  return databasePiece(engine, operation, table === undefined ? operation : `${operation} ${table}`);
}

/** What is done in the database. */
export function databasePiece(engine: Engine, operation: string, name: string): Piece {
  const system = engine === "sqlite" ? "sqlite" : "postgresql";
  return { name, attributes: { "db.system.name": system, "db.operation.name": operation }, mayBegin: false };
}

export const PIECES = tracingChannel<EndedPiece, Context | undefined>("tessera:piece");

/** Does `work` as a piece. @param describe called only when somebody listens */
export function asPiece<T>(describe: () => Piece, work: () => Promise<T>): Promise<T> {
  return PIECES.hasSubscribers ? PIECES.tracePromise(work, describe()) : work();
}
