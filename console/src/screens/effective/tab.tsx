/** The tab of effective permissions. Its code is loaded when it is opened. */
import { later } from "../../kit/later.tsx";
import type { ObjectTab } from "../../kit/object-screen.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import type { SubjectQuery } from "./queries.ts";
import * as texts from "../../texts/effective-tab.ts";

const EffectivePermissions = later(
  async () => (await import("./effective.tsx")).EffectivePermissions,
  <ObjectSkeleton />,
);

/** The tab for a subject. */
export function effectiveTab(of: SubjectQuery): ObjectTab {
  return { id: "effective", title: texts.tab, icon: "lock", content: <EffectivePermissions of={of} /> };
}
