import { OutboundError } from "./outbound.ts";

/** Whom a request is for. */
export interface Target {
  url: URL;
  /** As errors name it: with the port where it is not the usual one. */
  name: string;
  /** The name, or the address without brackets. */
  host: string;
  isSecure: boolean;
}

/** As long as a name of the DNS may be. */
const MAX_HOST_LENGTH = 253;

/**
 * Reads a URL. Addresses have one spelling behind it, however they are spelled in it: `0x7f.1` is `127.0.0.1`.
 *
 * @throws {OutboundError} unless it is one of http or https, without credentials
 */
export function parseTarget(text: string): Target {
  const url = URL.parse(text);
  if (url === null) throw new OutboundError("the URL is not valid");
  const { protocol } = url;
  if (protocol !== "https:" && protocol !== "http:") throw new OutboundError("the URL must be one of https or http");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (host.length > MAX_HOST_LENGTH) throw new OutboundError("the URL has a host that is too long");
  if (url.username !== "" || url.password !== "") {
    throw new OutboundError(`${url.host}: the URL must not hold a user name or a password`);
  }
  return { url, name: url.host, host, isSecure: protocol === "https:" };
}
