import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { askInsteadOfAws, bearerTokenOf, type BearerOptions } from "../../../test/support/aws-bearer-token.ts";
import {
  awsFailure,
  entityAnswer,
  roleOf,
  startSts,
  userOf,
  type AwsIdentity,
  type Sts,
} from "../../../test/support/sts.ts";
import { OutboundError } from "../../outbound/outbound.ts";
import { checkSelector } from "../../selectors/check.ts";
import { parseSelector } from "../../selectors/parse.ts";
import { IdentityError, ProviderError } from "../errors.ts";
import type { ValidatorEnvironment, ProvenIdentity, RawConfig, Validator } from "../validator.ts";
import { createAwsIamValidator } from "./validator.ts";

const ACCOUNT = "arn:aws:iam::111122223333";
const web = roleOf("web");
const admin = roleOf("admin");
const jane = userOf("jane");
const elsewhere = roleOf("web", { account: "444455556666" });
const unknown = roleOf("web");

let sts: Sts;
beforeAll(async () => {
  sts = await startSts([web, admin, jane, elsewhere]);
});
afterAll(() => sts.close());
afterEach(() => {
  sts.answer = () => undefined;
  sts.requests.length = 0;
});

function validatorOf(config: RawConfig, environment: Partial<ValidatorEnvironment> = {}): Validator {
  const { ask } = askInsteadOfAws(sts.url);
  return createAwsIamValidator(config, { ask, now: () => Date.now(), onTrouble: () => undefined, ...environment });
}

const byName = { BoundIAMPrincipalARNs: [`${ACCOUNT}:role/web`, `${ACCOUNT}:user/jane`] };
const byPath = {
  BoundIAMPrincipalARNs: [`${ACCOUNT}:role/some/path/web`, `${ACCOUNT}:user/some/*`],
  EnableIAMEntityDetails: true,
  IAMEntityTags: ["team", "service-name", "constructor"],
};

function login(identity: AwsIdentity, config: RawConfig, options?: BearerOptions): Promise<ProvenIdentity> {
  const withEntity = config["EnableIAMEntityDetails"] === true;
  return validatorOf(config).verify(bearerTokenOf(identity, { withEntity, ...options }));
}

async function errorOf(attempt: Promise<unknown>): Promise<Error> {
  const error = await attempt.then(
    () => new Error("it was accepted"),
    (reason: unknown) => reason,
  );
  return error as Error;
}

const refused = (message: string): Error => new IdentityError(message);
const unanswered = (message: string): Error => new ProviderError(message);

async function expectError(attempt: Promise<unknown>, wanted: Error): Promise<void> {
  const error = await errorOf(attempt);
  expect(error).toEqual(wanted);
  expect(error).toBeInstanceOf(wanted.constructor);
}

describe("without details", () => {
  test("a role is known by its name, its ID and its account", async () => {
    const { fields, variables, subject } = await login(web, byName);
    expect(subject).toBe(JSON.stringify(["111122223333", web.id]));
    const known = { entity_name: "web", entity_id: web.id, account_id: "111122223333" };
    expect(Object.fromEntries(variables)).toEqual(known);
    expect(Object.fromEntries(fields)).toEqual({ ...known, entity_path: "", entity_tags: new Map() });
    expect(sts.requests.map(({ service }) => service)).toEqual(["sts"]);
  });

  test("a user is known by its name, whatever its path", async () => {
    const { variables } = await login(jane, byName);
    expect(Object.fromEntries(variables)).toMatchObject({ entity_name: "jane", entity_id: jane.id });
  });

  test("a request for details is not sent", async () => {
    await login(web, byName, { withEntity: true });
    expect(sts.requests.map(({ service }) => service)).toEqual(["sts"]);
  });

  test("a regional host is asked", async () => {
    for (const host of ["sts.eu-central-1", "sts-fips.us-gov-west-1", "sts-fips"]) {
      const { ask, asked } = askInsteadOfAws(sts.url);
      const stsUrl = `https://${host}.amazonaws.com/`;
      await validatorOf(byName, { ask }).verify(bearerTokenOf(web, { stsUrl }));
      expect(asked).toEqual([stsUrl]);
    }
  });

  test("who is not trusted is refused", async () => {
    await expectError(login(admin, byName), refused(`IAM principal ${ACCOUNT}:role/admin is not trusted`));
  });

  test("a path does not count, so it trusts nobody", async () => {
    const withPath = { BoundIAMPrincipalARNs: [`${ACCOUNT}:role/some/path/web`] };
    await expectError(login(web, withPath), refused(`IAM principal ${ACCOUNT}:role/web is not trusted`));
  });

  test.each([`${ACCOUNT}:root`, "arn:aws:sts::111122223333:federated-user/web"])("%s is refused", async (arn) => {
    sts.answer = () => ({ status: 200, body: answerWith(arn) });
    await expectError(login(web, byName), refused("the caller is neither an IAM role nor an IAM user"));
  });
});

