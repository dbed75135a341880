/**
 * The two areas of the navigation, each with its own switch: the tags of an organization, and the access control of a
 * partition. An entry is a line here. Screens without one are in the switch, in the account menu or in the palette.
 */
import type { IconName } from "../kit/icons.tsx";
import * as texts from "../texts/app.ts";
import { screenNames } from "../texts/names.ts";

export type AreaName = "tags" | "access";

/** Entry of an area. */
export interface AreaEntry {
  /** Noun of its screen. */
  readonly noun: string;
  /** Path below the place of the screen, for another page than its first; may have a query. */
  readonly path?: string;
  /** Default: those of the screen. */
  readonly title?: string;
  readonly icon?: IconName;
}

export interface Area {
  readonly title: string;
  /** At most 12 entries: more do not fit into a window of 900 pixels. */
  readonly entries: readonly AreaEntry[];
}

export const AREAS: Readonly<Record<AreaName, Area>> = {
  tags: {
    title: texts.areaTags,
    entries: [
      { noun: "tags" },
      { noun: "workspaces" },
      { noun: "projects" },
      { noun: "tag-governance" },
      { noun: "tag-policies" },
      { noun: "tags", path: "tags/alike", title: screenNames.tags.duplicates, icon: "copy" },
      { noun: "tag-rules" },
      { noun: "reserved-tag-keys" },
      { noun: "tag-jobs" },
      { noun: "tag-webhooks" },
      { noun: "settings", title: texts.settings },
      { noun: "organization-audit", title: screenNames.audit.title },
    ],
  },
  access: {
    title: texts.areaAccess,
    entries: [
      { noun: "tokens" },
      { noun: "policies" },
      { noun: "roles" },
      { noun: "auth-methods" },
      { noun: "binding-rules" },
      { noun: "login" },
      { noun: "why" },
      { noun: "why", path: "why?tab=who", title: screenNames.why.whoCan, icon: "role" },
      { noun: "why", path: "why?tab=request", title: screenNames.why.explainDenial, icon: "lock" },
      { noun: "unused" },
      { noun: "audit" },
      { noun: "trash" },
    ],
  },
};

/** Returns the area of an address; undefined for one that is in neither, such as that of Home. */
export function areaOfPath(path: string): AreaName | undefined {
  const [, first] = path.split("/");
  if (first === "org" || first === "organizations") return "tags";
  return first === "access" || first === "partitions" ? "access" : undefined;
}
