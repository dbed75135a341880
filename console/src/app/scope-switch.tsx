/** In which scope, or organization, one is; and the way to another. */
import {
  Button,
  Group,
  Popover,
  ScrollArea,
  Stack,
  Tabs,
  Text,
  TextInput,
  UnstyledButton,
  VisuallyHidden,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "../kit/icons.tsx";
import { inOrganization, inScope } from "../base/address.ts";
import { clientOf } from "../base/client.ts";
import { namespacesQuery, organizationsQuery, partitionsQuery } from "../base/place-queries.ts";
import { usePlaces } from "../kit/places.ts";
import { useSession } from "../base/session.ts";
import classes from "./shell.module.css";

/** The switch in the header: the only place where the scope is changed. */
export function ScopeSwitch() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { organization } = useParams({ strict: false }) as { organization?: string };
  const { scope } = usePlaces();
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && close()}
      position="bottom-start"
      withinPortal
      trapFocus
      width={340}
    >
      <Popover.Target>
        <UnstyledButton className={classes.scope} onClick={toggle} aria-expanded={isOpen}>
          <VisuallyHidden>{organization === undefined ? "Partition and namespace: " : "Organization: "}</VisuallyHidden>
          <Icon name={organization === undefined ? "namespace" : "organization"} size={15} />
          {organization === undefined ? (
            <>
              <span className={classes.partition} data-default={scope.partition === "default"}>
                <span className={classes.scopeName}>{scope.partition}</span>
                <span className={classes.slash}>/</span>
              </span>
              <span className={classes.scopeName}>{scope.namespace === "*" ? "all namespaces" : scope.namespace}</span>
            </>
          ) : (
            <span className={classes.scopeName}>{organization}</span>
          )}
          <Icon name="down" size={13} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="xs" maw="calc(100vw - 16px)">
        {isOpen && <Choices close={close} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices({ close }: { close: () => void }) {
  const { organization } = useParams({ strict: false }) as { organization?: string };
  const session = useSession();
  const isEnterprise = session?.Edition !== "community";
  const [tab, setTab] = useState<string | null>(organization === undefined ? "scope" : "organization");
  return (
    <Tabs value={tab} onChange={setTab} variant="default">
      <Tabs.List mb="xs">
        {isEnterprise && <Tabs.Tab value="scope">Namespaces</Tabs.Tab>}
        <Tabs.Tab value="organization">Organizations</Tabs.Tab>
      </Tabs.List>
      {isEnterprise && (
        <Tabs.Panel value="scope">
          <ScopeChoice close={close} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="organization">
        <OrganizationChoice close={close} />
      </Tabs.Panel>
    </Tabs>
  );
}

function ScopeChoice({ close }: { close: () => void }) {
  const { scope } = usePlaces();
  const navigate = useNavigate();
  const tail = useTail("access", 2);
  const [partition, setPartition] = useState(scope.partition);
  const partitions = useQuery(partitionsQuery(clientOf(undefined)));
  const namespaces = useQuery(namespacesQuery(partition));
  const names = namespaces.data?.map(({ Name }) => Name) ?? ["default"];
  const go = (namespace: string) => {
    close();
    void navigate({ to: inScope({ partition, namespace }, ...tail) });
  };
  return (
    <Stack gap="xs">
      {(partitions.data?.length ?? 0) > 1 && (
        <Group gap={6} role="group" aria-label="Partition">
          {partitions.data?.map(({ Name }) => (
            <Button
              key={Name}
              size="compact-xs"
              variant={Name === partition ? "filled" : "default"}
              aria-pressed={Name === partition}
              onClick={() => setPartition(Name)}
            >
              {Name}
            </Button>
          ))}
        </Group>
      )}
      <Chooser
        label="Namespace"
        names={names}
        current={partition === scope.partition ? scope.namespace : undefined}
        choose={go}
        first={{ value: "*", label: "All namespaces" }}
      />
    </Stack>
  );
}

function OrganizationChoice({ close }: { close: () => void }) {
  const { organization } = useParams({ strict: false }) as { organization?: string };
  const navigate = useNavigate();
  const tail = useTail("org", 1);
  const organizations = useQuery(organizationsQuery(clientOf(undefined)));
  const names = organizations.data?.map(({ id }) => id) ?? [];
  return (
    <Chooser
      label="Organization"
      names={names}
      current={organization}
      choose={(name) => {
        close();
        void navigate({ to: inOrganization(name, ...(tail.length === 0 ? ["tags"] : tail)) });
      }}
    />
  );
}

interface ChooserProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly current: string | undefined;
  choose(name: string): void;
  readonly first?: { readonly value: string; readonly label: string };
}

/** Maximum number of names that the list draws; typing finds the others. */
const MOST = 200;

function Chooser({ label, names, current, choose, first }: ChooserProps) {
  const [text, setText] = useState("");
  const found = names.filter((name) => name.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <Stack gap={6}>
      <TextInput
        size="xs"
        aria-label={`Find ${label.toLowerCase()}`}
        placeholder={`Find ${label.toLowerCase()}`}
        value={text}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && found[0] !== undefined) choose(found[0]);
        }}
      />
      <ScrollArea.Autosize mah={280} type="auto">
        {text === "" && first !== undefined && (
          <Choice {...first} isCurrent={current === first.value} choose={choose} />
        )}
        {found.slice(0, MOST).map((name) => (
          <Choice key={name} value={name} label={name} isCurrent={name === current} choose={choose} />
        ))}
        {found.length === 0 && (
          <Text size="xs" c="dimmed" p="xs">
            None that you may see.
          </Text>
        )}
        {found.length > MOST && (
          <Text size="xs" c="dimmed" p="xs">
            {found.length - MOST} more: type to find them.
          </Text>
        )}
      </ScrollArea.Autosize>
    </Stack>
  );
}

function Choice({
  value,
  label,
  isCurrent,
  choose,
}: {
  value: string;
  label: string;
  isCurrent: boolean;
  choose(name: string): void;
}) {
  return (
    <UnstyledButton
      className={classes.link}
      w="100%"
      onClick={() => choose(value)}
      aria-current={isCurrent || undefined}
    >
      <span className={classes.scopeName} style={{ flex: 1 }}>
        {label}
      </span>
      {isCurrent && <Icon name="check" size={14} />}
    </UnstyledButton>
  );
}

/** Returns the path of the current list, to keep it in another place. Objects are left out: they do not exist there. */
export function useTail(kind: "access" | "org", depth: number): string[] {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const parts = path.split("/").filter((part) => part !== "");
  const start = parts.indexOf(kind);
  const tail = start < 0 ? undefined : parts[start + depth + 1];
  return tail === undefined ? (kind === "access" ? ["tokens"] : []) : [tail];
}
