/** The flat tags of a workspace, changed in place. */
import { Badge, Group, Text } from "@mantine/core";
import { useState } from "react";
import { usePlace } from "../../app/place.ts";
import { A } from "../../kit/link.tsx";
import { Card } from "../../kit/object-screen.tsx";
import { TagsByName } from "../tags/tags-by-name.tsx";
import { planOf } from "./bulk-plans.ts";
import { Draft } from "./draft.tsx";
import type { WorkspaceRow } from "./queries.ts";

/** The card of tags. */
export function TagsEditor({ workspace, mayWrite }: { workspace: WorkspaceRow; mayWrite: boolean }) {
  const names = workspace.attributes["tag-names"];
  const [draft, setDraft] = useState<readonly string[]>();
  const after = draft ?? names;
  const added = after.filter((name) => !names.includes(name));
  // What was not there when the draft was begun is not taken off by it: only what the draft took out is.
  const removed = names.filter((name) => !after.includes(name));
  const plans = [
    ...(added.length === 0 ? [] : [planOf("add", workspace.id, added)]),
    ...(removed.length === 0 ? [] : [planOf("remove", workspace.id, removed)]),
  ];
  return (
    <Card title={`Tags (${names.length.toLocaleString()})`}>
      {mayWrite ? <TagsByName label="Flat tags" value={after} onChange={setDraft} /> : <Named names={names} />}
      {draft !== undefined && (
        <Draft what="Tags" before={names} after={after} plans={plans} reset={() => setDraft(undefined)} />
      )}
    </Card>
  );
}

function Named({ names }: { names: readonly string[] }) {
  const place = usePlace();
  if (names.length === 0)
    return (
      <Text size="sm" c="dimmed">
        It has none.
      </Text>
    );
  return (
    <Group gap={6}>
      {names.map((name) => (
        <Badge key={name}>
          <A to={`${place.path("tags")}?${new URLSearchParams({ q: name }).toString()}`} c="inherit">
            {name}
          </A>
        </Badge>
      ))}
    </Group>
  );
}
