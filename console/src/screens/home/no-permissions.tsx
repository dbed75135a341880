/** Home for a token without permissions: whom to ask, and for what. */
import { Alert, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { clientOf } from "../../base/client.ts";
import { organizationsQuery } from "../../base/place-queries.ts";
import type { Place } from "../../base/place.ts";
import { useSession } from "../../base/session.ts";
import { CopyButton } from "../../kit/copy.tsx";
import { Icon } from "../../kit/icons.tsx";
import { useMay } from "../../kit/rights.ts";
import type { Overview } from "./queries.ts";
import * as texts from "../../texts/home.ts";

/** Shows the AccessorID of a token without any permission, for an administrator. */
export function NoPermissions({ overview, place }: { overview: Overview; place: Place }) {
  const mayRead = useMay({ resource: "acl", access: "read" }, place.scope);
  const { data } = useQuery(organizationsQuery(clientOf(undefined)));
  const session = useSession();
  if (data === undefined) return null;
  if (mayRead || session?.SignedIn !== true || data.length + overview.Namespaces.Count > 0) return null;
  const { AccessorID: accessor } = session.Token;
  return (
    <Alert variant="outline" icon={<Icon name="lock" size={16} />} title={texts.noPermissions} mb="md">
      <Group gap="xs">
        <Text size="sm">{texts.noPermissionsHint}</Text>
        <Group gap={4} wrap="nowrap">
          <span className="mono">{accessor}</span>
          <CopyButton value={accessor} what={texts.accessorId} />
        </Group>
      </Group>
    </Alert>
  );
}
