/** A page goes on behind the last events before its first read, and so misses none and reads nothing twice. */
import { beforeAll, expect, test } from "vitest";
import { openBrowser } from "../../test/support/console.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { useStreams } from "../../test/support/event-stream.ts";
import { useV1 } from "../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let url: string;
  const ofPartition = useStreams(() => url);
  const ofOrganization = useStreams(() => url, "/api/v2/organizations/");
  beforeAll(async () => {
    url = await v1.listen();
    const attributes = { name: "acme", email: "a@acme.example" };
    await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
  });

  const addTag = async (name: string) => {
    const { status } = await v1.api("POST", "/organizations/acme/tags", {
      data: [{ type: "tags", attributes: { name } }],
    });
    expect(status).toBe(201);
  };
  async function events(query: string, token?: string) {
    const browser = openBrowser(v1.send);
    const { secret } =
      token === undefined ? await v1.token({ Policies: [{ Name: "global-management" }] }) : { secret: token };
    await browser.signIn(secret);
    return (await browser.send("GET", `/ui/session${query}`)).body.Events as Record<string, string> | undefined;
  }

  test("the streams begin with what changed after the answer, and with nothing before it", async () => {
    await v1.role();
    await addTag("before");
    const start = await events("?follow=default&organization=acme");
    expect(start).toEqual({ Partition: expect.stringMatching(/^\d+$/), Organization: expect.stringMatching(/^\d+$/) });
    const role = await v1.role();
    await addTag("meanwhile");
    const partition = await ofPartition("", { lastId: start?.["Partition"] ?? "" });
    const organization = await ofOrganization("acme/events", { lastId: start?.["Organization"] ?? "" });
    await expect.poll(() => partition.keys()).toEqual([role]);
    await expect.poll(() => organization.events.map(({ event }) => event)).toEqual(["tag.created"]);
  });

  test("without a place, and of places that the token may not see, there are none", async () => {
    expect(await events("")).toBeUndefined();
    const rightless = await v1.tokenWith("");
    expect(await events("?follow=default&organization=acme", rightless)).toEqual({});
    expect(await events("?follow=No%20name&organization=missing")).toEqual({});
    const reader = await v1.tokenWith('organization "acme" { policy = "read" }');
    expect(Object.keys((await events("?follow=default&organization=acme", reader)) ?? {})).toEqual(["Organization"]);
  });
});
