/** The flat tags of a workspace, changed in place. */
import { Badge, Group, Text } from "@mantine/core";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import { A } from "../../kit/link.tsx";
import { Card } from "../../kit/object-screen.tsx";
import { TagsByName } from "../tags/tags-by-name.tsx";
import { planOf } from "./bulk-plans.ts";
import { Draft } from "./draft.tsx";
import type { WorkspaceRow } from "./queries.ts";
import * as texts from "../../texts/workspaces.ts";

/** Tags to add and to remove. */
interface TagDraft {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const NOTHING: TagDraft = { added: [], removed: [] };

/** The card of tags. */
export function TagsEditor({ workspace, mayWrite }: { workspace: WorkspaceRow; mayWrite: boolean }) {
  const names = workspace.attributes["tag-names"];
  // The draft contains only differences, so the tags that others add or remove in the meantime stay as they are.
  const [draft, setDraft] = useState<TagDraft>(NOTHING);
  const added = draft.added.filter((name) => !names.includes(name));
  const removed = draft.removed.filter((name) => names.includes(name));
  const after = [...names.filter((name) => !removed.includes(name)), ...added];
  const change = (next: readonly string[]) =>
    setDraft({
      added: next.filter((name) => !names.includes(name)),
      removed: names.filter((name) => !next.includes(name)),
    });
  const plans = [
    ...(added.length === 0 ? [] : [planOf("add", workspace.id, added)]),
    ...(removed.length === 0 ? [] : [planOf("remove", workspace.id, removed)]),
  ];
  return (
    <Card title={texts.tagsCount(names.length)}>
      {mayWrite ? <TagsByName label={texts.flatTags} value={after} onChange={change} /> : <Named names={names} />}
      {plans.length > 0 && (
        <Draft what={texts.tags} before={names} after={after} plans={plans} reset={() => setDraft(NOTHING)} />
      )}
    </Card>
  );
}

function Named({ names }: { names: readonly string[] }) {
  const place = usePlace();
  if (names.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.noTags}
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
