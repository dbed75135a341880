import { Type } from "typebox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openShell, SHELL_HEADERS, type TestShell } from "../../../test/support/shell.ts";
import { apiRoutes } from "./jsonapi.ts";
import { warned } from "./warnings.ts";

const WARNING = { rule: "owners", detail: "The key owner is missing" };
const body = Type.Object({ data: Type.Array(Type.Unknown()) }, { examples: [{ data: [] }] });

/** As many warnings as the body has entries. */
const routes = apiRoutes("Things", (on) => {
  const answer = "Done.";
  const handle = async ({ body: { data } }: { body: { data: unknown[] } }) =>
    warned(
      {},
      data.map(() => WARNING),
    );
  on.post("/warning", { operationId: "warn", summary: "Warns", body, answer, warns: true, handle });
  on.post("/silent", { operationId: "doNotWarn", summary: "Does not warn", body, answer, handle });
});

let shell: TestShell;
beforeAll(async () => {
  shell = await openShell({ extraRoutes: [routes] });
});
afterAll(async () => shell.close());

const post = (url: string, data: unknown[]) =>
  shell.app.inject({ method: "POST", url: `/api/v2${url}`, headers: SHELL_HEADERS, payload: { data } });

it("an operation that answers nothing answers warnings where there are any and it may", async () => {
  const [none, some, silent] = [await post("/warning", []), await post("/warning", [1]), await post("/silent", [1])];
  expect([none.statusCode, none.body]).toEqual([204, ""]);
  expect([some.statusCode, some.json()]).toEqual([200, { meta: { warnings: [WARNING] } }]);
  expect(some.headers["content-type"]).toContain("application/vnd.api+json");
  expect([silent.statusCode, silent.body]).toEqual([204, ""]);
});

it("a document has no meta where there is nothing to warn of", () => {
  expect(warned({ data: 1 }, [])).toEqual({ data: 1 });
  expect(warned({ data: 1 }, [WARNING])).toEqual({ data: 1, meta: { warnings: [WARNING] } });
});
