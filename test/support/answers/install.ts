/** The check of answers in the process of a test, and in the servers that it starts. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runDirectory } from "../directory.ts";
import type { Document } from "../openapi-document.ts";
import { createAnswerCheck, type AnswerCheck } from "./check.ts";
import { watchAnswers } from "./watch.ts";

/** Names the file with the document to the processes of a run: what `GET /openapi.json` answers. */
export const DOCUMENT_VARIABLE = "TESSERA_TEST_OPENAPI";

/** Faults that are kept until the test ends; the others are counted. */
const MOST_TOLD = 20;

interface Installed {
  faults: string[];
  /** File to which servers that this process's tests start write their faults. */
  report: string;
}

// The files of a worker share its process, and each has modules of its own.
const held = globalThis as { tesseraAnswers?: Installed };

/** Begins to look at the answers of this process; once for all files that share it. */
export function installAnswerCheck(): void {
  const document = process.env[DOCUMENT_VARIABLE];
  if (document === undefined || held.tesseraAnswers !== undefined) return;
  const faults: string[] = [];
  held.tesseraAnswers = { faults, report: join(runDirectory(), `answers-${process.pid}.txt`) };
  watchAnswers(lazily(document), (fault) => {
    if (faults.length < MOST_TOLD) faults.push(fault);
  });
}

/** Returns and clears the faults found since the last call, including those of started servers. */
export function takeAnswerFaults(): string[] {
  if (held.tesseraAnswers === undefined) return [];
  const { faults, report } = held.tesseraAnswers;
  const own = faults.splice(0);
  if (!existsSync(report)) return own;
  const others = readFileSync(report, "utf8").split("\n").filter(Boolean);
  rmSync(report);
  return [...own, ...others];
}

/** Arguments of Node for a server whose answers are looked at too; none outside of tests. */
export function nodeArguments(): string[] {
  const document = process.env[DOCUMENT_VARIABLE];
  if (document === undefined || held.tesseraAnswers === undefined) return [];
  const url = pathToFileURL(join(import.meta.dirname, "preload.ts"));
  url.search = new URLSearchParams({ document, report: held.tesseraAnswers.report }).toString();
  return ["--import", url.href];
}

/** The check of a document that is read when the first answer leaves. */
export function lazily(file: string): AnswerCheck {
  let check: AnswerCheck | undefined;
  return (answer) => {
    check ??= createAnswerCheck(JSON.parse(readFileSync(file, "utf8")) as Document);
    return check(answer);
  };
}
