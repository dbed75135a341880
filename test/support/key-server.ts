/** Keys that sign tokens, and a server over HTTPS with an authority of its own that publishes them. */
import { constants, generateKeyPairSync, sign, type JsonWebKeyInput, type KeyObject } from "node:crypto";
import { createServer } from "node:https";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { makeCertificate, type ServerCertificate } from "./openid-certificate.ts";

export type Algorithm = `${"RS" | "PS" | "ES"}${256 | 384 | 512}` | "EdDSA" | "Ed25519";

export interface SigningKey {
  kid: string;
  algorithm: Algorithm;
  privateKey: KeyObject;
  /** PEM. */
  publicKey: string;
  jwk: Record<string, unknown>;
}

const CURVES = { 256: "P-256", 384: "P-384", 512: "P-521" };

export function createSigningKey(kid: string, algorithm: Algorithm = "ES256"): SigningKey {
  const { privateKey, publicKey } = createPair(algorithm);
  const jwk: JsonWebKeyInput["key"] = publicKey.export({ format: "jwk" });
  const pem = publicKey.export({ format: "pem", type: "spki" });
  return { kid, algorithm, privateKey, publicKey: pem, jwk: { ...jwk, kid, use: "sig", alg: algorithm } };
}

function createPair(algorithm: Algorithm): { privateKey: KeyObject; publicKey: KeyObject } {
  if (algorithm.startsWith("Ed")) return generateKeyPairSync("ed25519");
  if (!algorithm.startsWith("ES")) return generateKeyPairSync("rsa", { modulusLength: 2048 });
  return generateKeyPairSync("ec", { namedCurve: CURVES[bitsOf(algorithm)] });
}

function bitsOf(algorithm: Algorithm): 256 | 384 | 512 {
  return Number(algorithm.slice(2)) as 256 | 384 | 512;
}

/** A signed token. The header says what the key is, unless members of `header` say otherwise; undefined leaves one out. */
export function signToken(key: SigningKey, claims: object, header: Record<string, unknown> = {}): string {
  return signText(key, JSON.stringify(claims), { alg: key.algorithm, kid: key.kid, ...header });
}

/** The same, of any payload and with no header but the given one. */
export function signText(key: SigningKey, payload: string | Buffer, header: object): string {
  const text = `${encode(JSON.stringify(header))}.${encode(payload)}`;
  return `${text}.${signatureOf(key, text).toString("base64url")}`;
}

export function encode(part: string | Buffer): string {
  return Buffer.from(part).toString("base64url");
}

function signatureOf({ algorithm, privateKey }: SigningKey, text: string): Buffer {
  const data = Buffer.from(text);
  if (algorithm.startsWith("Ed")) return sign(null, data, privateKey);
  const padding = algorithm.startsWith("PS") ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const options = algorithm.startsWith("ES")
    ? { dsaEncoding: "ieee-p1363" as const }
    : { padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return sign(`sha${bitsOf(algorithm)}`, data, { key: privateKey, ...options });
}

export interface KeyServer {
  /** `https://127.0.0.1:port`: the issuer, with a discovery document. The keys are at `/keys` below it. */
  readonly url: string;
  readonly ca: string;
  /** Keys that it publishes. */
  keys: readonly SigningKey[];
  /** Paths that were asked for, oldest first. */
  readonly requests: string[];
  /** Answers in place of the server where it returns true, as a broken one would. */
  answer: (path: string, response: ServerResponse) => boolean;
  close(): Promise<void>;
}

/** Made once for all servers of a test file: that takes longer than most tests. */
let certificate: ServerCertificate | undefined;

/** Starts it on a port of its own. The caller closes it. */
export async function startKeyServer(keys: readonly SigningKey[]): Promise<KeyServer> {
  certificate ??= makeCertificate();
  const { ca, cert, key } = certificate;
  const server = createServer({ cert, key });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const keyServer: KeyServer = { url, ca, keys, requests: [], answer: () => false, close };
  server.on("request", ({ url: path = "" }, response: ServerResponse) => {
    keyServer.requests.push(path);
    if (keyServer.answer(path, response)) return;
    const documents = new Map<string, unknown>([
      ["/.well-known/openid-configuration", { issuer: url, jwks_uri: `${url}/keys` }],
      ["/keys", { keys: keyServer.keys.map(({ jwk }) => jwk) }],
    ]);
    const document = documents.get(path);
    response.writeHead(document === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(document ?? {}));
  });
  return keyServer;
}
