/** Logins by way of a browser that are under way when everything that they rest on goes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { CLIENT, oidcConfig, REDIRECT_URI } from "../../../test/support/openid-login.ts";
import { startOpenIdProvider, type OpenIdProvider } from "../../../test/support/openid-provider.ts";
import { allRows, at, makeIn, makeNamespace, makePartition, type Place } from "../../../test/support/scopes.ts";
import { userAgent } from "../../../test/support/user-agent.ts";
import { useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { outboundAllow: ["127.0.0.0/8"] } });
  let provider: OpenIdProvider;
  beforeAll(async () => {
    provider = await startOpenIdProvider({ clients: [CLIENT] });
  });
  afterAll(() => provider.stop());

  async function makeMethod(place: Place): Promise<void> {
    const content = { Name: "people", Type: "oidc", MaxTokenTTL: "1h", Config: oidcConfig(provider) };
    await makeIn(v1, place, "auth-method", content);
    await makeIn(v1, place, "binding-rule", { AuthMethod: "people" });
  }
  /** Goes to the provider, and comes back with a code and a state. */
  async function begin(place: Place) {
    const request = { AuthMethod: "people", RedirectURI: REDIRECT_URI };
    const { status, text, body } = await v1.post(at("/acl/oidc/auth-url", place), request, "");
    expect(status, text).toBe(200);
    const { code: Code, state: State } = await userAgent(provider)(body.AuthURL);
    return { AuthMethod: "people", Code, State };
  }
  const finish = (place: Place, credential: object) => v1.post(at("/acl/oidc/callback", place), credential, "");

  test.each<[what: string, partition: string, unit: "namespace" | "partition" | "auth-method"]>([
    ["a namespace", "default", "namespace"],
    ["a namespace of another partition", "unit-1", "namespace"],
    ["a partition", "unit-2", "partition"],
    ["an auth method", "default", "auth-method"],
  ])(
    "incident 13: the login states of %s that is deleted and made again are worth nothing",
    async (_what, partition, unit) => {
      const place = { partition, namespace: v1.unique("people") };
      const make = async () => {
        if (unit === "partition") await makePartition(v1, partition);
        if (unit !== "auth-method") await makeNamespace(v1, place);
        await makeMethod(place);
      };
      if (unit === "auth-method") await makeNamespace(v1, place);
      if (unit === "namespace" && partition !== "default") await makePartition(v1, partition);
      await make();
      const states = [await begin(place), await begin(place), await begin(place)];
      const used = await finish(place, states[0] ?? {});
      expect(used.status, used.text).toBe(200);
      const { SecretID } = used.body;
      const paths = {
        namespace: `/namespace/${place.namespace}?partition=${partition}`,
        partition: `/partition/${partition}`,
        "auth-method": at("/acl/auth-method/people", place),
      };
      expect((await v1.delete(paths[unit])).status).toBe(200);
      const gone = await finish(place, states[1] ?? {});
      expect(gone.status, gone.text).toBe(unit === "auth-method" ? 403 : 409);
      await finishDeletion(v1.db);
      await make();
      const before = await allRows(v1);
      for (const state of states) {
        expect(await finish(place, state)).toMatchObject({
          status: 403,
          text: "Provider login failed: Expired or missing OAuth state.",
        });
      }
      expect(await allRows(v1)).toEqual(before);
      expect((await v1.get("/acl/token/self", SecretID)).text).toBe("ACL not found");
      expect((await finish(place, await begin(place))).status).toBe(200);
    },
  );
});
