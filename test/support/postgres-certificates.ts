/** Certificates for PostgreSQL, of an authority of their own. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findRunAs, sharedTemporaryDirectory } from "./postgres-native.ts";

/** Paths of PEM files in a directory that the caller removes. */
export interface Certificates {
  directory: string;
  ca: string;
  /** The authority's, with the subject of another. */
  otherCa: string;
  /** Certificate of a server named `localhost`, without an IP address. */
  server: { cert: string; key: string };
  /** Certificate of the role `certified`. */
  client: { cert: string; key: string };
  /** The same name, by the other authority. */
  forged: { cert: string; key: string };
}

const KEY = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

export function makeCertificates(): Certificates {
  const directory = mkdtempSync(join(sharedTemporaryDirectory(), "tessera-certificates-"));
  const path = (name: string): string => join(directory, name);
  const authority = (name: string): string => {
    openssl(`req -x509 ${KEY} -days 2 -subj /CN=${name} -keyout ${path(name)}.key -out ${path(name)}.crt`);
    return path(`${name}.crt`);
  };
  const certificate = (name: string, by: string, subject: string, extensions: string) => {
    openssl(`req -new ${KEY} -subj /CN=${subject} -keyout ${path(name)}.key -out ${path(name)}.csr`);
    writeFileSync(path(`${name}.ext`), `${extensions}\n`);
    const signed = `-CA ${path(by)}.crt -CAkey ${path(by)}.key -days 2 -extfile ${path(name)}.ext`;
    openssl(`x509 -req -in ${path(name)}.csr ${signed} -out ${path(name)}.crt`);
    return { cert: path(`${name}.crt`), key: path(`${name}.key`) };
  };
  const ca = authority("authority");
  const otherCa = authority("other");
  const server = certificate("server", "authority", "localhost", "subjectAltName=DNS:localhost");
  const client = certificate("client", "authority", "certified", "extendedKeyUsage=clientAuth");
  const forged = certificate("forged", "other", "certified", "extendedKeyUsage=clientAuth");
  const runAs = findRunAs();
  for (const file of runAs === undefined ? [] : [directory, ca, server.cert, server.key]) {
    chownSync(file, runAs?.uid ?? 0, runAs?.gid ?? 0);
  }
  chmodSync(directory, 0o755);
  chmodSync(server.key, 0o600);
  return { directory, ca, otherCa, server, client, forged };
}

function openssl(line: string): void {
  execFileSync("openssl", line.split(" "), { stdio: "pipe" });
}
