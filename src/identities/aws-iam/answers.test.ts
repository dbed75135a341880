import { describe, expect, test } from "vitest";
import { awsFailure, callerAnswer, entityAnswer, roleOf, userOf } from "../../../test/support/sts.ts";
import { ProviderError } from "../errors.ts";
import { isThrottling, readCaller, readEntity } from "./answers.ts";

const ARN = "arn:aws:sts::111122223333:assumed-role/web/session";
const valid = callerAnswer({ arn: ARN, userId: "AROA1:session", account: "111122223333" });

function caller(changes: { arn?: string; userId?: string; account?: string }): string {
  return callerAnswer({ arn: ARN, userId: "AROA1:session", account: "111122223333", ...changes });
}

describe("the answer of STS", () => {
  test("names the caller", () => {
    expect(readCaller(valid)).toEqual({ arn: ARN, id: "AROA1", account: "111122223333" });
    expect(readCaller(caller({ userId: "AIDA1" })).id).toBe("AIDA1");
  });

  test.each([
    ["JSON", '{"GetCallerIdentityResponse":{"GetCallerIdentityResult":{"Arn":"canary"}}}'],
    ["HTML", "<html>canary</html>"],
    ["nothing", ""],
    ["another answer", entityAnswer(roleOf("web"))],
    ["a failure", awsFailure("sts", 403, "AccessDenied").body],
    ["another namespace", valid.replace("2011", "2012")],
    ["no namespace", valid.replace(/ xmlns="[^"]*"/, "")],
    ["an entity", valid.replace("</Arn>", "&canary;</Arn>")],
    ["a document type", `<!DOCTYPE a [<!ENTITY canary "x">]>${valid}`],
    ["a comment in a name", valid.replace("</Arn>", "<!-- canary --></Arn>")],
    ["two ARNs", valid.replace("</Arn>", "</Arn><Arn>canary</Arn>")],
    ["no ARN", valid.replace(/<Arn>.*<.Arn>/, "")],
    ["two results", valid.replace(/<GetCallerIdentityResult>.*<.GetCallerIdentityResult>/, "$&$&")],
    ["two documents", valid + valid],
    ["an empty user ID", caller({ userId: "" })],
    ["a user ID of three parts", caller({ userId: "a:b:c" })],
    ["an account that is no number", caller({ account: "canary" })],
    ["an account of another script", caller({ account: "١٢٣" })],
  ])("is refused and not quoted: %s", (_what, xml) => {
    expect(() => readCaller(xml)).toThrow(new ProviderError("the response of STS is not a GetCallerIdentityResponse"));
  });

  test("says that there are too many requests in words of its own", () => {
    expect(isThrottling(awsFailure("sts", 400, "Throttling").body, "sts")).toBe(true);
    expect(isThrottling(awsFailure("iam", 400, "Throttling").body, "sts")).toBe(false);
    expect(isThrottling(awsFailure("sts", 400, "AccessDenied").body, "sts")).toBe(false);
    expect(isThrottling("Throttling", "sts")).toBe(false);
  });
});

describe("the answer of IAM", () => {
  test("describes a role or a user", () => {
    const role = roleOf("web");
    expect(readEntity(entityAnswer(role), "role")).toEqual({
      arn: "arn:aws:iam::111122223333:role/some/path/web",
      id: role.id,
      path: "/some/path/",
      tags: new Map(Object.entries(role.tags)),
    });
    const user = userOf("jane", { path: "/" });
    const arn = "arn:aws:iam::111122223333:user/jane";
    expect(readEntity(entityAnswer(user), "user")).toEqual({ arn, id: user.id, path: "/", tags: new Map() });
  });

  test("has tags of any name, none twice", () => {
    const tags = JSON.parse('{"__proto__": "a", "constructor": "b", "": ""}') as Record<string, string>;
    expect([...readEntity(entityAnswer(roleOf("web", { tags })), "role").tags]).toEqual(Object.entries(tags));
    const xml = entityAnswer(roleOf("web", { tags: { team: "web" } }));
    const twice = xml.replace(/<member>.*<.member>/, "$&$&");
    expect(() => readEntity(twice, "role")).toThrow("the response of IAM is not a GetRoleResponse");
  });

  test.each(["", "path", "/path", "path/", "/pa th/"])("is refused with the path %j", (path) => {
    const xml = entityAnswer(roleOf("web", { path }));
    expect(() => readEntity(xml, "role")).toThrow(new ProviderError("the response of IAM is not a GetRoleResponse"));
  });

  test("is refused that describes something else", () => {
    expect(() => readEntity(entityAnswer(userOf("jane")), "role")).toThrow(ProviderError);
    expect(() => readEntity(entityAnswer(roleOf("web")), "user")).toThrow("is not a GetUserResponse");
    expect(() => readEntity(valid, "role")).toThrow(ProviderError);
  });
});
