import { expect, it } from "vitest";
import { ROOT, useApi } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { lineOf } from "../../../../test/support/imports.ts";
import { jobBody } from "../../../../test/support/jobs.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  it("refuses a preview that is misspelt, and imports nothing", async () => {
    const org = await api.organization();
    for (const preview of ["1", "True", ""]) {
      const answer = await api.send({
        method: "POST",
        url: `/api/v2/organizations/${org}/tag-imports?preview=${preview}`,
        headers: { authorization: `Bearer ${ROOT}`, "content-type": "application/x-ndjson" },
        payload: lineOf({ kind: "tag", name: "a" }),
      });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("preview must be true or false")]);
      expect(
        (
          await api.post(
            `/organizations/${org}/tag-jobs?preview=${preview}`,
            jobBody({ action: "add", tags: [{ name: "a" }] }),
          )
        ).status,
      ).toBe(400);
    }
    expect((await api.get(`/organizations/${org}/tag-jobs`)).body.data).toEqual([]);
  });
});
