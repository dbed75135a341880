import type { Config } from "../config.ts";

/**
 * For the person at the terminal, beside the log. Says where the first token lies, never what it is.
 *
 * @param url where the server listens
 * @param tokenFile path of the file that holds the first management token; undefined when this start made none
 */
export function announce(config: Pick<Config, "tls">, url: string, tokenFile: string | undefined): void {
  const lines = [`Tessera listens on ${url}`];
  if (tokenFile !== undefined) {
    const insecure = config.tls === undefined ? "" : "--insecure ";
    lines.push(
      `The first management token is in ${tokenFile}`,
      `Try: curl ${insecure}-H "Authorization: Bearer $(cat ${shellWord(tokenFile)})" ${url}/api/v2/account/details`,
    );
  }
  process.stderr.write(`${lines.join("\n")}\n`);
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
