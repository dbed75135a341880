import { X509Certificate } from "node:crypto";
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { Server as TlsServer, createSecureContext } from "node:tls";
import type { Logger } from "pino";
import { ConfigError, type Config } from "../config.ts";
import { errorCode } from "../config/given.ts";

interface KeyPair {
  cert: Buffer;
  key: Buffer;
}

const POLL_MS = 2000;

/** @throws ConfigError when a file cannot be read, or certificate and key do not belong together */
export function readKeyPair({ certFile, keyFile }: NonNullable<Config["tls"]>): KeyPair {
  const pair = { cert: readPem(certFile, "--tls-cert"), key: readPem(keyFile, "--tls-key") };
  try {
    createSecureContext(pair);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `${certFile} and ${keyFile} are not a valid certificate and key pair (${reason}); check both files`,
    );
  }
  return pair;
}

function readPem(path: string, option: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ConfigError(
      `${option} ${path} is not readable (${errorCode(error)}); check the path and its permissions`,
    );
  }
}

export interface CertificateWatch {
  /** Reads both files now. */
  reload(): void;
  /** When the certificate that is used ends, in seconds since the epoch. */
  endsAt(): number;
  stop(): void;
}

/**
 * Gives the server a new certificate when its files change. Open connections keep the one that they began with. A pair
 * that cannot be used is logged, and the old one stays: the files may be half-way through being replaced.
 */
export function watchCertificate(server: object, files: NonNullable<Config["tls"]>, log: Logger): CertificateWatch {
  let current = readKeyPair(files);
  const reload = () => {
    try {
      const pair = readKeyPair(files);
      if (pair.cert.equals(current.cert) && pair.key.equals(current.key)) return;
      if (server instanceof TlsServer) server.setSecureContext(pair);
      current = pair;
      log.info("certificate reloaded");
    } catch (error) {
      log.error({ err: error }, "cannot load the new certificate; keeping the current one");
    }
  };
  const paths = [files.certFile, files.keyFile];
  for (const path of paths) watchFile(path, { interval: POLL_MS, persistent: false }, reload);
  return {
    reload,
    endsAt: () => new X509Certificate(current.cert).validToDate.getTime() / 1000,
    stop() {
      for (const path of paths) unwatchFile(path, reload);
    },
  };
}
