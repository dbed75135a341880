import { expect, test } from "vitest";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { useV1, type V1 } from "../../../../test/support/v1.ts";
import { signatureOf, startTarget } from "../../../../test/support/webhook-target.ts";

async function addWebhook(v1: V1, url: string): Promise<string> {
  const name = v1.unique("org");
  const make = async (path: string, type: string, attributes: object): Promise<string> => {
    const { status, text, body } = await v1.api("POST", path, { data: { type, attributes } });
    expect(status, text).toBe(201);
    return String(body.data.id);
  };
  await make("/organizations", "organizations", { name, email: "a@example.com" });
  return make(`/organizations/${name}/tag-webhooks`, "tag-webhooks", { name: "n", url, token: "secret" });
}

forEachEngine((_engine, makeUrl) => {
  const open = useV1(makeUrl, { config: { outboundAllow: ["127.0.0.1"] } });
  const closed = useV1(makeUrl);

  test("a test posts a signed document without events, and says what the target answered", async () => {
    const target = await startTarget();
    const id = await addWebhook(open, target.url);
    const verify = () => open.api("POST", `/tag-webhooks/${id}/actions/verify`);
    const answer = await verify();
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      data: { id, attributes: { delivery: { failures: 0 } } },
      meta: { status: "204" },
    });
    expect(target.taken).toEqual([{ webhook: id, organization: expect.any(String), events: [] }]);
    expect(target.asked[0]?.signature).toBe(signatureOf(target.asked[0]?.text ?? "", "secret"));
    target.answer = 503;
    const refused = await verify();
    expect([refused.status, refused.body.errors[0].detail]).toEqual([422, "Test delivery failed: 503"]);
    target.answer = 302;
    expect((await verify()).body.errors[0].detail).toMatch(/redirect, which the server does not follow$/);
  });

  test("a test connects only where a delivery would", async () => {
    const target = await startTarget();
    const id = await addWebhook(closed, target.url);
    const answer = await closed.api("POST", `/tag-webhooks/${id}/actions/verify`);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].detail).toMatch(/a loopback address; allow it with --outbound-allow$/);
    expect(target.asked).toEqual([]);
  });

  test("tests that wait for a target are bounded", async () => {
    const target = await startTarget();
    const waiting: (() => void)[] = [];
    target.answer = (response) => void waiting.push(() => response.writeHead(204).end());
    const id = await addWebhook(open, target.url);
    const answers = Array.from({ length: 8 }, () => open.api("POST", `/tag-webhooks/${id}/actions/verify`));
    // Two are under way, four wait, and two are refused.
    const refused = await Promise.race(answers);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "1"]);
    await expect.poll(() => waiting.length).toBe(2);
    target.answer = 204;
    waiting.forEach((answer) => answer());
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
  });
});
