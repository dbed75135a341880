/** Says how many old backups may go: as many as intervals have really passed, whoever restarts a server and whatever its clock says. */
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { hasCode, syncDirectory } from "../../storage/files.ts";
import { NO_BOOT } from "../../storage/sqlite/mark/judge.ts";
import { bootId } from "../../storage/sqlite/mark/start.ts";

/** Says whether one more old backup may go. */
export interface Allowance {
  /** @returns whether one more may go now; then it counts as gone @throws Error of the file system */
  take(): boolean;
}

/** One moment by the two clocks of a server. */
export interface Moment {
  /** Which run of the machine it is; zeros where the system does not say. */
  boot: string;
  /** Milliseconds of that run, which nobody sets. */
  up: number;
  /** The trusted clock, in milliseconds since the epoch. */
  wall: number;
}

/** Storage for the last moment that counts, as text. */
export interface KeptMoment {
  /** @returns undefined where none was written */
  read(): string | undefined;
  write(text: string): void;
}

/** Backups are begun a little sooner or later than one interval after another, and one that is removed for each may be too. */
const SOONER = 0.1;

/**
 * Counts how many old backups may be removed: one, and one more for each interval that has really passed since. Within one run of the
 * machine its own time tells how much has passed, over restarts of the server too; otherwise the trusted clock does. Unused ones
 * are not saved up: a folder that was in order for a year does not lose a year at once.
 *
 * @param everyMs the interval between backups, in milliseconds
 */
export function createAllowance(everyMs: number, now: () => Moment, note: KeptMoment): Allowance {
  const write = ({ boot, up, wall }: Moment) => note.write(`${boot} ${Math.round(up)} ${Math.round(wall)}\n`);
  return {
    take() {
      const text = note.read();
      const moment = now();
      const last = text === undefined ? undefined : parse(text);
      if (last === undefined || passed(last, moment) < -everyMs) {
        // One whose time nobody knows any more, or that lies in the future, counts as of now.
        write(moment);
        return text === undefined;
      }
      const gone = passed(last, moment);
      if (gone < everyMs * (1 - SOONER)) return false;
      const counted = everyMs * Math.max(1, Math.floor(gone / everyMs));
      write({ boot: moment.boot, up: moment.up - gone + counted, wall: moment.wall - gone + counted });
      return true;
    },
  };
}

function passed(before: Moment, moment: Moment): number {
  const isSameRun = before.boot === moment.boot && moment.boot !== NO_BOOT;
  return isSameRun ? moment.up - before.up : moment.wall - before.wall;
}

function parse(text: string): Moment | undefined {
  const [, boot = "", up, wall] = /^([0-9a-f]{32}) (-?\d{1,15}) (-?\d{1,15})\n$/.exec(text) ?? [];
  return boot === "" ? undefined : { boot, up: Number(up), wall: Number(wall) };
}

/** This moment. @param trustedNow milliseconds since the epoch by a clock that is trusted */
export function momentNow(trustedNow: () => number): Moment {
  return { boot: bootId(), up: uptime() * 1000, wall: trustedNow() };
}

/** A file of the folder of the backups: it goes where they go, and servers that share them share it. */
const FILE = ".tessera-removals";

/** Keeps the moment in the folder of the backups. To be used under the lease: one server at a time. */
export function noteIn(folder: string): KeptMoment {
  const path = join(folder, FILE);
  return {
    read() {
      try {
        return readFileSync(path, "utf8");
      } catch (error) {
        if (hasCode(error, "ENOENT")) return undefined;
        throw error;
      }
    },
    write(text) {
      const whole = `${path}.${randomBytes(6).toString("hex")}`;
      writeFileSync(whole, text, { mode: 0o600, flag: "wx", flush: true });
      renameSync(whole, path);
      syncDirectory(folder);
    },
  };
}
