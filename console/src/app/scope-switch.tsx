/** In which scope, or organization, one is; and the way to another. */
import {
  Anchor,
  Button,
  Group,
  Popover,
  ScrollArea,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
  VisuallyHidden,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { Icon } from "../kit/icons.tsx";
import { inOrganization, inScope } from "../base/address.ts";
import { clientOf } from "../base/client.ts";
import { namespacesQuery, organizationsQuery, partitionsQuery } from "../base/place-queries.ts";
import { usePlaces } from "../kit/places.ts";
import { useSession } from "../base/session.ts";
import { useScreens } from "./screens.ts";
import { useArea } from "./use-area.ts";
import classes from "./shell.module.css";
import * as texts from "../texts/app.ts";

/** The switch in the header: the only place where the scope, or the organization, is changed. Each area has its own. */
export function ScopeSwitch() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const session = useSession();
  const area = useArea();
  // A server of the community edition has one partition with one namespace.
  if (area === "access" && session?.Edition === "community") return null;
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
          {area === "tags" ? <CurrentOrganization /> : <CurrentScope />}
          <Icon name="down" size={13} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="xs" maw="calc(100vw - 16px)">
        {isOpen && (area === "tags" ? <OrganizationChoice close={close} /> : <ScopeChoice close={close} />)}
      </Popover.Dropdown>
    </Popover>
  );
}

function CurrentOrganization() {
  const { organization } = usePlaces();
  return (
    <>
      <VisuallyHidden>{texts.organizationLabel}</VisuallyHidden>
      <Icon name="organization" size={15} />
      <span className={classes.scopeName}>{organization ?? texts.chooseOrganization}</span>
    </>
  );
}

function CurrentScope() {
  const { scope } = usePlaces();
  return (
    <>
      <VisuallyHidden>{texts.scopeLabel}</VisuallyHidden>
      <Icon name="namespace" size={15} />
      <span className={classes.partition} data-default={scope.partition === "default"}>
        <span className={classes.scopeName}>{scope.partition}</span>
        <span className={classes.slash}>/</span>
      </span>
      <span className={classes.scopeName}>{scope.namespace === "*" ? texts.allNamespaces : scope.namespace}</span>
    </>
  );
}

/** Link at the end of the choices, to the screen of the places themselves. */
function Manage({ noun, title, close }: { noun: string; title: string; close: () => void }) {
  const path = useScreens().find(({ screen }) => screen.noun === noun)?.path;
  if (path === undefined) return null;
  return (
    <Link to={path} className={classes.link} onClick={close}>
      {title}
    </Link>
  );
}

function ScopeChoice({ close }: { close: () => void }) {
  const { scope } = usePlaces();
  const navigate = useNavigate();
  const tail = useTail("access", 2);
  const [partition, setPartition] = useState(scope.partition);
  const partitions = useQuery(partitionsQuery(clientOf(undefined)));
  const namespaces = useQuery(namespacesQuery(partition));
  const names = namespaces.data?.map(({ Name }) => Name) ?? [];
  const go = (namespace: string) => {
    close();
    void navigate({ to: inScope({ partition, namespace }, ...tail) });
  };
  return (
    <Stack gap="xs">
      {(partitions.data?.length ?? 0) > 1 && (
        <Group gap={6} role="group" aria-label={texts.partition}>
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
        label={texts.namespace}
        plural={texts.namespaces}
        query={namespaces}
        names={names}
        current={partition === scope.partition ? scope.namespace : undefined}
        choose={go}
        first={{ value: "*", label: texts.allNamespacesChoice }}
      />
      <div className={classes.manage}>
        <Manage noun="namespaces" title={texts.manageNamespaces} close={close} />
        <Manage noun="partitions" title={texts.managePartitions} close={close} />
      </div>
    </Stack>
  );
}

function OrganizationChoice({ close }: { close: () => void }) {
  const { organization } = usePlaces();
  const navigate = useNavigate();
  const tail = useTail("org", 1);
  const organizations = useQuery(organizationsQuery(clientOf(undefined)));
  const names = organizations.data?.map(({ id }) => id) ?? [];
  return (
    <Stack gap="xs">
      <Chooser
        label={texts.organization}
        plural={texts.organizations}
        query={organizations}
        names={names}
        current={organization}
        choose={(name) => {
          close();
          void navigate({ to: inOrganization(name, ...(tail.length === 0 ? ["tags"] : tail)) });
        }}
      />
      <div className={classes.manage}>
        <Manage noun="organizations" title={texts.allOrganizations} close={close} />
      </div>
    </Stack>
  );
}

interface ChooserProps {
  readonly label: string;
  readonly plural: string;
  /** Read of the names: while it runs or when it fails, "none" would be wrong. */
  readonly query: { readonly isPending: boolean; readonly isError: boolean; refetch(): unknown };
  readonly names: readonly string[];
  readonly current: string | undefined;
  choose(name: string): void;
  readonly first?: { readonly value: string; readonly label: string };
}

/** Maximum number of names that the list draws; typing finds the others. */
const MOST = 200;

function Chooser({ label, plural, query, names, current, choose, first }: ChooserProps) {
  const [text, setText] = useState("");
  const found = names.filter((name) => name.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <Stack gap={6}>
      <TextInput
        size="xs"
        aria-label={texts.find(label.toLowerCase())}
        placeholder={texts.find(label.toLowerCase())}
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
        {query.isError && (
          <Text size="xs" p="xs" role="alert">
            {texts.choicesFailed(plural.toLowerCase())}{" "}
            <Anchor component="button" type="button" inherit onClick={() => void query.refetch()}>
              {texts.retry}
            </Anchor>
          </Text>
        )}
        {found.length === 0 && !query.isError && !query.isPending && (
          <Text size="xs" c="dimmed" p="xs">
            {texts.nothingFound}
          </Text>
        )}
        {found.length > MOST && (
          <Text size="xs" c="dimmed" p="xs">
            {texts.moreFound(found.length - MOST)}
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
