import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A server's certificate and its key, and the authority that vouches for it alone; all PEM. */
export interface ServerCertificate {
  ca: string;
  cert: string;
  key: string;
}

const KEY = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

/**
 * Makes an authority and a certificate by it, for 127.0.0.1 and `localhost`.
 *
 * @param names what it is for instead
 * @param days how long it is good; less than nothing for one that has expired
 */
export function makeCertificate(names = "IP:127.0.0.1,DNS:localhost", days = 2): ServerCertificate {
  const directory = mkdtempSync(join(tmpdir(), "tessera-certificate-"));
  const [ca, caKey, cert, key, request, extensions] = ["ca", "ca-key", "cert", "key", "request", "extensions"].map(
    (name) => join(directory, name),
  ) as [string, string, string, string, string, string];
  try {
    openssl(`req -x509 ${KEY} -days 2 -subj /CN=authority -keyout ${caKey} -out ${ca}`);
    openssl(`req -new ${KEY} -subj /CN=server -keyout ${key} -out ${request}`);
    writeFileSync(extensions, `subjectAltName=${names}\n`);
    openssl(`x509 -req -in ${request} -CA ${ca} -CAkey ${caKey} -days ${days} -extfile ${extensions} -out ${cert}`);
    return { ca: readFileSync(ca, "utf8"), cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function openssl(line: string): void {
  execFileSync("openssl", line.split(" "), { stdio: "pipe" });
}
