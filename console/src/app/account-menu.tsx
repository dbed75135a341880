/** Account menu: shows the signed-in token and signs out. */
import { ActionIcon, Menu, Text, Tooltip } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "../kit/icons.tsx";
import { inScope } from "../base/address.ts";
import { leave } from "./leave.ts";
import { useSession } from "../base/session.ts";
import * as texts from "../texts/app.ts";
import { screenNames } from "../texts/names.ts";

/** The menu of the account. */
export function AccountMenu() {
  const session = useSession();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  if (session?.SignedIn !== true) return null;
  const { Token, Session } = session;
  const scope = { partition: Token.Partition ?? "default", namespace: Token.Namespace ?? "default" };
  return (
    <Menu position="bottom-end" width={260} opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Tooltip label={texts.account} disabled={isOpen}>
          <ActionIcon size="lg" aria-label={texts.account}>
            <Icon name="role" />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" lineClamp={2}>
            {Token.Description || texts.tokenWithoutDescription}
          </Text>
          <Text size="xs" className="mono">
            {Token.AccessorID}
          </Text>
          <Text size="xs">
            {Token.Management ? texts.allPermissions : texts.tokenScope(scope.partition, scope.namespace)}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="key" />}
          onClick={() => void navigate({ to: inScope(scope, "tokens", Token.AccessorID) })}
        >
          {texts.showToken}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="lock" />}
          onClick={() => void navigate({ to: inScope(scope, "permissions") })}
        >
          {texts.showPermissions}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="session" />}
          onClick={() => void navigate({ to: inScope(scope, "sessions") })}
        >
          {screenNames.sessions.plural}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="out" />} onClick={() => void leave()}>
          {texts.signOut}
          {Session.MadeByLogin && (
            <Text size="xs" c="dimmed">
              {texts.signOutDeletesToken}
            </Text>
          )}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
