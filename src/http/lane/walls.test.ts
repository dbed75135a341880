/** The requests of the walls by both ways: whoever asks for what, the lane answers as Node does, byte for byte. */
import type { Socket } from "node:net";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { answerOn, openSocket } from "../../../test/attacks/raw-client.ts";
import { makeDatabaseUrl } from "../../../test/support/engines.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../../test/support/v1.ts";
import { ATTACKERS, makeAttackers, makeVictim } from "../../../test/wall/attackers.ts";
import { type Attack, attacksOn } from "../../../test/wall/requests.ts";

const v1 = useV1(() => makeDatabaseUrl("sqlite"), { config: { accessLog: false } });
let url: string;
let attacks: Attack[];

beforeAll(async () => {
  url = await v1.listen();
  await makeAttackers(v1);
  const { first, last } = attacksOn(await makeVictim(v1));
  // With a query a request is not narrow, and Node's from its first byte on.
  attacks = [...first, ...last].filter(
    (attack) => !attack.url.includes("?") && !attack.route.endsWith("/events") && !OF_THE_MOMENT.has(attack.route),
  );
});

/** Answers that differ between any two requests. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(["GET /metrics", "GET /v1/acl/overview"]);
/** Questions are asked by POST, and change nothing. */
const isQuestion = ({ method, route }: Attack): boolean =>
  method === "POST" && /\/(?:authorize|evaluations?)$/.test(route);

function bytesOf({ method, url: path, body }: Attack, token: string, more = ""): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  const length =
    method === "GET" && text === ""
      ? ""
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  const secret = token === "" ? "" : `Authorization: Bearer ${token}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${secret}${length}${more}\r\n${text}`;
}

async function ask(socket: Socket, bytes: string): Promise<string> {
  const answer = answerOn(socket);
  socket.write(bytes);
  // The parts of a list are as long as its reader was quick.
  return (await answer)
    .replaceAll(/\r\n[0-9a-f]+\r\n/g, "")
    .replace(/x-tessera-request-id: \S+/, "x-tessera-request-id: ID");
}

async function open(): Promise<Socket> {
  const socket = await openSocket(url);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Requests that are answered otherwise by Node than on a connection that is new, or of which the lane has answered one. */
async function differencesOf(all: readonly Attack[], token: string): Promise<string[]> {
  const found: string[] = [];
  const byNode = await open();
  for (const attack of all) {
    const expected = await ask(byNode, bytesOf(attack, token, "X-Other: 1\r\n"));
    const byLane = await open();
    for (const bytes of [bytesOf(attack, token), bytesOf(attack, token)]) {
      const answer = await ask(byLane, bytes);
      if (answer !== expected) found.push(`${bytes}\n${answer}\n${expected}`);
    }
    byLane.destroy();
  }
  return found;
}

async function answeredByLane(): Promise<number> {
  const headers = { authorization: `Bearer ${MANAGEMENT}` };
  const { text } = await v1.send({ method: "GET", url: "/metrics", headers });
  return Number(/^tessera_lane_answers_total (\d+)$/m.exec(text)?.[1]);
}

test.each(Object.entries({ ...ATTACKERS, management: MANAGEMENT }))(
  "reads and questions as %s",
  async (_who, token) => {
    const before = await answeredByLane();
    const all = attacks.filter((attack) => attack.method === "GET" || isQuestion(attack));
    expect(await differencesOf(all, token)).toEqual([]);
    expect(await answeredByLane()).toBeGreaterThan(before);
  },
);

test("everything by a token that is none", async () => {
  expect(await differencesOf(attacks, NOBODY)).toEqual([]);
});
