/** Commands for sessions of the console. */
import { each, listOf } from "../kit/answers.ts";
import { queryOf, shownAs } from "../kit/v1.ts";
import type { Noun, Verb } from "../spec.ts";

const SHOWN = shownAs({
  columns: [
    { title: "ID", value: "ID" },
    { title: "Token", value: "AccessorID" },
    { title: "Last active", value: "LastActive" },
    { title: "Idle until", value: "IdleUntil" },
    { title: "Address", value: "Address" },
    { title: "Expires", value: "ExpirationTime", wide: true },
    { title: "Browser", value: "UserAgent", wide: true },
  ],
  idMember: "ID",
  nameMember: "ID",
});

const list: Verb = {
  name: "list",
  summary: "List your console sessions. With acl:read: all sessions of the namespace.",
  operations: ["listSessions"],
  async run(call) {
    await call.out.list(each(listOf(await call.read("listSessions", { query: queryOf(call) }))), SHOWN);
  },
};

const end: Verb = {
  name: "end",
  summary: "Revoke a console session.",
  operations: ["endSession"],
  args: [{ name: "session", help: "Session ID." }],
  async run(call) {
    const id = call.arg("session");
    await call.confirm("Revoke this session?", [id]);
    const answer = await call.write("endSession", { path: { id }, query: queryOf(call) });
    if (answer !== undefined) await call.out.note(`Revoked session ${id}.`);
  },
};

export const noun: Noun = {
  name: "session",
  summary: "Console sessions: list and revoke.",
  verbs: [list, end],
};
