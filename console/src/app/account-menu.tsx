/** Account menu: shows the signed-in token and signs out. */
import { ActionIcon, Menu, Text, Tooltip } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { Icon } from "../kit/icons.tsx";
import { inScope } from "../base/address.ts";
import { leave } from "./leave.ts";
import { useSession } from "../base/session.ts";

/** The menu of the account. */
export function AccountMenu() {
  const session = useSession();
  const navigate = useNavigate();
  if (session?.SignedIn !== true) return null;
  const { Token, Session } = session;
  const scope = { partition: Token.Partition ?? "default", namespace: Token.Namespace ?? "default" };
  return (
    <Menu position="bottom-end" withinPortal width={260}>
      <Menu.Target>
        <Tooltip label="Account">
          <ActionIcon size="lg" aria-label="Account">
            <Icon name="role" />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" lineClamp={2}>
            {Token.Description || "Token without a description"}
          </Text>
          <Text size="xs" className="mono">
            {Token.AccessorID}
          </Text>
          <Text size="xs">{Token.Management ? "May do everything" : `In ${scope.partition} / ${scope.namespace}`}</Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="key" />}
          onClick={() => void navigate({ to: inScope(scope, "tokens", Token.AccessorID) })}
        >
          This token
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="out" />} onClick={() => void leave()}>
          Sign out
          {Session.MadeByLogin && (
            <Text size="xs" c="dimmed">
              The token of this login ends too
            </Text>
          )}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
