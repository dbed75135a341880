/** Texts of unused permissions, marks of use, proposals and replays. */
import { TIGHTEN_REASONS } from "../../../packages/model/tighten-reasons.ts";
const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

// Screen
export const about = "Policies, policy rules, roles, tokens and binding rules without recorded use.";
export const unusedFor = "Not used for";
export const days = (count: number) => `${count} days`;
export const allDays = "all recorded days";
export const noneNever = "No unused permissions since the first recorded day.";
export const recordedSince = (day: string) => `Use has been recorded since ${day}.`;
export const notRecorded = "The use of permissions is not recorded. Start the server with --use-ledger on.";
export const incomplete = (day: string) => `Until ${day}, some uses were not recorded because the limit was reached.`;
export const matchedSince = (day: string) => `Logins have been recorded since ${day}.`;
export const matchedUnknown = "No logins are recorded.";
export const chooseNamespace = "Select a namespace to see its unused permissions.";
export const policies = "Policies";
export const policyRules = "Policy rules";
export const roles = "Roles";
export const tokens = "Tokens";
export const bindingRules = "Binding rules";
export const none = (count: number) =>
  `No unused permissions in the last ${count} days, or use has not been recorded for that long.`;
export const name = "Name";
export const lastUse = "Last use";
export const lastMatch = "Last match";
export const uses = "Uses";
export const logins = "Logins";
export const never = "never";
export const untitled = (start: string) => `Token ${start}`;
export const rule = "Policy rule";
export const showMore = "Show more";
export const more = "Only the first 10,000 entries are shown.";
export const inBlock = (block: string) => `in ${block}`;

// Marks
export const recordedUse = "Use";
export const recordedUseHint = "Requests and access checks, by day (UTC)";
export const matches = "Matches";
export const matchesHint = "Logins that the binding rule matched";
export const neverUsed = (count: number) =>
  count < 1 ? "not used yet" : `never used in ${counted(count, "day", "days")}`;
export const neverMatched = (count: number) =>
  count < 1 ? "not matched yet" : `never matched in ${counted(count, "day", "days")}`;
export const usedOn = (count: number, of: number) => `used on ${count} of ${of} days`;
export const matchedOn = (count: number, of: number) => `matched on ${count} of ${of} days`;
export const lastUsed = (day: string) => `last used on ${day}`;
export const lastMatched = (day: string) => `last matched on ${day}`;

export const notKnown = "not recorded";

// Tighten
export const tighten = "Tighten";
export const tightenFor = (count: number) => `From the recorded use of ${count} days`;
export const tightenTitle = "Proposal";
export const tightenAbout = (count: number, since: string) =>
  `From the recorded use of ${count} days, available since ${since}. The draft adds no permission for any subject. Save the draft to apply it.`;
export const tightenNone = "No safe draft was found.";
export const tightenSame = "No changes: all permissions are in use.";
export const tightenList = "Reasons";
export const line = (number: number) => `Line ${number}`;
export const actions: Readonly<Record<string, string>> = {
  kept: "kept",
  lowered: "lowered",
  replaced: "replaced by names",
  dropped: "removed",
};
export const reasons = TIGHTEN_REASONS;

// Replay
export const replay = "Replay";
export const replayLoading = "Replaying recorded use";
export const replayNone = "No recorded use is denied.";
export const replayRefused = (count: number) => `${counted(count, "recorded use", "recorded uses")} would be denied.`;
export const replayAllowed = (count: number) =>
  `${counted(count, "denied request", "denied requests")} would be allowed.`;
export const replayAlready = (count: number) =>
  `${counted(count, "recorded use is", "recorded uses are")} already denied.`;
export const replayLeft = (count: number, parts: readonly string[]) =>
  `${counted(count, "recorded use", "recorded uses")} cannot be replayed: ${parts.join(", ")}.`;
export const leftSubjects = (count: number) => `${count.toLocaleString("en")} of deleted or expired subjects`;
export const leftNames = (count: number) => `${count.toLocaleString("en")} without recorded names`;
export const leftClaims = (count: number) => `${count.toLocaleString("en")} that depend on claims`;
export const replaySince = (day: string) => `Use has been recorded since ${day}.`;
export const replayReach = (day: string) => `Denied requests have been recorded since ${day}.`;
export const replayNoRefusals = "No denied requests are recorded.";
export const replayPart = "Only the newest denied requests were read.";
export const replayFirst = (count: number) => `Showing the first ${count}.`;
export const replayList = "Recorded use with another result";
export const inUse = (count: number, last: string) => `in use on ${count} of the last 30 days, last on ${last}`;
export const usesSince = (count: number, day: string) => `${counted(count, "use", "uses")} since ${day}`;
export const wouldBeDenied = "would be denied";
export const wouldBeAllowed = "would be allowed";
export const alreadyDenied = "already denied";
export const deniedSince = (count: number, day: string) => `denied ${counted(count, "time", "times")} since ${day}`;
export const names = (count: number) => counted(count, "name", "names");
export const rolesOf = (method: string) => `logins of ${method}`;
