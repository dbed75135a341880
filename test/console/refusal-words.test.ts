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
      expect(wordsOf(error, true).detail).toBe("It is not known whether it was done: look before you try again.");
      expect(wordsOf(error).detail).toBe("Nothing was lost: what you see is from before.");
    }
  });

  it("say of a part that an answer lacks that the page may be of another version", () => {
    const { title, detail } = wordsOf(new TypeError("Cannot read properties of undefined (reading 'length')"));
    expect(title).toBe("This screen failed");
    expect(detail).toMatch(/^The server's answer is not what this page knows how to show: .*\(Cannot read .*\)$/);
  });

  it.each([
    [401, "You are not signed in"],
    [409, "It has changed meanwhile"],
    [412, "It has changed meanwhile"],
    [413, "This is too large"],
    [415, "The server does not take this type of content"],
    [418, "The server refused this"],
    [500, "The server failed"],
  ])("call the status %i what it is, with the request's ID", (status, title) => {
    expect(refused(status)).toMatchObject({ title, requestId: "id-1" });
  });
});

describe("incident 81: a write of what a directory owns", () => {
  const owned = new TesseraError("PUT /x", 409, new Headers({ "x-tessera-owner": "harbour" }), "");
  /** A server that refuses whoever asks to be refused. */
  const write = async (headers: Readonly<Record<string, string>>) =>
    headers["x-tessera-unowned"] === "true" ? Promise.reject(owned) : Promise.resolve("written");

  it("is told with its owner, and not as a race", () => {
    expect(wordsOf(owned)).toMatchObject({ title: "This belongs to harbour" });
    expect(wordsOf(owned).detail).toContain("change it in the files of harbour");
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
