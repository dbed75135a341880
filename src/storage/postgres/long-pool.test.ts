import { expect, onTestFinished, test } from "vitest";
import { freshDatabaseUrl } from "../../../test/support/postgres-schema.ts";
import { connect, type ConnectionOptions, type PostgresConnection } from "./connection.ts";
import { createLongPool } from "./long-pool.ts";
import { createServers } from "./servers.ts";

async function connectForTest(options: Partial<ConnectionOptions> = {}): Promise<PostgresConnection> {
  const connection = connect({
    servers: createServers(await freshDatabaseUrl()),
    settings: {},
    use: "read",
    answerTimeoutMs: 10_000,
    onWarning: () => undefined,
    ...options,
  });
  onTestFinished(() => connection.close());
  await connection.ready;
  return connection;
}

const slow = (seconds: number) => ({ text: "select pg_sleep($1)", values: [seconds] });

test("a long read is not given up for the time that it waited behind another", async () => {
  const send = createLongPool([await connectForTest({ answerTimeoutMs: 2500 })], 10);
  const reads = [send(slow(1.5)), send(slow(1.5)), send({ text: "select 1 as one", values: [] })];
  expect((await Promise.all(reads))[2]?.rows).toEqual([{ one: 1 }]);
});

test("long reads run side by side, one on each connection, and those past the limit are refused", async () => {
  const connections = [await connectForTest(), await connectForTest()];
  const send = createLongPool(connections, 3);
  const reads = Array.from({ length: 5 }, () => send(slow(0.2)));
  await expect(send(slow(0))).rejects.toMatchObject({ code: "unavailable" });
  expect(connections.map((connection) => connection.pending())).toEqual([1, 1]);
  await Promise.all(reads);
  await send(slow(0));
});

test("a broken connection takes no long reads while another is up, and fails them when none is", async () => {
  const [one, two] = [await connectForTest(), await connectForTest()];
  const send = createLongPool([one, two], 100);
  await two.close();
  await expect(two.query(slow(0))).rejects.toMatchObject({ code: "unavailable" });
  await Promise.all(Array.from({ length: 20 }, () => send(slow(0.01))));
  await one.close();
  await expect(send(slow(0))).rejects.toMatchObject({ code: "unavailable" });
});
