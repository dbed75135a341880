/** Incident 83: no write of either family asks a request without a body for a media type, or minds the one that it has. */
import { expect, it } from "vitest";
import { ROOT, useApi } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { readOperations, type Document } from "../../test/support/openapi-document.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  it.each([undefined, "text/plain", "application/x-www-form-urlencoded", "no type at all"])(
    "without a body every write is answered as with its own type, whatever it says: %s",
    async (type) => {
      const org = await api.organization();
      const document = (await api.send({ method: "GET", url: "/openapi.json" })).body as Document;
      const writes = readOperations(document).filter(
        ({ method, path }) => method !== "get" && /^\/(?:api\/v2|v1)\//.test(path),
      );
      expect(writes.length).toBeGreaterThan(100);
      for (const { name, path, method, operation } of writes) {
        const isImport = path.endsWith("/tag-imports");
        // Of what there is not: a request that is let through changes nothing.
        const url = path.replace("{organization_name}", isImport ? org : "none").replaceAll(/\{\w+\}/g, "none");
        const [own] = Object.keys(operation.requestBody?.content ?? {});
        const send = async (given: string | undefined) => {
          const headers = { authorization: `Bearer ${ROOT}`, ...(given !== undefined && { "content-type": given }) };
          return (await api.send({ method: method.toUpperCase(), url, headers })).status;
        };
        const status = await send(type);
        expect([name, status]).not.toEqual([name, 415]);
        expect([name, status]).toEqual([name, await send(own)]);
      }
    },
  );
});
