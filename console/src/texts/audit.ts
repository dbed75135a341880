/** Texts of the audit log. */
import { counted } from "./counted.ts";
const records = (count: number) => counted(count, "record", "records");
const chains = (count: number) => counted(count, "chain", "chains");
const progress = (count: number) => (count === 0 ? "" : ` ${count.toLocaleString()}`);

// Screens
export const about = (namespace: string | undefined) =>
  `Changes in ${namespace === undefined ? "all namespaces" : `namespace ${namespace}`}, and denied requests.`;
export const organizationAbout = (organization: string) =>
  `Changes to tags and workspaces of ${organization}, and denied requests.`;

// List
export const noMatch = "No matching audit records.";
export const empty = "No audit records that your token can read.";
export const showOlder = "Show older";
export const recordCount = (count: number, isMore: boolean) =>
  isMore ? `Showing the newest ${records(count)}.` : `Showing all ${records(count)}.`;

// Filters
export const filters = (count: number) => (count === 0 ? "Filter" : `Filter (${count})`);
export const filtersLabel = "Filter audit records";
export const outcome = "Outcome";
export const done = "Done";
export const denied = "Denied";
export const any = "Any";
export const action = "Action";
export const kind = "Kind";
export const object = "Object";
export const id = "ID";
export const actor = "Actor";
export const accessorId = "AccessorID";
export const requestId = "Request ID";
export const from = "From";
export const until = "Until";
export const clearFilters = "Clear filters";

// Record
export const noDetails = "No changes or details recorded.";
export const token = "Token";
export const authMethod = "Auth method";
export const identity = "Identity";
export const address = "Address";
export const userAgent = "User agent";
export const changeReason = "Reason";
export const route = "Route";
export const requestIdCopied = "request ID";
export const explainDenial = "Explain denial";
export const chain = "Chain";
export const chainPosition = (chain: string, sequence: number | undefined) =>
  `${chain}, record ${sequence ?? "unknown"}`;
export const hash = "Hash";
export const hashCopied = "hash";

// Export
export const exportLabel = "Export";
export const exporting = (count: number) => `Exporting…${progress(count)}`;
export const exportCsv = "CSV for spreadsheets";
export const exportJsonLines = "JSON lines for tessera audit verify";
export const exported = (count: number) => `Exported ${records(count)}`;
export const exportOrder = "The oldest records are first.";
export const exportCut =
  "The export is incomplete: more records match. Choose a shorter time range, or use the command line.";
export const exportFailed = "Could not export the audit records";

// Verification of the hash chain
export const verify = "Verify chain";
export const verifying = (count: number) => `Verifying…${progress(count)}`;
export const verifyAll = "Verify all";
export const verified = (recordCount: number, total: number, chainCount: number) =>
  `Verified ${recordCount === total ? "all" : recordCount.toLocaleString()}${recordCount === total ? "" : " of"} ${records(total)} in ${chains(chainCount)}`;
export const verifiedAll = (recordCount: number, chainCount: number) =>
  `Verified all ${records(recordCount)} in ${chains(chainCount)} that the server keeps`;
export const verifiedDetail = (since: string | undefined, isCut: boolean) =>
  [
    ...(since === undefined ? [] : [`No record since ${since} was modified, deleted or inserted.`]),
    ...(isCut ? ["Newer records were not checked."] : []),
    "The browser computed the hashes.",
  ].join(" ");
export const verificationFailed = "Verification failed";
export const brokenRecord = (chain: string, sequence: number, cause: string) =>
  `Chain ${chain}, record ${sequence}: ${cause}.`;
export const recordMissing = (next: number) => `missing before record ${next}`;
export const recordDiffers = "different from the record in the list";
export const recordModified = "the hash does not match, so the record was modified or inserted";
export const verifyWithHead =
  "An attacker could have recomputed all hashes. To detect this, compare with a chain head that you saved elsewhere: ";
export const verifyCommand = "tessera audit verify";
