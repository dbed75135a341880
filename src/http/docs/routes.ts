import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createManner } from "../sending/answers.ts";
import { acceptsGzip } from "../v1/answer.ts";

/**
 * The styles that Redoc's script writes into the page, by what they are when it writes them: those of its scroll bars, and an
 * empty one, which it then fills by calls. Another Redoc may have others; the browser's test says which.
 */
const WRITTEN_STYLES = [
  "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
  `'sha256-${createHash("sha256").update("").digest("base64")}'`,
];

/**
 * Content security policy of the page. It may run the scripts and use the styles of this server, and read the server's
 * OpenAPI document. Its search runs in a worker that the script creates.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${WRITTEN_STYLES.join(" ")}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

interface File {
  type: string;
  etag: string;
  plain: Buffer;
  packed: Buffer;
}

/** Kept by whoever has it, and asked for again each time, which is answered in a word. */
const OWN: Readonly<Record<string, string>> = {
  "cache-control": "no-cache",
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer",
};

/** `GET /docs`: the reference as a page, made of files of this server alone. */
export function registerDocs(app: FastifyInstance): void {
  void app.register((docs, _options, done) => {
    const { fixed } = app.manner;
    const kept = fixed.filter((_text, index) => !Object.hasOwn(OWN, fixed[index - (index % 2)] ?? ""));
    docs.decorate("manner", createManner([...kept, ...Object.entries(OWN).flat()]));
    const config = { public: true, undocumented: true };
    for (const [path, type, read] of FILES) {
      let file: Promise<File> | undefined;
      docs.get(path, { config }, async (request, reply) => {
        file ??= load(type, read).catch((error: unknown) => {
          // A failed load may succeed the next time.
          file = undefined;
          throw error;
        });
        return send(request, reply, await file);
      });
    }
    // The paths of its files are relative to the one without a slash.
    docs.get("/docs/", { config }, (_request, reply) => reply.redirect("../docs", 308));
    done();
  });
}

const FILES: readonly (readonly [path: string, type: string, read: () => Promise<string>])[] = [
  ["/docs", "text/html; charset=utf-8", async () => (await import("./page.ts")).PAGE],
  ["/docs/page.css", "text/css; charset=utf-8", async () => (await import("./page.ts")).STYLE],
  ["/docs/page.js", "text/javascript; charset=utf-8", async () => (await import("./page.ts")).START],
  ["/docs/redoc.js", "text/javascript; charset=utf-8", async () => (await import("./script.ts")).readScript()],
];

async function load(type: string, read: () => Promise<string>): Promise<File> {
  const plain = Buffer.from(await read());
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { type, etag, plain, packed: await promisify(gzip)(plain, { level: 9 }) };
}

function send(request: FastifyRequest, reply: FastifyReply, { type, etag, plain, packed }: File): FastifyReply {
  reply.header("etag", etag);
  const known = request.headers["if-none-match"]?.split(",").map((each) => each.trim().replace(/^W\//, ""));
  if (known?.includes(etag) === true) return reply.code(304).send();
  reply.header("content-type", type);
  if (!acceptsGzip(request.headers["accept-encoding"])) return reply.send(plain);
  return reply.header("content-encoding", "gzip").send(packed);
}
