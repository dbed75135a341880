import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { text } from "node:stream/consumers";
import { OutboundError, type Ask, type OutboundRequest, type OutboundResponse } from "../../src/outbound/outbound.ts";

/** Asks like the program's own, but goes everywhere: tests serve on loopback. */
export const openAsk: Ask = async (request) => {
  const { host } = new URL(request.url);
  try {
    const message = await send(request);
    const status = message.statusCode ?? 0;
    if (status < 300 || status >= 400) return { status, headers: headersOf(message), body: await text(message) };
    message.destroy();
  } catch (error) {
    throw new OutboundError(`${host}: no response`, { cause: error });
  }
  throw new OutboundError(`${host}: the response is a redirect, which the server does not follow`);
};

function send({ method, url, headers = {}, body, ca }: OutboundRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isSecure = url.startsWith("https:");
    const options = { method, headers, agent: false, ...(ca === undefined ? {} : { ca }) };
    const outgoing = isSecure ? requestHttps(url, options) : requestHttp(url, options);
    outgoing.on("response", resolve).on("error", reject).end(body);
  });
}

function headersOf({ headers }: IncomingMessage): OutboundResponse["headers"] {
  const names = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]);
  return Object.fromEntries(names.filter(([, value]) => value !== undefined)) as Record<string, string>;
}
