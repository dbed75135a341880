/** Tests of the texts that users see for an error. */
import { ConnectionError, TesseraError } from "@tessera-server/client";
import { describe, expect, it } from "vitest";
import { takeOver, writeUnowned } from "../../console/src/kit/owned.ts";
import { wordsOf } from "../../console/src/kit/refusal-words.ts";

function refused(status: number) {
  return wordsOf(new TesseraError("GET /x", status, new Headers({ "x-request-id": "id-1" }), ""));
}

describe("the words of an error", () => {
  it("say of what had no answer that it may have been done, where something would have been changed", () => {
    for (const kind of ["timeout", "cut", "unreachable"] as const) {
      const error = new ConnectionError(kind, "no answer");
      expect(wordsOf(error, true).detail).toBe("The result is unknown. Check the object before you retry.");
      expect(wordsOf(error).detail).toBe("Nothing was changed. Check your connection and retry.");
    }
  });

  it("say of a part that an answer lacks that the page may be of another version", () => {
    const { title, detail } = wordsOf(new TypeError("Cannot read properties of undefined (reading 'length')"));
    expect(title).toBe("Cannot show this screen");
    expect(detail).toMatch(/^The response of the server has an unexpected format\. .*\(Cannot read .*\)$/);
  });

  it.each([
    [401, "Not signed in"],
    [409, "Conflict"],
    [412, "Conflict: object has changed"],
    [413, "Request too large"],
    [415, "Unsupported content type"],
    [418, "Request rejected"],
    [500, "Server error"],
  ])("call the status %i what it is, with the request's ID", (status, title) => {
    expect(refused(status)).toMatchObject({ title, requestId: "id-1" });
  });

  it("name the field where the cause does not, and the next step of a write", () => {
    const invalid = (...details: readonly string[]) => {
      const errors = details.map((detail) => ({
        status: "422",
        title: "invalid attribute",
        detail,
        source: { pointer: "/data/attributes/trigger-patterns" },
      }));
      const headers = new Headers({ "content-type": "application/vnd.api+json" });
      return new TesseraError("PATCH /x", 422, headers, JSON.stringify({ errors }));
    };
    expect(wordsOf(invalid("is too long"), true)).toMatchObject({
      title: "Invalid value",
      detail: "Field trigger-patterns: is too long\nCorrect the value and retry.",
    });
    expect(wordsOf(invalid("Trigger patterns are too long")).detail).toBe("Trigger patterns are too long");
    expect(wordsOf(invalid("is too long", "is not a list")).detail).toBe(
      "Field trigger-patterns: is too long\nField trigger-patterns: is not a list",
    );
  });

  it("name what failed, and the cause once", () => {
    const denied = new TesseraError("DELETE /x", 403, new Headers(), "Permission denied: token lacks acl:write");
    const failed = "Could not delete role web";
    expect(wordsOf(denied, true, failed)).toMatchObject({
      title: failed,
      detail:
        "Permission denied: token lacks acl:write\n" +
        "Use a token with the required permission, or ask an administrator.",
    });
    const changed = new TesseraError("DELETE /x", 412, new Headers(), "");
    expect(wordsOf(changed, true, failed)).toMatchObject({
      title: failed,
      detail: "Conflict: object has changed\nLoad the current version and retry.",
    });
  });

  it("say that nothing failed for certain, where the outcome of a write is unknown", () => {
    const lost = new ConnectionError("timeout", "no answer");
    expect(wordsOf(lost, true, "Could not save role web").title).toBe("Request timed out");
    const between = new TesseraError("PUT /x", 504, new Headers(), "");
    expect(wordsOf(between, true, "Could not save role web")).toMatchObject({
      title: "Gateway timeout (504)",
      detail:
        "The result is unknown. Check the object before you retry.\n" +
        "A proxy responded instead of the server. Check that the server is running and that the proxy can reach it.",
    });
  });

  it("name the status of an answer without a request ID, which is of a proxy", () => {
    const between = (status: number) =>
      wordsOf(new TesseraError("GET /x", status, new Headers({ "content-type": "text/html" }), "<h1>502</h1>"));
    const detail =
      "A proxy responded instead of the server. Check that the server is running and that the proxy can reach it.";
    expect(between(502)).toMatchObject({ title: "Bad gateway (502)", detail });
    expect(between(503)).toMatchObject({ title: "Server not ready", detail });
    expect(between(520)).toMatchObject({ title: "Server error (520)", detail });
    expect(refused(502).detail).not.toContain("proxy");
  });
});

describe("incident 81: a write of what a directory owns", () => {
  const owned = new TesseraError("PUT /x", 409, new Headers({ "x-tessera-owner": "harbour" }), "");
  /** A server that refuses whoever asks to be refused. */
  const write = async (headers: Readonly<Record<string, string>>) =>
    headers["x-tessera-unowned"] === "true" ? Promise.reject(owned) : Promise.resolve("written");

  it("is told with its owner, and not as a race", () => {
    expect(wordsOf(owned)).toMatchObject({ title: "Managed by harbour" });
    expect(wordsOf(owned).detail).toContain("Change the object in the declared files of harbour");
  });

  it("goes on after somebody has said to take it over, once, and from that owner", async () => {
    await expect(writeUnowned(write)).rejects.toBe(owned);
    takeOver("depot");
    await expect(writeUnowned(write)).rejects.toBe(owned);
    takeOver("harbour");
    expect(await writeUnowned(write)).toBe("written");
    await expect(writeUnowned(write)).rejects.toBe(owned);
  });
});
