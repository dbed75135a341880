/** The console's page and its files under `/ui`. Which screen an address is, the page decides: all of them are one page. */
import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refuse, refuseUnknown } from "../http/receiving/refusals.ts";
import { acceptsCoding, acceptsGzip } from "../http/v1/answer.ts";
import type { Manner } from "../http/sending/answers.ts";
import type { ConsoleFile } from "./files.ts";
import type { Console } from "./start.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Under `/ui`: what the headers of the answer say beside what is the same in all. */
    page: { nonce: string; caching: string } | undefined;
  }
}

/**
 * Content security policy of the page: it runs the scripts of this server, shows its styles and those that its scripts
 * write under the nonce, and connects to this server only. Text becomes markup only by the one Trusted Types policy
 * that the page creates.
 */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    nonce === "" ? "style-src 'self'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ");
}

/** Content security policy of an answer that is neither a page nor a file of a page. */
const NOTHING = "default-src 'none'";

/** Browser features that no page of the console uses. */
const PERMISSIONS = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()";

const FIXED = [
  "referrer-policy",
  "no-referrer",
  "cross-origin-opener-policy",
  "same-origin",
  "cross-origin-resource-policy",
  "same-origin",
  "permissions-policy",
  PERMISSIONS,
];

const OWN: ReadonlySet<string | undefined> = new Set(["cache-control", "content-security-policy"]);

/** The headers of all under `/ui`. @param shell those of what is in no family */
export function consoleManner(shell: Manner): Manner {
  const kept = shell.fixed.filter((_text, index) => !OWN.has(shell.fixed[index - (index % 2)]));
  const fixed = [...kept, ...FIXED];
  return {
    fixed,
    headOf({ page, id }) {
      const { nonce, caching } = page ?? { nonce: undefined, caching: "no-store" };
      const policy = nonce === undefined ? NOTHING : policyOf(nonce);
      return [...fixed, "content-security-policy", policy, "cache-control", caching, "x-request-id", id];
    },
    packs: () => false,
  };
}

/** The path below which clients find the console, with a slash at its end. @param publicUrl where they reach the server */
export function consolePath(publicUrl: string | undefined): string {
  return `${publicUrl === undefined ? "" : new URL(publicUrl).pathname.replace(/\/+$/, "")}/ui/`;
}

const CONFIG = { public: true, undocumented: true };
/** A file of such a name is never another. */
const FOREVER = "public, max-age=31536000, immutable";

/** Registers `/`, which leads browsers to the console, and all of `/ui` that is no session. */
export function pageRoutes(app: FastifyInstance, theConsole: Console): void {
  const base = consolePath(app.publicUrl);
  app.get("/", { config: CONFIG }, (request, reply) => {
    if (!wantsPage(request)) {
      refuseUnknown(request, reply, []);
      return reply;
    }
    return reply.redirect(base, 302);
  });
  // All links of the page are relative to the path with a slash.
  app.get("/ui", { config: CONFIG }, (_request, reply) => reply.redirect(base, 302));
  app.get("/ui/*", { config: CONFIG }, (request, reply) => {
    const files = theConsole.files();
    const { "*": path = "" } = request.params as Record<string, string>;
    const file = files?.find(path);
    if (file !== undefined) return sendFile(request, reply, file);
    if (path.startsWith("assets/")) {
      refuse(request, reply, 404);
      return reply;
    }
    const nonce = randomBytes(16).toString("base64url");
    request.page = { nonce, caching: "no-store" };
    void reply.type("text/html; charset=utf-8");
    if (files !== undefined) return reply.send(files.page(escaped(base), nonce));
    const isBuilding = theConsole.isBuilding();
    if (isBuilding) void reply.header("refresh", "2").header("retry-after", "2");
    return reply.code(503).send(isBuilding ? notice(BUILDING, nonce) : notice(ABSENT, nonce));
  });
}

/** A browser says so of what somebody looks at; programs do not. */
function wantsPage({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? "");
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  request.page = { nonce: "", caching: file.isHashed ? FOREVER : "no-cache" };
  void reply.header("etag", file.etag);
  const known = request.headers["if-none-match"]?.split(",").map((each) => each.trim().replace(/^W\//, ""));
  if (known?.includes(file.etag) === true) return reply.code(304).send();
  void reply.type(file.type);
  const accepted = request.headers["accept-encoding"];
  if (file.brotli !== undefined && acceptsCoding(accepted, "br"))
    return reply.header("content-encoding", "br").send(file.brotli);
  if (file.packed === undefined || !acceptsGzip(accepted)) return reply.send(file.plain);
  return reply.header("content-encoding", "gzip").send(file.packed);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

const BUILDING = [
  "The console is being built",
  "This happens once and takes some seconds. The page reloads automatically.",
];
const ABSENT = [
  "Console not available",
  "The server was started without a built console, or the build failed. See the server log. The API is available.",
];

/** A page in place of the console. Nothing on it comes from outside. */
function notice([title = "", text = ""]: readonly string[], nonce: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Tessera</title>
    <link rel="icon" href="data:," />
    <style nonce="${nonce}">
      :root { color-scheme: light dark; }
      body { margin: 20vh auto; max-width: 36rem; padding: 0 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
    </style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>${text}</p>
    </main>
  </body>
</html>
`;
}
