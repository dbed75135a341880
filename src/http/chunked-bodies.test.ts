/** Incident 83: whether a body has come is known when it has come, where it is sent in chunks. */
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openShell, sendRaw, SHELL_TOKEN, type TestShell } from "../../test/support/shell.ts";
import type { ApiRoutes } from "./jsonapi/jsonapi.ts";

const METHODS = ["POST", "PATCH", "PUT", "DELETE"] as const;

const routes: ApiRoutes = (app, _options, done) => {
  for (const method of METHODS) app.route({ method, url: "/things", handler: async () => ({ data: method }) });
  done();
};

let shell: TestShell;
let port: number;
beforeAll(async () => {
  shell = await openShell({ extraRoutes: [routes] });
  await shell.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = shell.app.server.address() as AddressInfo);
});
afterAll(async () => shell.close());

/** The status of a request in chunks. @param type its header, or nothing */
async function ask(method: string, type: string, chunks: string): Promise<string> {
  const lines = [
    `${method} /api/v2/things HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${SHELL_TOKEN}`,
    "Connection: close",
    ...(type === "" ? [] : [`Content-Type: ${type}`]),
    "Transfer-Encoding: chunked",
  ];
  return (await sendRaw(port, `${lines.join("\r\n")}\r\n\r\n${chunks}0\r\n\r\n`)).slice(9, 12);
}

it.each(METHODS)("%s in chunks of which there is none needs no type, and any will do", async (method) => {
  for (const type of ["", "text/plain", ";", "application/vnd.api+json"])
    expect([type, await ask(method, type, "")]).toEqual([type, "200"]);
});

it.each(METHODS)("%s in chunks of another type is 415, and in those of ours read", async (method) => {
  const chunks = 'b\r\n{"data":[]}\r\n';
  for (const type of ["", "text/plain", ";"]) expect([type, await ask(method, type, chunks)]).toEqual([type, "415"]);
  expect(await ask(method, "application/vnd.api+json", chunks)).toBe("200");
  expect(await ask(method, "application/vnd.api+json", "1\r\n{\r\n")).toBe("422");
});
