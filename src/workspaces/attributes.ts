import { Type, type Static } from "typebox";
import { attribute, declareAttributes, flag, readOverwrites } from "../attributes.ts";
import { invalid } from "../errors.ts";
import { checkDuration, coupleAutoDestroy } from "../projects/auto-destroy.ts";

const words = (byDefault: string | null) => attribute(Type.String({ maxLength: 10_000 }), byDefault);
const list = () => attribute(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 1000 }), []);

/** The options of a workspace that are stored and echoed as they were given. */
export const ATTRIBUTES = declareAttributes({
  "allow-destroy-plan": flag(true),
  "assessments-enabled": flag(false),
  "auto-apply": flag(false),
  "auto-apply-run-trigger": flag(false),
  "auto-destroy-at": words(null),
  "auto-destroy-activity-duration": words(null),
  "inherits-project-auto-destroy": flag(true),
  description: words(null),
  "file-triggers-enabled": flag(true),
  "global-remote-state": flag(false),
  "project-remote-state": flag(false),
  "hyok-enabled": flag(false),
  "migration-environment": words(""),
  "queue-all-runs": flag(false),
  "speculative-enabled": flag(true),
  "source-name": words(""),
  "source-url": words(""),
  "structured-run-output-enabled": flag(true),
  "terraform-version": words("latest"),
  "trigger-patterns": list(),
  "trigger-prefixes": list(),
  "working-directory": words(""),
});

const maybe = flag(false).schema;

export const attributesSchema = Type.Object({
  ...ATTRIBUTES.schemas,
  "execution-mode": words(null).schema,
  operations: maybe,
  "setting-overwrites": Type.Optional(
    Type.Union([Type.Object({ "execution-mode": maybe, "agent-pool": maybe }), Type.Null()]),
  ),
  // Known so that they are refused in words instead of being dropped in silence.
  "agent-pool-id": Type.Optional(Type.Union([Type.String(), Type.Null()])),
  "vcs-repo": Type.Optional(Type.Unknown()),
});

export type AttributesInput = Static<typeof attributesSchema>;

/** Stored attributes: only those that were given. A workspace without an own execution mode has that of its project. */
export type StoredAttributes = ReturnType<typeof ATTRIBUTES.change> & { "execution-mode"?: string };

const AT = "/data/attributes/";
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const CONSTRAINT = /^(?:=|!=|>|<|>=|<=|~>)?\s*\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?$/;

/** Bytes of one setting, and of all those of a workspace, as JSON. */
const MAX_ATTRIBUTE_BYTES = 64 * 1024;
const MAX_ATTRIBUTES_BYTES = 128 * 1024;

/** Values of the organization and the project that a workspace shows where it has no own ones. */
export interface Inherited {
  organizationExecutionMode: string;
  /** Empty while the project follows the organization. */
  projectExecutionMode: string;
  /** As they are stored of the project. */
  projectSettings: string;
}

/**
 * The attributes after a request, and whether they are allowed.
 *
 * @param before what is stored
 * @param inherited of the project that the workspace is to be in
 * @throws AppError `invalid` with a pointer to the attribute
 */
export function mergeAttributes(before: string, input: AttributesInput, inherited: Inherited): string {
  refuseUnsupported(input);
  const attributes: StoredAttributes = ATTRIBUTES.change(before, input);
  changeExecutionMode(attributes, input, inherited);
  exchangeTriggers(attributes, input);
  coupleAutoDestroy(JSON.parse(before) as StoredAttributes, attributes, input, inherited.projectSettings);
  checkFileTriggers(attributes, input);
  checkRemoteState(attributes, input);
  checkValues(attributes);
  return JSON.stringify(attributes);
}

/** A mode of its own, unless the request says by its overwrites that there is none. */
function changeExecutionMode(attributes: StoredAttributes, input: AttributesInput, inherited: Inherited): void {
  const overwrites = input["setting-overwrites"];
  const own = readOverwrites(overwrites?.["execution-mode"], overwrites?.["agent-pool"]);
  const mode = executionMode(input);
  if (own === false || (own === undefined && mode === "inherit")) delete attributes["execution-mode"];
  else if (mode === "remote" || mode === "local") attributes["execution-mode"] = mode;
  // The one that it shows stays, whatever becomes of the project's.
  else if (own) attributes["execution-mode"] ??= inherited.projectExecutionMode || inherited.organizationExecutionMode;
}

/** Prefixes and patterns take each other's place, also with a list that is empty: there are none of either then. */
function exchangeTriggers(attributes: StoredAttributes, input: AttributesInput): void {
  const { "trigger-prefixes": prefixes, "trigger-patterns": patterns } = input;
  const [hasPrefixes, hasPatterns] = [(prefixes?.length ?? 0) > 0, (patterns?.length ?? 0) > 0];
  if (hasPrefixes && hasPatterns) {
    throw invalid("Trigger patterns and trigger prefixes cannot be used together", `${AT}trigger-patterns`);
  }
  // Some clients send both lists, of which the one that holds something counts.
  if (Array.isArray(prefixes) && !hasPatterns) delete attributes["trigger-patterns"];
  if (Array.isArray(patterns) && !hasPrefixes) delete attributes["trigger-prefixes"];
}

