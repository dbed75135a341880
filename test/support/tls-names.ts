/** Certificates that tests tell apart by their names. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { connect } from "node:tls";
import { expect } from "vitest";
import { temporaryDirectory } from "./engines.ts";

/** Makes a self-signed certificate. @returns the paths of it and of its key, in PEM */
export function makeNamedCertificate(name: string): { cert: string; key: string } {
  const directory = temporaryDirectory();
  const [cert, key] = [join(directory, "cert.pem"), join(directory, "key.pem")];
  const options = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${name}`;
  expect(spawnSync("openssl", [...options.split(" "), "-keyout", key, "-out", cert]).status).toBe(0);
  return { cert, key };
}

/** The name in the certificate that a new connection to this port of 127.0.0.1 is shown. */
export async function commonName(port: number): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}
