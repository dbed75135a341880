/** One token. */
import { Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { usePathParameter, usePlace } from "../../base/place.ts";
import { useSession } from "../../base/session.ts";
import { ANONYMOUS } from "../../kit/actor.tsx";
import { useCommands, useWhy } from "../../kit/commands.ts";
import { CopyButton } from "../../kit/copy.tsx";
import { DeleteDialog } from "../../kit/delete-dialog.tsx";
import { OfferedItem, OfferedLink, useOffer } from "../../kit/denied.tsx";
import { Created, Placed } from "../../kit/facts.tsx";
import { History } from "../../kit/history.tsx";
import { nodesText, servicesText, templatesText } from "../../kit/identities.ts";
import { Links } from "../../kit/links.tsx";
import { MoreMenu } from "../../kit/more-menu.tsx";
import { ObjectPending } from "../../kit/object-pending.tsx";
import { Card, Field, Fields, ObjectScreen, WithFacts } from "../../kit/object-screen.tsx";
import type { Plan } from "../../kit/plan.ts";
import { Time } from "../../kit/time.tsx";
import { effectiveTab } from "../effective/tab.tsx";
import { DisableDialog } from "./disable.tsx";
import { LastUse } from "./last-use.tsx";
import { Expiry, TokenMarks } from "./marks.tsx";
import { titleOf, tokenQuery, type Token } from "./queries.ts";
import { RevealDialog } from "./reveal.tsx";
import { RotateDialog } from "./rotate.tsx";
import * as texts from "../../texts/tokens.ts";
import { UseField } from "../unused/mark.tsx";
import { screenNames } from "../../texts/names.ts";

/** The screen of a token. */
export function TokenObject() {
  const place = usePlace();
  const accessor = usePathParameter("accessor");
  const query = useQuery(tokenQuery(place, accessor));
  const token = query.data;
  const up = { to: place.path("tokens"), title: screenNames.tokens.plural };
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
          <CopyButton value={token.AccessorID} what={texts.accessorId} />
        </Group>
      }
      actions={<TokenActions token={token} />}
      tabs={[
        { id: "overview", title: texts.overview, icon: "eye", content: <TokenOverview token={token} /> },
        effectiveTab({ accessor: token.AccessorID }),
        {
          id: "history",
          title: texts.history,
          icon: "history",
          content: <History kind="token" id={token.AccessorID} />,
        },
      ]}
    />
  );
}

/** The first tab of the page. */
export function TokenOverview({ token }: { token: Token }) {
  return (
    <WithFacts
      facts={
        <Card title={texts.detailsTitle}>
          <Fields>
            <Field name={texts.lastUsed} hint={texts.lastUsedHint}>
              <Time value={token.LastUsed} none={texts.never} />
            </Field>
            <Field name={texts.created}>
              <Time value={token.CreateTime} />
            </Field>
            <Created kind="token" id={token.AccessorID} hasTime={false} />
            <Field name={texts.expires}>
              <Expiry token={token} />
            </Field>
            {token.DisabledTime !== undefined && (
              <Field name={texts.disabledAt}>
                <Time value={token.DisabledTime} />
              </Field>
            )}
            <Field name={texts.authMethod}>{token.AuthMethod}</Field>
            <UseField of="token" id={token.AccessorID} />
            <Field name={texts.local}>{token.Local ? texts.yes : ""}</Field>
          </Fields>
          <Placed {...token} />
        </Card>
      }
    >
      <Card title={texts.permissionsTitle}>
        <Fields>
          <Field name={texts.roles}>
            <Links links={token.Roles} noun="roles" />
          </Field>
          <Field name={texts.policies}>
            <Links links={token.Policies} noun="policies" />
          </Field>
          <Field name={texts.services}>{servicesText(token.ServiceIdentities)}</Field>
          <Field name={texts.nodes}>{nodesText(token.NodeIdentities)}</Field>
          <Field name={texts.templates}>{templatesText(token.TemplatedPolicies)}</Field>
        </Fields>
      </Card>
    </WithFacts>
  );
}

