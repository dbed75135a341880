/** A few workspaces, within something else. */
import { Group, Stack, Text } from "@mantine/core";
import { usePlace } from "../../base/place.ts";
import { A } from "../../kit/link.tsx";
import type { WorkspaceRow } from "./queries.ts";
import * as texts from "../../texts/workspaces.ts";

interface LinesProps {
  readonly rows: readonly Pick<WorkspaceRow, "id" | "attributes">[];
  /** How many there are in all. */
  readonly count: number;
  readonly none: string;
}

/** Names that lead to them. */
export function WorkspaceLines({ rows, count, none }: LinesProps) {
  const place = usePlace();
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    );
  return (
    <Stack gap={6}>
      {rows.map(({ id, attributes }) => (
        <Group key={id} gap="sm" wrap="nowrap" justify="space-between">
          <A to={place.path("workspaces", id)} size="sm" truncate>
            {attributes.name}
          </A>
          <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
            {texts.tagCount(attributes["tag-names"].length)}
          </Text>
        </Group>
      ))}
      {count > rows.length && (
        <Text size="xs" c="dimmed">
          {texts.andMore(count - rows.length)}
        </Text>
      )}
    </Stack>
  );
}
