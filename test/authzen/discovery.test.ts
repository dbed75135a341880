/** Discovery and transport of the certification scenario, over TLS as a gateway asks: `c-6` and `c-5`. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:https";
import { text as textOf } from "node:stream/consumers";
import { join } from "node:path";
import type { IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";
import { makeCertificate } from "../support/openid-certificate.ts";
import { startServer } from "../support/server.ts";

test("c-6, c-5: metadata names HTTPS endpoints of the base that was asked, and each of them answers", async () => {
  const { ca, cert, key } = makeCertificate();
  const directory = temporaryDirectory();
  const [certFile, keyFile] = [join(directory, "cert"), join(directory, "key")];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const server = await startServer({ args: ["--tls-cert", certFile, "--tls-key", keyFile] });
  onTestFinished(async () => void (await server.stop()));
  const base = `https://localhost:${new URL(server.url).port}`;
  const ask = async (url: string, body?: object) => {
    const headers = body && {
      authorization: `Bearer ${server.token}`,
      "content-type": "application/json",
      "x-request-id": "c-5",
    };
    const sent = request(url, { ca, method: body === undefined ? "GET" : "POST", headers: headers ?? {} });
    sent.end(body && JSON.stringify(body));
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(await textOf(answer)) as object };
  };

  const { status, headers, body } = await ask(`${base}/.well-known/authzen-configuration`);
  expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
  const { policy_decision_point: point, ...endpoints } = body as Record<string, string>;
  expect(point).toBe(base);
  expect(Object.keys(endpoints).toSorted()).toEqual([
    "access_evaluation_endpoint",
    "access_evaluations_endpoint",
    "search_action_endpoint",
    "search_resource_endpoint",
    "search_subject_endpoint",
  ]);
  const question = {
    subject: { type: "role", id: "nobody" },
    action: { name: "read" },
    resource: { type: "key", id: "a" },
    unknown: true,
  };
  for (const [name, url] of Object.entries(endpoints)) {
    expect(new URL(url).origin).toBe(base);
    const answer = await ask(url, question);
    expect([name, answer.status, answer.headers["content-type"]]).toEqual([name, 200, "application/json"]);
    expect(answer.headers["x-request-id"]).toBe("c-5");
    expect(answer.body).toMatchObject(name.startsWith("search") ? { results: [] } : { decision: false });
    expect((await ask(url, {})).status).toBe(400);
  }
});
