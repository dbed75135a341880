import { afterEach, expect, it } from "vitest";
import { openShell, SHELL_HEADERS, SHELL_TOKEN, type TestShell } from "../../../test/support/shell.ts";
import { StorageAway } from "../../errors.ts";
import type { Database } from "../../storage/database.ts";

let shell: TestShell | undefined;
afterEach(async () => {
  await shell?.close();
});

/** Storage that goes away with the next commit, or just before it. */
function leaving() {
  const state = { armed: undefined as "before" | "after" | undefined, isAway: false };
  const away = () => Promise.reject(new StorageAway("The database does not respond; retry later"));
  const wrap = (db: Database): Database => ({
    ...db,
    run: (query, params) => (state.isAway ? away() : db.run(query, params)),
    point: (query, key) => (state.isAway ? away() : db.point(query, key)),
    async inTransaction(counter, work) {
      if (state.armed === "before") return away();
      const result = await db.inTransaction(counter, work);
      state.isAway = state.armed === "after";
      return result;
    },
  });
  return { state, wrap };
}

it.each(["before", "after"] as const)(
  "a role whose write is %s the end of storage is told about rightly",
  async (when) => {
    const { state, wrap } = leaving();
    shell = await openShell({ wrap });
    const send = async (method: "PUT" | "GET", path: string, payload?: string) =>
      shell?.app.inject({
        method,
        url: `/v1/acl/${path}`,
        headers: { host: "localhost", "x-consul-token": SHELL_TOKEN },
        ...(payload === undefined ? {} : { payload }),
      });
    state.armed = when;
    const made = await send("PUT", "role", '{"Name":"r","Policies":[{"Name":"global-management"}]}');
    expect(made?.statusCode).toBe(503);
    expect(made?.payload.includes("unknown")).toBe(when === "after");
    expect(made?.headers["retry-after"]).toBe(when === "after" ? undefined : "1");
    Object.assign(state, { armed: undefined, isAway: false });
    expect((await send("GET", "role/name/r"))?.statusCode).toBe(when === "after" ? 200 : 404);
  },
);

it("the same under /api/v2, and a read that fails is no write", async () => {
  const { state, wrap } = leaving();
  shell = await openShell({
    wrap,
    extraRoutes: [
      (app, _options, done) => {
        app.post("/leave", async ({ ctx }) => {
          await ctx.db.inTransaction({ kind: "root" }, () => Promise.resolve());
          throw new StorageAway("The database does not respond; retry later");
        });
        done();
      },
    ],
  });
  const headers = { host: "localhost", ...SHELL_HEADERS };
  const posted = await shell.app.inject({ method: "POST", url: "/api/v2/leave", headers, payload: "{}" });
  expect([posted.statusCode, posted.headers["retry-after"]]).toEqual([503, undefined]);
  expect(posted.json().errors[0].detail).toContain("The outcome of the write is unknown");
  state.isAway = true;
  const read = await shell.app.inject({ method: "GET", url: "/api/v2/organizations/none", headers });
  expect([read.statusCode, read.headers["retry-after"]]).toEqual([503, "1"]);
});
