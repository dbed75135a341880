/** Policies and roles that something holds. */
import { Badge, Group, Text } from "@mantine/core";
import { usePlace } from "../base/place.ts";
import { A } from "./link.tsx";
import type { CellValue } from "./list.ts";

export interface NamedLink {
  readonly ID?: string | undefined;
  readonly Name?: string | undefined;
}

export type Linked = "policies" | "roles" | "auth-methods";

/** Values of links, for the filters by their IDs. */
export function linkValues(links: readonly NamedLink[] | null | undefined): readonly CellValue[] {
  return (links ?? []).map(({ ID = "", Name }) => ({ value: ID, label: Name }));
}

/** Links, as badges that lead to what they name. */
export function Links({
  links,
  noun,
  most = Infinity,
}: {
  links: readonly NamedLink[] | null | undefined;
  noun: Linked;
  most?: number;
}) {
  const place = usePlace();
  if (links === undefined || links === null || links.length === 0)
    return (
      <Text span inherit c="dimmed">
        –
      </Text>
    );
  const shown = links.slice(0, most);
  return (
    <Group gap={4} wrap={most === Infinity ? "wrap" : "nowrap"} component="span" display="inline-flex">
      {shown.map(({ ID = "", Name }) => (
        <Badge key={ID || Name} maw={220}>
          <A to={place.path(noun, ID)} c="inherit">
            {Name || ID.slice(0, 8)}
          </A>
        </Badge>
      ))}
      {links.length > shown.length && (
        <Text span size="xs" c="dimmed">
          +{links.length - shown.length}
        </Text>
      )}
    </Group>
  );
}
