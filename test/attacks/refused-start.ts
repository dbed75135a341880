import { startServer, type ServerOptions } from "../support/server.ts";

/** Result of a refused start: its exit code and its lines on stderr. */
export interface RefusedStart {
  code: number;
  lines: string[];
}

/** Starts a server that must not start. @throws Error when it does */
export async function refusedStart(options: ServerOptions): Promise<RefusedStart> {
  const quiet = { ...options, args: ["--log-level", "silent", ...(options.args ?? [])] };
  let message: string;
  try {
    const server = await startServer(quiet);
    await server.kill();
    message = "";
  } catch (error) {
    message = (error as Error).message;
  }
  const [first = "", ...lines] = message.split("\n").filter((line) => line !== "");
  const code = /^the server ended with (\d+)/.exec(first)?.[1];
  if (code === undefined) throw new Error(`the start was not refused: ${message}`);
  return { code: Number(code), lines };
}
