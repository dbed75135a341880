/** A target of webhooks, which answers as a test says and keeps what it took. */
import { createHmac } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Delivery {
  webhook: string;
  organization: string;
  events: { id: string; type: string; attributes: Record<string, unknown> }[];
}

export interface Target {
  url: string;
  /** Bodies of all requests, whatever status it returned, each with its signature. */
  readonly asked: { body: Delivery; text: string; signature: string | undefined }[];
  /** Deliveries that it answered with 2xx. */
  readonly taken: Delivery[];
  /** How it answers: a status, or something that it does instead. */
  answer: number | ((response: ServerResponse) => void);
  /** The names of all events that it took, each once, in the order of their coming. */
  names(): string[];
}

/** Starts one on a free port of 127.0.0.1; it is stopped with the test. */
export async function startTarget(): Promise<Target> {
  const target: Target = {
    url: "",
    asked: [],
    taken: [],
    answer: 204,
    names: () => [
      ...new Set(target.taken.flatMap(({ events }) => events.map(({ attributes }) => String(attributes["name"])))),
    ],
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString();
      const body = JSON.parse(text) as Delivery;
      const signature = request.headers["x-tfe-notification-signature"];
      target.asked.push({ body, text, signature: signature === undefined ? undefined : String(signature) });
      if (typeof target.answer === "function") return target.answer(response);
      if (target.answer < 300) target.taken.push(body);
      response.writeHead(target.answer, target.answer === 302 ? { location: "http://127.0.0.1:1/" } : {}).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  target.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return target;
}

/** Computes the signature that a delivery with this body must carry. */
export function signatureOf(text: string, token: string): string {
  return createHmac("sha512", token).update(text).digest("hex");
}
