/** Incident 63: what ended by a trusted clock stays ended. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { startRemoval } from "../../storage/operator/removal.ts";
import { expiredTokens } from "./expired.ts";
import { endedSecrets } from "./old-secrets.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const status = async (secret: string) => (await v1.get("/acl/token/self", secret)).status;

  test("incident 63: a secret whose end has come stays ended when the clock is set back, also where it was used before", async () => {
    const { accessor, secret } = await v1.token();
    v1.setNow(NOW);
    const next = String((await v1.post(`/acl/token/${accessor}/rotate`, { Overlap: "1m" })).body.SecretID);
    expect(await status(secret)).toBe(200);
    v1.setNow(NOW + 60_000);
    const removal = startRemoval(v1.db, endedSecrets(v1.db, v1.now), (error) => expect.fail(String(error)));
    const left = () =>
      v1.db.sql.selectFrom("token_secrets").select("accessor_id").where("accessor_id", "=", accessor).execute();
    await expect.poll(left).toEqual([]);
    await removal.stop();
    v1.setNow(NOW + 50_000);
    expect([await status(secret), await status(next)]).toEqual([403, 200]);
    // The removal runs once a second, so an end has taken effect one second later.
    expect(endedSecrets(v1.db, v1.now).everyMs).toBe(expiredTokens(v1.db, v1.now).everyMs);
  });
});