/** Only where the request speaks of them, as below. */
function checkFileTriggers(attributes: StoredAttributes, input: AttributesInput): void {
  const names = ["trigger-patterns", "file-triggers-enabled"] as const;
  if (names.every((name) => input[name] === undefined) || attributes["file-triggers-enabled"] !== false) return;
  if ((attributes["trigger-patterns"]?.length ?? 0) === 0) return;
  throw invalid(
    "'trigger_patterns' cannot be populated when 'file_triggers_enabled' is set to false.",
    `${AT}trigger-patterns`,
  );
}

/** Only where the request speaks of them: a workspace of before may have both, and its other settings can still be changed. */
function checkRemoteState(attributes: StoredAttributes, input: AttributesInput): void {
  const names = ["project-remote-state", "global-remote-state"] as const;
  if (names.every((name) => input[name] === undefined) || !names.every((name) => attributes[name] === true)) return;
  throw invalid(
    "Project remote state cannot be enabled when global remote state sharing is enabled",
    `${AT}project-remote-state`,
  );
}

function refuseUnsupported(input: AttributesInput): void {
  if (input["execution-mode"] === "agent") {
    throw invalid("Execution mode agent is not supported", `${AT}execution-mode`);
  }
  const pool = input["agent-pool-id"];
  if (pool !== undefined && pool !== null) {
    throw invalid("Agent pool must not be specified unless using 'agent' execution mode", `${AT}agent-pool-id`);
  }
  if (input["vcs-repo"] !== undefined && input["vcs-repo"] !== null) {
    throw invalid("VCS connections are not supported", `${AT}vcs-repo`);
  }
}

function executionMode(input: AttributesInput): "remote" | "local" | "inherit" | undefined {
  const mode = input["execution-mode"];
  const operations = input.operations;
  if (typeof mode === "string") {
    if (typeof operations === "boolean") {
      throw invalid("operations is deprecated and cannot be set with execution-mode", `${AT}operations`);
    }
    if (mode !== "remote" && mode !== "local") {
      throw invalid("Execution mode must be remote or local", `${AT}execution-mode`);
    }
    return mode;
  }
  if (typeof operations === "boolean") return operations ? "remote" : "local";
  return mode === null ? "inherit" : undefined;
}

function checkSizes(attributes: StoredAttributes): void {
  let total = 0;
  for (const [name, value] of Object.entries(attributes)) {
    const bytes = Buffer.byteLength(JSON.stringify(value));
    total += bytes;
    if (bytes > MAX_ATTRIBUTE_BYTES) throw invalid(`${name} is too long: at most 64 KiB as JSON`, `${AT}${name}`);
    if (total > MAX_ATTRIBUTES_BYTES) {
      throw invalid("The settings of a workspace are too long: at most 128 KiB together as JSON", `${AT}${name}`);
    }
  }
}

function checkValues(attributes: StoredAttributes): void {
  checkSizes(attributes);
  const version = attributes["terraform-version"];
  if (version !== undefined && version !== "latest" && !VERSION.test(version)) {
    const fits = version.split(",").every((part) => CONSTRAINT.test(part.trim()));
    if (!fits) throw invalid(`Terraform version is not a version, a constraint or latest`, `${AT}terraform-version`);
  }
  const at = attributes["auto-destroy-at"];
  if (at !== undefined) attributes["auto-destroy-at"] = normalTime(at, `${AT}auto-destroy-at`);
  checkDuration(attributes["auto-destroy-activity-duration"]);
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** In UTC with a `Z`: clients cannot read another zone. */
function normalTime(text: string, pointer: string): string {
  const time = TIME.test(text) ? new Date(text) : new Date(NaN);
  // A day that its month does not have would be taken for one of the next.
  const day = text.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
  if (Number.isNaN(time.getTime()) || !isDay)
    throw invalid("The time is not ISO 8601, such as 2030-01-02T03:04:05Z", pointer);
  return time.toISOString();
}

const NAME = /^[A-Za-z0-9_-]+$/;
const NAME_LENGTH = 90;

/** @throws AppError `invalid` when it is no workspace name */
export function checkWorkspaceName(name: string): void {
  if (name.length === 0) throw invalid("Name can't be blank", `${AT}name`);
  if (!NAME.test(name)) throw invalid("Name may only contain letters, numbers, - and _", `${AT}name`);
  if (name.length > NAME_LENGTH) throw invalid(`Name is too long: at most ${NAME_LENGTH} characters`, `${AT}name`);
}
