/** A target of audit records, which answers as a test says and keeps what it took. */
import { createHmac } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type AuditLine, parseLine } from "../../src/records/line.ts";

export interface AuditTarget {
  url: string;
  /** Bodies of all requests, whatever status it returned, each with its signature. */
  readonly asked: { text: string; signature: string | undefined }[];
  /** Lines of requests that it answered with 2xx, in order of arrival. */
  readonly taken: AuditLine[];
  /** How it answers: a status, or something that it does instead. */
  answer: number | ((response: ServerResponse) => void);
  /** Numbers of the records of a chain that it took, in the order of their coming. */
  places(chain: string): number[];
}

/** Starts one on a free port of 127.0.0.1; it is stopped with the test. */
export async function startAuditTarget(): Promise<AuditTarget> {
  const target: AuditTarget = {
    url: "",
    asked: [],
    taken: [],
    answer: 204,
    places: (chain) => placesOf(target.taken, chain),
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString();
      const signature = request.headers["x-tessera-signature"];
      target.asked.push({ text, signature: signature === undefined ? undefined : String(signature) });
      if (typeof target.answer === "function") return target.answer(response);
      if (target.answer < 300) target.taken.push(...readLines(text));
      response.writeHead(target.answer, target.answer === 302 ? { location: "http://127.0.0.1:1/" } : {}).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  target.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/audit`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return target;
}

/** Lines of records and heads. @throws Error when one is neither */
export function readLines(text: string): AuditLine[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const parsed = parseLine(line);
      if (parsed === undefined) throw new Error(`no line of records: ${line}`);
      return parsed;
    });
}

/** Numbers of the records of a chain, in the order of the lines. */
export function placesOf(lines: readonly AuditLine[], chain: string): number[] {
  return lines.flatMap((line) => (line.type === "record" && line.record.chain === chain ? [line.record.seq] : []));
}

/** Computes the signature that a request with this body must carry. */
export function auditSignature(text: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;
}
