/** Requests of a server that is traced, and its log. */
import type { RunningServer } from "./server.ts";

interface Asking {
  method?: string;
  body?: object;
  traceparent?: string;
  token?: string;
}

/** Asks as the first management token, unless another one is given. */
export async function ask(
  { url, token }: Pick<RunningServer, "url" | "token">,
  path: string,
  { method = "GET", body, traceparent, token: given = token }: Asking = {},
): Promise<{ status: number; text: string }> {
  const headers = {
    authorization: `Bearer ${given}`,
    "content-type": path.startsWith("/api") ? "application/vnd.api+json" : "application/json",
    ...(traceparent !== undefined && { traceparent }),
  };
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: answer.status, text: await answer.text() };
}

/** Lines of the log. */
export function linesOf({ stdout }: Pick<RunningServer, "stdout">): Record<string, unknown>[] {
  return stdout
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Record<string, unknown>] : []));
}
