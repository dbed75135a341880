/** A TCP proxy that can cut connections, swallow what passes, or act on what it sees. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Decision about a piece of data: pass it on, lose it, or cut the connection before or after it is passed on. */
export type Verdict = "pass" | "lose" | "cut" | "pass-then-cut";

/** Decides about each piece that a client sends (`up`) or gets (`down`). */
export type Judge = (direction: "up" | "down", data: Buffer, connection: number) => Verdict;

export interface TcpProxy {
  /** The target's URL with the proxy's address in it. */
  readonly url: string;
  /** Connections that are open now. */
  readonly open: number;
  judge: Judge;
  /** Cuts every connection. */
  cut(): void;
  /** Refuses new connections until told otherwise. */
  refuse: boolean;
  close(): Promise<void>;
}

/** Starts a proxy in front of the server that `target` names. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<[Socket, Socket]>();
  let connections = 0;
  const server = createServer((client) => {
    if (proxy.refuse) return void client.resetAndDestroy();
    const number = connections++;
    const upstream = connect(Number(port), hostname);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    relay(client, upstream, (data) => proxy.judge("up", data, number));
    relay(upstream, client, (data) => proxy.judge("down", data, number));
    for (const socket of pair) socket.once("close", () => pairs.delete(pair));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);

  const proxy: TcpProxy = {
    url: url.href,
    get open() {
      return pairs.size;
    },
    judge: () => "pass",
    refuse: false,
    cut() {
      for (const [client, upstream] of pairs) {
        client.destroy();
        upstream.destroy();
      }
    },
    async close() {
      proxy.cut();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
}

function relay(from: Socket, to: Socket, judge: (data: Buffer) => Verdict): void {
  const cut = () => {
    from.destroy();
    to.destroy();
  };
  from.setNoDelay(true);
  from.on("data", (data: Buffer) => {
    const verdict = judge(data);
    if (verdict === "cut") return cut();
    if (verdict === "lose") return;
    to.write(data, () => {
      // Closed in order, so that what was passed on arrives.
      if (verdict === "pass-then-cut") to.end(() => from.destroy());
    });
  });
  from.on("end", () => to.end());
  from.on("error", cut);
  from.on("close", () => to.destroy());
}
