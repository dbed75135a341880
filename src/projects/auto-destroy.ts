/**
 * When what a workspace manages is destroyed by itself: at a time, or after a while without activity. Nothing is destroyed
 * here; the settings are stored and answered, coupled as clients know them from the hosted service. A workspace has settings
 * of its own, or none and shows the duration of its project.
 */
import { invalid } from "../errors.ts";

const AT = "auto-destroy-at";
const DURATION = "auto-destroy-activity-duration";
const INHERITS = "inherits-project-auto-destroy";

/** As they are stored. A program of before stored settings of a workspace's own without saying that it inherits none. */
export interface StoredAutoDestroy {
  [AT]?: string;
  [DURATION]?: string;
  [INHERITS]?: boolean;
}

/** Auto-destroy settings in a request. Null removes a setting. */
interface AutoDestroyInput {
  [AT]?: string | null | undefined;
  [DURATION]?: string | null | undefined;
  [INHERITS]?: boolean | null | undefined;
}

/** The duration that a project's workspaces inherit; null for none. @param settings as they are stored of the project */
export function durationOfProject(settings: string): string | null {
  if (settings === "{}") return null;
  return (JSON.parse(settings) as { [DURATION]?: string | null })[DURATION] ?? null;
}

const FORMAT = /^\d{1,4}[dh]$/;

/** Checks the duration of a workspace or a project. @throws AppError `invalid` in the words that clients of the hosted service know */
export function checkDuration(duration: string | null | undefined): void {
  if (duration === null || duration === undefined || FORMAT.test(duration)) return;
  throw invalid(
    "Auto destroy activity duration has an incorrect format, we expect up to 4 numeric digits and 1 unit ('d' or 'h')",
    pointerTo(DURATION),
  );
}

function inherits(stored: StoredAutoDestroy): boolean {
  return stored[INHERITS] ?? (stored[AT] === undefined && stored[DURATION] === undefined);
}

/** The three attributes as a workspace shows them. @param projectSettings as they are stored of its project */
export function shownAutoDestroy(stored: StoredAutoDestroy, projectSettings: string) {
  return inherits(stored)
    ? { [AT]: null, [DURATION]: durationOfProject(projectSettings), [INHERITS]: true }
    : { [AT]: stored[AT] ?? null, [DURATION]: stored[DURATION] ?? null, [INHERITS]: false };
}

/**
 * Couples the attributes after a change: a time or a duration that is given is the workspace's own, and there is one of
 * them; to inherit takes both away, and so does null for the time when nothing else is said.
 *
 * @param before what was stored
 * @param after what was stored with the request's attributes in it; is changed
 * @param projectSettings as they are stored of the project that the workspace is to be in
 * @throws AppError `invalid` when the request gives what excludes each other
 */
export function coupleAutoDestroy(
  before: StoredAutoDestroy,
  after: StoredAutoDestroy,
  input: AutoDestroyInput,
  projectSettings: string,
): void {
  const { [AT]: at, [DURATION]: duration, [INHERITS]: asked } = input;
  if (at === undefined && duration === undefined && asked === undefined) return;
  checkTogether(input, projectSettings);
  const hasValue = typeof at === "string" || typeof duration === "string";
  const inherited = inherits(before);
  // All that a provider sends of an argument that was removed, whichever of the two it was.
  const isNoTimeAlone = at === null && duration === undefined && asked === undefined;
  if (isNoTimeAlone || !(hasValue ? asked !== true : isOwnWithout(input, inherited))) {
    for (const name of [AT, DURATION, INHERITS] as const) delete after[name];
    return;
  }
  // One takes the place of the other, and of whatever lay beside the word that the project's counts.
  if (hasValue || inherited) {
    if (typeof at !== "string") delete after[AT];
    if (typeof duration !== "string") delete after[DURATION];
  }
  after[INHERITS] = false;
}

/** Whether a workspace has settings of its own after a request that gives it neither time nor duration. */
function isOwnWithout({ [DURATION]: duration, [INHERITS]: asked }: AutoDestroyInput, inherited: boolean): boolean {
  if (asked !== undefined) return asked === false;
  // A request whose duration is null does not want the project's duration.
  return duration === null || !inherited;
}

function checkTogether(
  { [AT]: at, [DURATION]: duration, [INHERITS]: asked }: AutoDestroyInput,
  settings: string,
): void {
  if (typeof at === "string" && typeof duration === "string") {
    throw invalid("Auto destroy at and auto destroy activity duration cannot be used together", pointerTo(DURATION));
  }
  if (asked !== true) return;
  if (typeof at === "string") {
    throw invalid("Auto destroy at cannot be set on a workspace that inherits from its project", pointerTo(AT));
  }
  if (typeof duration === "string" && duration !== durationOfProject(settings)) {
    throw invalid(
      "Auto destroy activity duration must match the project, because the workspace inherits it",
      pointerTo(DURATION),
    );
  }
}

function pointerTo(name: string): string {
  return `/data/attributes/${name}`;
}
