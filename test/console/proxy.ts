/** A proxy in front of the console's server. */
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Proxy {
  readonly url: string;
  /** Sets the URL that it passes requests on to. */
  to(url: string): void;
  /** Sets an action that replaces passing on a request; undefined for none. */
  instead(act: Instead | undefined): void;
  stop(): Promise<void>;
}

/** @returns whether it has been dealt with */
type Instead = (asked: IncomingMessage, answer: ServerResponse) => boolean;

/** Passes on what comes below its path, without that path. @param below such as `/tools/tessera` */
export async function startProxy(below = ""): Promise<Proxy> {
  let target = "";
  let instead: Instead | undefined;
  const server: Server = createServer((asked, answer) => {
    if (instead?.(asked, answer) === true) return;
    const { url = "/" } = asked;
    if (!url.startsWith(`${below}/`)) return void answer.writeHead(404).end("beside the path");
    const path = url.slice(below.length);
    const onward = request(`${target}${path}`, { method: asked.method, headers: asked.headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    to: (url) => (target = url),
    instead: (act) => (instead = act),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
