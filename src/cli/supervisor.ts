/**
 * Notifies a service manager such as systemd (`sd_notify`) that the server can be used, that it stops, and, where the
 * manager wants to know, that its event loop still turns. Node does not have Unix datagram sockets, and a library for
 * them would be compiled when it is installed. systemd's own `systemd-notify`, which every machine with systemd has,
 * sends the messages.
 */
import { spawn } from "node:child_process";
import type { Logger } from "pino";

/** A manager that waits to hear from this process. */
export interface Supervisor {
  /** Says that the server can be used, and from now on, as often as it was asked for, that the event loop turns. */
  ready(log: Pick<Logger, "warn">, url: string): void;
}

/** Number of signs of life within the time after which the manager takes silence for a fault. */
const SIGNS_WITHIN = 3;

/**
 * Finds the manager by what it left in the environment, and takes that out: commands and processes that are started here
 * are none of its business. From the first SIGTERM or SIGINT on it is told that the server stops.
 *
 * @returns undefined where nobody waits
 */
export function takeSupervisor(env: NodeJS.ProcessEnv = process.env): Supervisor | undefined {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: within, WATCHDOG_PID: watched } = env;
  for (const name of ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]) delete env[name];
  if (socket === undefined || socket === "") return undefined;
  const isWatched = within !== undefined && (watched === undefined || watched === String(process.pid));
  const signMs = isWatched ? Number(within) / 1000 / SIGNS_WITHIN : 0;
  return {
    ready(log, url) {
      let hasFailed = false;
      const tell = (...words: string[]): void => {
        const sent = spawn("systemd-notify", words, {
          stdio: "ignore",
          env: { PATH: env["PATH"], NOTIFY_SOCKET: socket },
        });
        const failed = (how: string): void => {
          if (!hasFailed) log.warn(`cannot notify the service manager: systemd-notify ${how}`);
          hasFailed = true;
        };
        sent.once("error", (error) => failed(error.message));
        sent.once("exit", (code) => {
          if (code !== 0) failed(`exited with ${code}`);
        });
        sent.unref();
      };
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => tell("STOPPING=1"));
      tell("READY=1", `STATUS=Listening on ${url}`);
      if (signMs >= 1) setInterval(tell, signMs, "WATCHDOG=1").unref();
    },
  };
}