function answerWith(arn: string): string {
  const result = `<Arn>${arn}</Arn><UserId>AROA</UserId><Account>111122223333</Account>`;
  return (
    `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>${result}` +
    "</GetCallerIdentityResult></GetCallerIdentityResponse>"
  );
}

describe("with details", () => {
  test("a role is known by its path and its tags too", async () => {
    const { fields, variables } = await login(web, byPath);
    expect(Object.fromEntries(variables)).toEqual({
      entity_name: "web",
      entity_id: web.id,
      account_id: "111122223333",
      entity_path: "/some/path/",
      "entity_tags.team": "web",
      "entity_tags.service-name": "store & front",
      "entity_tags.constructor": "",
    });
    expect(fields.get("entity_path")).toBe("/some/path/");
    expect(fields.get("entity_tags")).toEqual(new Map(Object.entries(web.tags)));
    expect(sts.requests.map(({ service }) => service)).toEqual(["sts", "iam"]);
  });

  test("a user is trusted by the beginning of its ARN, asked for by name or not", async () => {
    for (const entityBody of [undefined, "Action=GetUser&Version=2010-05-08"]) {
      const { variables } = await login(jane, byPath, entityBody === undefined ? {} : { entityBody });
      expect(variables.get("entity_path")).toBe("/some/path/");
    }
  });

  test("tags that are not asked for are not known", async () => {
    const { fields, variables } = await login(web, { ...byPath, IAMEntityTags: ["team"] });
    expect(fields.get("entity_tags")).toEqual(new Map([["team", "web"]]));
    expect([...variables.keys()]).not.toContain("entity_tags.service-name");
  });

  test("who is not trusted is refused", async () => {
    await expectError(login(admin, byPath), refused(`IAM principal ${ACCOUNT}:role/some/path/admin is not trusted`));
  });

  test("a name without its path trusts nobody", async () => {
    const config = { ...byPath, ...byName };
    await expectError(login(web, config), refused(`IAM principal ${ACCOUNT}:role/some/path/web is not trusted`));
  });

  test("the description of another is refused before it is asked for", async () => {
    const others = ["Action=GetRole&RoleName=web", "Action=GetUser&UserName=jane", "Action=GetUser"];
    for (const body of others) {
      const attempt = login(admin, byPath, { entityBody: `${body}&Version=2010-05-08` });
      await expectError(attempt, refused("unique id mismatch in login token"));
    }
    expect(sts.requests.map(({ service }) => service)).toEqual(["sts", "sts", "sts"]);
  });

  test("a description with another ID is refused", async () => {
    for (const other of [{ id: "AROAOTHER" }, { account: "444455556666" }, { name: "web2" }]) {
      const body = entityAnswer({ ...web, ...other });
      sts.answer = (service) => (service === "iam" ? { status: 200, body } : undefined);
      await expectError(login(web, byPath), refused("unique id mismatch in login token"));
    }
  });

  test.each(["Method", "URL", "Headers", "Body"])("the header GetEntity-%s is needed", async (part) => {
    const attempt = login(web, byPath, { withEntity: false });
    expect((await errorOf(attempt)).message).toBe('missing header "X-Consul-IAM-GetEntity-Method"');
    const token = JSON.parse(bearerTokenOf(web, { withEntity: true })) as Record<string, string>;
    const headers = JSON.parse(Buffer.from(token["iam_request_headers"] ?? "", "base64").toString()) as object;
    const kept = Object.entries(headers).filter(
      ([name]) => !name.toLowerCase().endsWith(`-getentity-${part.toLowerCase()}`),
    );
    const changed = Buffer.from(JSON.stringify(Object.fromEntries(kept))).toString("base64");
    const bearerToken = JSON.stringify({ ...token, iam_request_headers: changed });
    await expectError(
      validatorOf(byPath).verify(bearerToken),
      refused(`missing header "X-Consul-IAM-GetEntity-${part}"`),
    );
  });
});

