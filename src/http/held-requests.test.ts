/** Metrics of requests that wait. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("how long a read waits is none of how long answers take, though it is counted", async () => {
    const route = 'route="/api/v2/organizations/:organization_name/tags"';
    const numbers = async () => {
      const { text } = await v1.send({ method: "GET", url: "/metrics", headers: { "x-consul-token": MANAGEMENT } });
      const of = (name: string) =>
        text
          .split("\n")
          .filter((line) => line.startsWith(name) && line.includes(route) && line.includes('method="GET"'))
          .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
      return [of("tessera_http_requests_total{"), of("tessera_http_request_duration_seconds_count{")] as const;
    };
    const organization = v1.unique("org");
    const attributes = { name: organization, email: "a@example.com" };
    await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
    const get = (headers: Record<string, string> = {}) =>
      v1.send({
        method: "GET",
        url: `/api/v2/organizations/${organization}/tags`,
        headers: { authorization: `Bearer ${MANAGEMENT}`, ...headers },
      });
    const etag = String((await get()).headers["etag"]);
    const [counted, timed] = await numbers();
    expect((await get({ "if-none-match": etag, prefer: "wait=1" })).status).toBe(304);
    expect(await numbers()).toEqual([counted + 1, timed]);
    expect((await get()).status).toBe(200);
    expect(await numbers()).toEqual([counted + 2, timed + 1]);
  });
});
