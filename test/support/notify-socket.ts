/** The socket on which a service manager waits for words, read by perl, which every Debian has: Node has no such sockets. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { temporaryDirectory } from "./engines.ts";

const LISTENER = `
  use Socket; $| = 1;
  socket(my $s, PF_UNIX, SOCK_DGRAM, 0) or die; bind($s, sockaddr_un($ARGV[0])) or die; print "bound\\n";
  while (defined recv($s, my $m, 4096, 0)) { print "$m\\n" if length $m; }
`;

export interface NotifySocket {
  path: string;
  /** All words so far, in order. */
  words(): string[];
  close(): Promise<void>;
}

export async function openNotifySocket(): Promise<NotifySocket> {
  const path = join(temporaryDirectory(), "notify");
  const child = spawn("perl", ["-e", LISTENER, path], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  await once(child.stdout, "data");
  return {
    path,
    words: () => text.split("\n").filter((word) => !["", "bound", "BARRIER=1"].includes(word)),
    async close() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