function TokenActions({ token }: { token: Token }) {
  const place = usePlace();
  const isOwn = useIsOwn(token);
  const dialogs = { deletion: useDialog(), rotation: useDialog(), disabling: useDialog(), reveal: useDialog() };
  const [rotate, reveal, disable] = [dialogs.rotation.open, dialogs.reveal.open, dialogs.disabling.open];
  const offer = useOffer({ resource: "acl", access: "write" });
  const mayWrite = offer.isKnown && offer.denial === undefined;
  const path = ["tokens", token.AccessorID] as const;
  const isDisabled = token.DisabledTime !== undefined;
  const mayDisable = !isOwn && token.AccessorID !== ANONYMOUS;
  const edit = place.path(...path, "edit");
  const duplicate = `${place.path("tokens", "new")}?from=${token.AccessorID}`;
  const called = texts.calledToken(token.Description === "" ? token.AccessorID.slice(0, 8) : token.Description);
  const why = useWhy(place.scope, texts.checkAccessOf(called), { as: "token", of: token.AccessorID });
  const acts = {
    edit,
    duplicate,
    rotate,
    reveal,
    disable: mayDisable ? disable : undefined,
    remove: dialogs.deletion.open,
  };
  useCommands([...(mayWrite ? writeCommands(called, acts, isDisabled) : []), ...why]);
  if (!offer.isKnown) return null;
  const { denial } = offer;
  return (
    <>
      <OfferedLink offer={offer} to={edit} icon="edit">
        {texts.edit}
      </OfferedLink>
      <OfferedLink offer={offer} to={duplicate} icon="copy" variant="default">
        {texts.duplicate}
      </OfferedLink>
      <MoreMenu>
        <OfferedItem denial={denial} icon="refresh" act={rotate}>
          {texts.rotateSecret}
        </OfferedItem>
        <OfferedItem denial={denial} icon="eye" act={reveal}>
          {texts.revealSecret}
        </OfferedItem>
        {mayDisable && (
          <OfferedItem denial={denial} icon="lock" act={disable}>
            {isDisabled ? texts.enable : texts.disable}
          </OfferedItem>
        )}
        <OfferedItem denial={denial} icon="trash" isDanger act={dialogs.deletion.open}>
          {texts.deleteLabel}
        </OfferedItem>
      </MoreMenu>
      <TokenDialogs token={token} called={called} dialogs={dialogs} />
    </>
  );
}

interface Dialog {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

function useDialog(): Dialog {
  const [isOpen, { open, close }] = useDisclosure(false);
  return { isOpen, open, close };
}

/** Whether the session uses the token. */
function useIsOwn({ AccessorID }: Token): boolean {
  const session = useSession();
  return session?.SignedIn === true && session.Token.AccessorID === AccessorID;
}

interface TokenDialogsProps {
  readonly token: Token;
  /** Name of the token in sentences. */
  readonly called: string;
  readonly dialogs: Readonly<Record<"deletion" | "rotation" | "disabling" | "reveal", Dialog>>;
}

/** The dialogs that the actions of a token open. */
function TokenDialogs({ token, called, dialogs }: TokenDialogsProps) {
  const place = usePlace();
  const isOwn = useIsOwn(token);
  const isByLogin = (token.AuthMethod ?? "") !== "";
  const { deletion, rotation, disabling, reveal } = dialogs;
  const [accessor, title] = [token.AccessorID, titleOf(token)];
  return (
    <>
      <RotateDialog accessor={accessor} title={title} isOpen={rotation.isOpen} close={rotation.close} />
      <DisableDialog token={token} isOpen={disabling.isOpen} close={disabling.close} />
      <RevealDialog accessor={accessor} title={title} isOpen={reveal.isOpen} close={reveal.close} />
      <DeleteDialog
        what={called}
        isOpen={deletion.isOpen}
        close={deletion.close}
        then={place.path("tokens")}
        plan={deletePlan(token)}
        trashed={isByLogin ? undefined : { kind: "token", id: accessor }}
      >
        <Text size="sm">{texts.deleteWarning(isOwn, isByLogin)}</Text>
        {deletion.isOpen && <LastUse token={token} />}
      </DeleteDialog>
    </>
  );
}

/** @param acts paths, and functions that open a dialog; `disable` is undefined where that is not offered */
function writeCommands(
  called: string,
  acts: Readonly<Record<"edit" | "duplicate", string>> &
    Readonly<Record<"rotate" | "reveal" | "remove", () => void>> & { readonly disable: (() => void) | undefined },
  isDisabled: boolean,
) {
  const { disable } = acts;
  const able = (isDisabled ? texts.enableCommand : texts.disableCommand)(called);
  return [
    { title: texts.editCommand(called), icon: "edit", act: acts.edit },
    { title: texts.duplicateCommand(called), icon: "copy", act: acts.duplicate },
    { title: texts.rotateCommand(called), icon: "refresh", act: acts.rotate },
    { title: texts.revealCommand(called), icon: "eye", act: acts.reveal },
    ...(disable === undefined ? [] : [{ title: able, icon: "lock", act: disable } as const]),
    { title: texts.deleteCommand(called), icon: "trash", act: acts.remove },
  ] as const;
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
