import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One of the three servers: PostgreSQL's port, and that of Patroni's REST API. */
export interface Member {
  readonly name: string;
  readonly port: number;
  readonly rest: number;
}

/** The servers of a cluster that `cluster.sh up` made in this directory. */
export function readMembers(directory: string): Member[] {
  const lines = readFileSync(join(directory, "members"), "utf8").trim().split("\n");
  return lines.map((line) => {
    const [name = "", port, rest] = line.split(" ");
    return { name, port: Number(port), rest: Number(rest) };
  });
}

/** The server that is the primary by its own word and holds the leader's key; undefined while there is none. */
export async function findLeader(members: readonly Member[]): Promise<Member | undefined> {
  const answers = await Promise.all(members.map(isLeader));
  return members[answers.indexOf(true)];
}

async function isLeader({ rest }: Member): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${rest}/primary`, { signal: AbortSignal.timeout(2000) });
    await answer.body?.cancel();
    return answer.status === 200;
  } catch {
    return false;
  }
}
