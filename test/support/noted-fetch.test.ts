import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { secretsIn } from "./made-secrets.ts";

test("secrets of what is sent and read by fetch are noted: as text, as JSON, of a copy, and those of a request that nobody reads the answer of", async () => {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.end(`{"SecretID": "${request.url?.slice(1)}-of-an-answer"}`));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await (await fetch(`${url}/text`)).text();
  expect(await (await fetch(new URL(`${url}/json`))).json()).toEqual({ SecretID: "json-of-an-answer" });
  await (await fetch(new Request(`${url}/copy`))).clone().text();
  const sent = await fetch(url, { method: "PUT", body: '{"SecretID": "sent-by-a-request"}' });
  const all = ["text-of-an-answer", "json-of-an-answer", "copy-of-an-answer", "sent-by-a-request"];
  expect(secretsIn(all.join(" ")).toSorted()).toEqual(all.toSorted());
  await sent.body?.cancel();
});
