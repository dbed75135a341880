/** The community edition knows neither namespaces nor partitions. */
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

const UNKNOWN = "Invalid URL path: not a recognized HTTP API endpoint\n";
const PATHS = ["/namespace", "/namespace/", "/namespace/default", "/namespace/a/b", "/namespaces"].flatMap((path) => [
  path,
  path.replace("namespace", "partition"),
]);
const METHODS = ["GET", "PUT", "PATCH", "POST", "DELETE", "OPTIONS", "HEAD"] as const;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { edition: "community" } });

  describe("an endpoint of namespaces or partitions is no endpoint at all", () => {
    test.each(PATHS)("%s", async (path) => {
      for (const method of METHODS) {
        for (const headers of [
          { "x-consul-token": MANAGEMENT },
          {},
          { "x-consul-token": "nobody", "x-consul-namespace": "a" },
        ]) {
          const payload = method === "PUT" || method === "PATCH" ? { payload: "{" } : {};
          const answer = await v1.send({ method, url: `/v1${path}`, headers, ...payload });
          expect({ method, status: answer.status }).toEqual({ method, status: 404 });
          if (method !== "HEAD") expect(answer.text).toBe(UNKNOWN);
          expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
          expect(answer.headers).not.toHaveProperty("allow");
        }
      }
    });

    test("and says so in the same words as one that never was", async () => {
      const never = await v1.get("/never");
      const { status, text, headers } = await v1.get("/namespaces");
      expect([status, text]).toEqual([never.status, never.text]);
      expect(Object.keys(headers)).toEqual(Object.keys(never.headers));
    });
  });
});
