/**
 * The console's cookies: a session, and the state of a login by way of an OpenID provider. No script can read them, and what is
 * in them is sealed by a key of the database, so that one of another server opens nothing here.
 */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isLoopback } from "../config.ts";
import { hostName } from "../http/receiving/host-check.ts";
import type { Keyring } from "../storage/keys/sealed.ts";

export type CookieKind = "session" | "oidc";

export interface Cookies {
  /** Whether what is sent over the connection can be read on its way, so that nobody may sign in. */
  isInsecure(request: FastifyRequest): boolean;
  /** Reads the value of a cookie; undefined without the cookie, `damaged` for one that this server has not set. */
  read(request: FastifyRequest, kind: CookieKind): { value: string } | "damaged" | undefined;
  /** Has the browser keep a cookie. @param seconds for which it does; undefined until it is closed */
  set(request: FastifyRequest, reply: FastifyReply, kind: CookieKind, value: string): void;
  /** Has the browser forget it. */
  clear(request: FastifyRequest, reply: FastifyReply, kind: CookieKind): void;
}

interface CookieOptions {
  keyring: Pick<Keyring, "derive">;
  /** URL that clients use for the server; default: the URL of the request. */
  publicUrl: string | undefined;
  isTls: boolean;
  /** Whether there are proxies that are believed: what one of them says of a request counts for more than the public URL. */
  hasTrustedProxies: boolean;
}

/** The lifetime of the state of an OIDC login, in seconds. */
export const OIDC_SECONDS = 10 * 60;
const LONGEST: Readonly<Record<CookieKind, number>> = { session: 512, oidc: 3800 };

/** Cookies of one name that are looked at. */
const MOST_OF_A_NAME = 8;

export function createCookies({ keyring, publicUrl, isTls, hasTrustedProxies }: CookieOptions): Cookies {
  const seal = createSeal(keyring.derive("console cookies"));
  const reached = publicUrl === undefined ? undefined : new URL(publicUrl);

  function isSecure(request: FastifyRequest): boolean {
    if (isTls || request.protocol === "https") return true;
    return reached?.protocol === "https:" && isThere(request, reached) && !isToldPlain(request);
  }

  /** Whether a proxy that is believed says that a request came without TLS, though it names the host of the public URL. */
  function isToldPlain({ raw: { headers } }: FastifyRequest): boolean {
    return hasTrustedProxies && /(?:^|[\s,])http\s*$/i.test(String(headers["x-forwarded-proto"] ?? ""));
  }

  /** Browsers keep one jar for all ports and paths of a host: servers there tell their cookies by the name. */
  function nameOf(request: FastifyRequest, kind: CookieKind): string {
    const { port, pathname } =
      reached ?? URL.parse(`${request.protocol}://${request.host}`) ?? new URL("http://unknown");
    const path = pathname.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
    const place = [port, path]
      .filter((part) => part !== "")
      .map((part) => `-${part}`)
      .join("");
    if (!isSecure(request)) return `tessera-${kind === "session" ? "console" : "oidc"}${place}`;
    // A cookie of the first kind has to be of all paths.
    return kind === "session" ? `__Host-tessera${place}` : `__Secure-tessera-oidc${place}`;
  }

  function header(request: FastifyRequest, kind: CookieKind, value: string, seconds: number | undefined): string {
    const basePath = reached?.pathname.replace(/\/+$/, "") ?? "";
    return [
      `${nameOf(request, kind)}=${value}`,
      `Path=${kind === "session" ? "/" : `${basePath}/ui`}`,
      ...(seconds === undefined ? [] : [`Max-Age=${seconds}`]),
      "HttpOnly",
      // A provider sends the browser back from another site.
      `SameSite=${kind === "session" ? "Strict" : "Lax"}`,
      ...(isSecure(request) ? ["Secure"] : []),
    ].join("; ");
  }

  return {
    isInsecure: (request) => !isSecure(request) && !isLoopback(hostName(request.host) ?? ""),
    read(request, kind) {
      const found = valuesOf(request.raw.headers.cookie ?? "", nameOf(request, kind));
      if (found.length === 0) return undefined;
      // Other programs of the host can put cookies of this name; of two that were made here nobody knows which is meant.
      const few = found.length <= MOST_OF_A_NAME ? found.filter(({ length }) => length <= LONGEST[kind]) : [];
      const [opened, ...others] = few.flatMap((each) => seal.open(each, kind) ?? []);
      return opened === undefined || others.length > 0 ? "damaged" : opened;
    },
    set(request, reply, kind, value) {
      const seconds = kind === "oidc" ? OIDC_SECONDS : undefined;
      void reply.header("set-cookie", header(request, kind, seal.close(value, kind), seconds));
    },
    clear: (request, reply, kind) => void reply.header("set-cookie", header(request, kind, "", 0)),
  };
}

/**
 * Whether a request may have come by way of the proxy that a public URL stands for. That one passes the host on, some without
 * its port, or names a loopback address; under any other host somebody has reached the server's own port.
 */
function isThere(request: FastifyRequest, reached: URL): boolean {
  const name = hostName(request.host);
  if (name === undefined) return false;
  if (isLoopback(name)) return true;
  const asked = URL.parse(`${reached.protocol}//${request.host}`);
  const hasPort = /:\d+$/.test(request.host);
  return asked !== null && (hasPort ? asked.host === reached.host : asked.hostname === reached.hostname);
}

function valuesOf(cookies: string, name: string): string[] {
  return cookies.split(";").flatMap((each) => {
    const [key = "", ...value] = each.split("=");
    return key.trim() === name ? [value.join("=").trim()] : [];
  });
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Seals texts, each for one kind of cookies. */
function createSeal(key: KeyObject) {
  return {
    close(value: string, kind: CookieKind): string {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(kind));
      return Buffer.concat([iv, cipher.update(value), cipher.final(), cipher.getAuthTag()]).toString("base64url");
    },
    /** Undefined where it was not sealed here, or for another kind. */
    open(sealed: string, kind: CookieKind): { value: string } | undefined {
      const bytes = Buffer.from(sealed, "base64url");
      // One text has one spelling.
      if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString("base64url") !== sealed) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(kind)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, "utf8");
        return { value: text + decipher.final("utf8") };
      } catch {
        return undefined;
      }
    },
  };
}
