/** The manual page of the Debian package: `tessera(1)`, of what the commands say of themselves. */
import { EVERY_FLAGS } from "../src/cli/client/every-flags.ts";
import { ENTRIES } from "../src/cli/client/index.ts";
import type { Flag, Verb } from "../src/cli/client/spec.ts";
import { VARIABLES } from "../src/config/client-variables.ts";

/** @param version of the program @param epoch seconds since 1970 that the page is dated by */
export async function manualText(version: string, epoch: string): Promise<string> {
  const date = new Date(Number(epoch) * 1000).toISOString().slice(0, 10);
  const lines = [
    `.TH TESSERA 1 ${date} "tessera ${version}" "Tessera"`,
    ".SH NAME",
    "tessera \\- organization tags and access control in one server",
    ".SH SYNOPSIS",
    ".B tessera serve",
    "[\\fIoptions\\fR]",
    ".br",
    ".B tessera",
    "\\fInoun\\fR \\fIverb\\fR [\\fIarguments\\fR] [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    text(
      "The server, and the commands for people who work with one. tessera serve --help has the options of the server;",
    ),
    text("each command has help of its own, by --help."),
    ".SH COMMANDS",
  ];
  for (const entry of ENTRIES) {
    const loaded = await entry.load();
    if ("verb" in loaded) lines.push(...command(entry.name, loaded.verb));
    else
      for (const verb of loaded.noun.verbs)
        if (verb.hidden !== true) lines.push(...command(`${entry.name} ${verb.name}`, verb));
  }
  lines.push(".SH OPTIONS", text("Every command takes these."), ...EVERY_FLAGS.flatMap(flag), ".SH ENVIRONMENT");
  for (const [name, help] of Object.entries(VARIABLES)) lines.push(".TP", `.B ${text(name)}`, text(help));
  lines.push(".SH FILES", ".TP", ".I /etc/tessera/config.json", text("Options of the server that the unit starts."));
  lines.push(
    ".TP",
    ".I /etc/tessera/master-key",
    text("Its master key. Without it a database and its backups are of no use."),
  );
  lines.push(".TP", ".I /var/lib/tessera", text("Its data."), ".SH SEE ALSO");
  lines.push(text("The documents in /usr/share/doc/tessera, and https://github.com/tessera-server/tessera"));
  return `${lines.join("\n")}\n`;
}

function command(words: string, { summary, args = [] }: Verb): string[] {
  const given = args.map(({ name, many, optional }) => {
    const word = `\\fI${text(name)}\\fR${many === true ? "..." : ""}`;
    return optional === true ? `[${word}]` : word;
  });
  return [".TP", [`\\fB${text(words)}\\fR`, ...given].join(" "), text(summary)];
}

function flag({ name, short, value, help }: Flag): string[] {
  const dash = short === undefined ? "" : `\\-${short}, `;
  return [
    ".TP",
    `\\fB${dash}\\-\\-${text(name)}\\fR${value === undefined ? "" : ` \\fI${text(value)}\\fR`}`,
    text(help),
  ];
}

/** As it is: a backslash, a hyphen, and what begins a line as a request would, mean something to troff. */
function text(words: string): string {
  const escaped = words.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("\n", " ");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