describe("incident 2: a role of the same name in another account", () => {
  test("is not trusted, before or after the right one has logged in", async () => {
    const validator = validatorOf(byName);
    const other = refused("IAM principal arn:aws:iam::444455556666:role/web is not trusted");
    await expectError(validator.verify(bearerTokenOf(elsewhere)), other);
    expect((await validator.verify(bearerTokenOf(web))).variables.get("account_id")).toBe("111122223333");
    await expectError(validator.verify(bearerTokenOf(elsewhere)), other);
  });

  test("is not trusted with details either", async () => {
    const wanted = refused("IAM principal arn:aws:iam::444455556666:role/some/path/web is not trusted");
    await expectError(login(elsewhere, byPath), wanted);
    const everyone = { ...byPath, BoundIAMPrincipalARNs: [`${ACCOUNT}:*`] };
    await expectError(login(elsewhere, everyone), wanted);
    expect((await login(admin, everyone)).variables.get("entity_name")).toBe("admin");
  });
});

describe("the form of identities", () => {
  test("has the details in selectors even when they are off, in templates only when they are on", () => {
    const form = validatorOf(byName).form;
    const selector = 'entity_path == "/a/" and entity_tags.team == x and entity_tags["a b"] != y and account_id == 1';
    checkSelector(parseSelector(selector), form.shape);
    expect(() => checkSelector(parseSelector("entity_arn == x"), form.shape)).toThrow("is not valid");
    expect([...form.variables]).toEqual(["entity_name", "entity_id", "account_id"]);
  });

  test("has the variables that identities have", async () => {
    for (const config of [byName, byPath]) {
      const { variables } = await login(web, config);
      expect([...variables.keys()]).toEqual([...validatorOf(config).form.variables]);
    }
  });
});

describe("AWS", () => {
  test("is not asked when a method is written", async () => {
    await validatorOf(byName).probe();
    expect(sts.requests).toEqual([]);
  });

  test.each([400, 403, 404])("refuses with status %d: the login is refused, and nothing quoted", async (status) => {
    sts.answer = (service) => awsFailure(service, status, "SignatureDoesNotMatch");
    await expectError(login(web, byName), refused(`STS rejected the signed request (status ${status})`));
  });

  test("that does not know the key refuses", async () => {
    await expectError(login(unknown, byName), refused("STS rejected the signed request (status 403)"));
  });

  test("may refuse only the details", async () => {
    sts.answer = (service) => (service === "iam" ? awsFailure("iam", 403, "AccessDenied") : undefined);
    await expectError(login(web, byPath), refused("IAM rejected the signed request (status 403)"));
  });

  test.each([
    [400, "Throttling"],
    [429, ""],
    [503, "ServiceUnavailable"],
  ])("with status %d %s says nothing about the caller", async (status, code) => {
    sts.answer = (service) => awsFailure(service, status, code);
    await expectError(login(web, byName), unanswered(`STS failed (status ${status})`));
  });

  test("is asked again as often as MaxRetries says, when it fails or cannot be reached", async () => {
    let failures = 2;
    sts.answer = () => (failures-- > 0 ? { status: 500, body: "canary" } : undefined);
    expect((await login(web, { ...byName, MaxRetries: 2 })).variables.get("entity_name")).toBe("web");
    expect(sts.requests.length).toBe(3);
    let attempts = 0;
    const ask = (): Promise<never> => Promise.reject(new OutboundError(`attempt ${++attempts}`));
    const attempt = validatorOf({ ...byName, MaxRetries: 1 }, { ask }).verify(bearerTokenOf(web));
    await expectError(attempt, unanswered("attempt 2"));
  });

  test("is not asked again when it refuses, nor without MaxRetries, nor when somebody has waited long", async () => {
    sts.answer = () => ({ status: 403, body: "" });
    await errorOf(login(web, { ...byName, MaxRetries: 5 }));
    sts.answer = () => ({ status: 500, body: "" });
    await errorOf(login(web, byName));
    expect(sts.requests.length).toBe(2);
    let clock = 0;
    const now = (): number => (clock += 20_000);
    await errorOf(validatorOf({ ...byName, MaxRetries: 5 }, { now }).verify(bearerTokenOf(web)));
    expect(sts.requests.length).toBe(3);
  });

  test("that names two accounts for one caller is not understood", async () => {
    sts.answer = () => ({ status: 200, body: answerWith("arn:aws:iam::444455556666:user/jane") });
    await expectError(login(web, byName), unanswered("STS returned two accounts for one caller"));
  });

  test("that answers something else is not understood", async () => {
    sts.answer = (service) => (service === "iam" ? { status: 200, body: entityAnswer(jane) } : undefined);
    await expectError(login(web, byPath), unanswered("the response of IAM is not a GetRoleResponse"));
    sts.answer = () => ({ status: 200, body: "{}", type: "application/json" });
    await expectError(login(web, byPath), unanswered("the response of STS is not a GetCallerIdentityResponse"));
  });
});
