/** Proxy between a client and the server that fails as a test sets it: the next requests, one after the other. */
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

export type Fault =
  /** Passed on as it is. */
  | { readonly kind: "none" }
  /** Answered here. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** The connection ends before an answer. */
  | { readonly kind: "reset" }
  /** The server gets the request, and the client so many bytes of the answer's body. */
  | { readonly kind: "cut"; readonly after: number }
  /** Nothing is ever answered. */
  | { readonly kind: "silence" }
  /** The answer's headers, changed. */
  | { readonly kind: "headers"; readonly headers: Record<string, string> };

export interface Unsteady {
  readonly url: string;
  /** Faults of the next requests; later requests are all passed on. */
  next: Fault[];
  /** Method and URL of each request that came. */
  readonly seen: string[];
  /** Ends all connections. */
  cutAll(): void;
  close(): Promise<void>;
}

/** Starts one in front of a server. */
export async function startUnsteady(target: string): Promise<Unsteady> {
  const seen: string[] = [];
  const server = createServer((asked, answer) => {
    seen.push(`${asked.method ?? ""} ${asked.url ?? ""}`);
    const fault = unsteady.next.shift() ?? { kind: "none" };
    if (fault.kind === "reset") asked.socket.destroy();
    else if (fault.kind === "status") answer.writeHead(fault.status, fault.headers).end(fault.body ?? "");
    else if (fault.kind !== "silence") passOn(target, fault, asked, answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const unsteady: Unsteady = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: [],
    seen,
    cutAll: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return unsteady;
}

function passOn(target: string, fault: Fault, asked: IncomingMessage, answer: ServerResponse): void {
  const { method = "GET", headers, url = "/" } = asked;
  const passed = request(new URL(url, target), { method, headers, agent: false }, (from) => {
    answer.writeHead(from.statusCode ?? 500, { ...from.headers, ...(fault.kind === "headers" ? fault.headers : {}) });
    if (fault.kind !== "cut") {
      from.pipe(answer);
      return;
    }
    let left = fault.after;
    from.on("data", (chunk: Buffer) => {
      answer.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) setImmediate(() => answer.destroy());
    });
    from.on("end", () => answer.destroy());
  });
  passed.on("error", () => answer.destroy());
  answer.on("close", () => passed.destroy());
  asked.pipe(passed);
}
