/** One token. */
import { Group, Menu, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { usePathParameter, usePlace } from "../../base/place.ts";
import { useSession } from "../../base/session.ts";
import { useCommands, useWhy } from "../../kit/commands.ts";
import { CopyButton } from "../../kit/copy.tsx";
import { DeleteDialog } from "../../kit/delete-dialog.tsx";
import { History } from "../../kit/history.tsx";
import { Icon } from "../../kit/icons.tsx";
import { nodesText, servicesText, templatesText } from "../../kit/identities.ts";
import { LinkButton } from "../../kit/link.tsx";
import { Links } from "../../kit/links.tsx";
import { MoreMenu } from "../../kit/more-menu.tsx";
import { ObjectPending } from "../../kit/object-pending.tsx";
import { Card, Cards, Field, Fields, ObjectScreen } from "../../kit/object-screen.tsx";
import type { Plan } from "../../kit/plan.ts";
import { useMay } from "../../kit/rights.ts";
import { Time } from "../../kit/time.tsx";
import { Expiry, TokenMarks } from "./marks.tsx";
import { titleOf, tokenQuery, type Token } from "./queries.ts";
import { RevealDialog } from "./reveal.tsx";
import { RotateDialog } from "./rotate.tsx";

/** The screen of a token. */
export function TokenObject() {
  const place = usePlace();
  const accessor = usePathParameter("accessor");
  const query = useQuery(tokenQuery(place, accessor));
  const token = query.data;
  const up = { to: place.path("tokens"), title: "Tokens" };
  if (token === undefined) return <ObjectPending query={query} up={up} />;
  return (
    <ObjectScreen
      title={titleOf(token)}
      query={query}
      up={up}
      marks={<TokenMarks token={token} />}
      about={
        <Group gap={4}>
          <Text span className="mono" size="xs">
            {token.AccessorID}
          </Text>
          <CopyButton value={token.AccessorID} what="the AccessorID" />
        </Group>
      }
      actions={<TokenActions token={token} />}
      tabs={[
        { id: "overview", title: "Overview", icon: "eye", content: <Overview token={token} /> },
        { id: "history", title: "History", icon: "history", content: <History kind="token" id={token.AccessorID} /> },
      ]}
    />
  );
}

function Overview({ token }: { token: Token }) {
  return (
    <Cards>
      <Card title="What it may do">
        <Fields>
          <Field name="Roles">
            <Links links={token.Roles} noun="roles" />
          </Field>
          <Field name="Policies">
            <Links links={token.Policies} noun="policies" />
          </Field>
          <Field name="Services">{servicesText(token.ServiceIdentities)}</Field>
          <Field name="Nodes">{nodesText(token.NodeIdentities)}</Field>
          <Field name="Templates">{templatesText(token.TemplatedPolicies)}</Field>
        </Fields>
      </Card>
      <Card title="About it">
        <Fields>
          <Field name="Last used" hint="The first use on the last day on which it was used">
            <Time value={token.LastUsed} none="never" />
          </Field>
          <Field name="Created">
            <Time value={token.CreateTime} />
          </Field>
          <Field name="Expires">
            <Expiry token={token} />
          </Field>
          <Field name="Auth method">{token.AuthMethod}</Field>
          <Field name="Namespace">{token.Namespace}</Field>
          <Field name="Partition">{token.Partition}</Field>
          <Field name="Local">{token.Local ? "yes" : ""}</Field>
          <Field name="Index" hint="Of its last change">
            {token.ModifyIndex}
          </Field>
        </Fields>
      </Card>
    </Cards>
  );
}

function TokenActions({ token }: { token: Token }) {
  const place = usePlace();
  const session = useSession();
  const [isDeleting, { open, close }] = useDisclosure(false);
  const [isRotating, { open: rotate, close: endRotation }] = useDisclosure(false);
  const [isRevealing, { open: reveal, close: endReveal }] = useDisclosure(false);
  const mayWrite = useMay({ resource: "acl", access: "write" });
  const path = ["tokens", token.AccessorID] as const;
  const isOwn = session?.SignedIn === true && session.Token.AccessorID === token.AccessorID;
  const edit = place.path(...path, "edit");
  const duplicate = `${place.path("tokens", "new")}?from=${token.AccessorID}`;
  const called = `the token ${titleOf(token)}`;
  const why = useWhy(place.scope, `Ask what may be done by ${called}`, { as: "token", of: token.AccessorID });
  const writes = [
    { title: `Edit ${called}`, icon: "edit", act: edit },
    { title: `Duplicate ${called}`, icon: "copy", act: duplicate },
    { title: `Rotate the secret of ${called}`, icon: "refresh", act: rotate },
    { title: `Reveal the secret of ${called}`, icon: "eye", act: reveal },
    { title: `Delete ${called}`, icon: "trash", act: open },
  ] as const;
  useCommands([...(mayWrite ? writes : []), ...why]);
  if (!mayWrite) return null;
  return (
    <>
      <LinkButton to={edit} leftSection={<Icon name="edit" size={14} />}>
        Edit
      </LinkButton>
      <LinkButton to={duplicate} variant="default" leftSection={<Icon name="copy" size={14} />}>
        Duplicate
      </LinkButton>
      <MoreMenu>
        <Menu.Item leftSection={<Icon name="refresh" />} onClick={rotate}>
          Rotate the secret
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="eye" />} onClick={reveal}>
          Reveal the secret
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={open}>
          Delete
        </Menu.Item>
      </MoreMenu>
      <RotateDialog accessor={token.AccessorID} title={titleOf(token)} isOpen={isRotating} close={endRotation} />
      <RevealDialog accessor={token.AccessorID} title={titleOf(token)} isOpen={isRevealing} close={endReveal} />
      <DeleteDialog
        what={called}
        isOpen={isDeleting}
        close={close}
        then={place.path("tokens")}
        plan={deletePlan(token)}
      >
        <Text size="sm">
          {isOwn ? "This is the token that you are signed in with: you are signed out at once. " : ""}
          Whoever calls with it is refused from then on. This cannot be undone.
        </Text>
      </DeleteDialog>
    </>
  );
}

function deletePlan({ AccessorID: accessor, ModifyIndex: index }: Token): Plan {
  const cas = String(index);
  return {
    operation: "deleteToken",
    path: { accessor },
    query: { cas },
    command: ["token", "delete", accessor, "--cas", cas, "--yes"],
  };
}
