/** Uses of an object, counted by the server among the objects that the token may read. */
import { Alert, Loader, Stack, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import { placeOf, usePlace, type Place } from "../base/place.ts";
import { scopedKey } from "../base/queries.ts";
import { Icon } from "./icons.tsx";
import { later } from "./later.tsx";
import { A } from "./link.tsx";
import type { NamedLink } from "./links.tsx";
import { Card, Cards } from "./object-screen.tsx";
import { Refusal } from "./refusal.tsx";
import { ObjectSkeleton } from "./skeletons.tsx";
import * as texts from "../texts/kit-objects.ts";

/** Only for the tab: the delete dialog of every object is here too. */
const UsesDrawing = later(async () => (await import("./uses-drawing.tsx")).UsesDrawing);
const NO_LINKS: readonly NamedLink[] = [];

export type UsesOf = "policy" | "role" | "auth-method" | "namespace";
export type UsesAnswer = BodyOf<"listUses">;

const KINDS = [
  { member: "Tokens", noun: "tokens", one: texts.token, many: texts.tokens },
  { member: "Roles", noun: "roles", one: texts.role, many: texts.roles },
  { member: "BindingRules", noun: "binding-rules", one: texts.bindingRule, many: texts.bindingRules },
  { member: "Namespaces", noun: "namespaces", one: texts.namespace, many: texts.namespaces },
] as const;

/** Query for the uses of an object. Its key has no noun of its own: any change in the scope may affect a use. */
export function usesQuery(place: Place, of: UsesOf, id: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "overview", "uses", of, id),
    queryFn: async ({ signal }) => {
      const { body } = await place.client.request<UsesAnswer>("listUses", { query: { [of]: id }, signal });
      return body;
    },
  });
}

interface UsesProps {
  readonly of: UsesOf;
  readonly id: string;
  readonly name: string;
  /** Policies of a role. */
  readonly links?: readonly NamedLink[] | undefined;
}

/** Uses of an object as a drawing and as cards. */
export function Uses({ of, id, name, links = NO_LINKS }: UsesProps) {
  const place = usePlace();
  const query = useQuery(usesQuery(place, of, id));
  if (query.isPending) return <ObjectSkeleton />;
  if (query.isError) return <Refusal error={query.error} retry={() => void query.refetch()} />;
  const uses = query.data;
  const given = KINDS.flatMap((kind) => {
    const found = uses[kind.member];
    return found === undefined || found.Count === 0 ? [] : [{ ...kind, found }];
  });
  const content = contentOf(uses);
  return (
    <Stack gap="md">
      {uses.Hidden === true && <HiddenNote />}
      {given.length === 0 && content.length === 0 && (
        <Text size="sm" c="dimmed">
          {of === "namespace" ? texts.namespaceEmpty : texts.usesNone}
        </Text>
      )}
      {given.length > 0 && of !== "namespace" && <UsesDrawing of={of} id={id} name={name} uses={uses} links={links} />}
      {content.length > 0 && (
        <Card title={texts.contentsTab}>
          <Stack gap={2}>
            {content.map(([noun, count]) => (
              <Text key={noun} size="sm">
                <A to={contentPath(place, id, noun)}>{counted(count, noun)}</A>
              </Text>
            ))}
          </Stack>
        </Card>
      )}
      <Cards>
        {given.map(({ member, noun, one, many, found }) => (
          <Card key={member} title={texts.usesCount(found.Count, found.More === true, one, many)}>
            <Stack gap={2} component="ul" m={0} p={0} style={{ listStyle: "none" }}>
              {found.First.map(({ ID, Name, Namespace, Partition }) => (
                <Text key={`${Namespace ?? ""} ${ID}`} size="sm" component="li" truncate>
                  <A to={pathOf(place, { Namespace, Partition }, noun, ID)}>{Name ?? ID}</A>
                  {Namespace !== undefined && Namespace !== place.scope.namespace && (
                    <Text span c="dimmed" size="xs">
                      {texts.usesIn(Namespace)}
                    </Text>
                  )}
                </Text>
              ))}
            </Stack>
            {found.Count > found.First.length && (
              <Text size="xs" c="dimmed" mt={6}>
                {texts.usesFirst(found.First.length)}
              </Text>
            )}
          </Card>
        ))}
      </Cards>
    </Stack>
  );
}

/** Uses of an object in a sentence, for the delete dialog. */
export function UsesNote({ of, id }: { of: UsesOf; id: string }) {
  const place = usePlace();
  const query = useQuery(usesQuery(place, of, id));
  if (query.isPending) return <Loader size="xs" role="img" aria-label={texts.usesLoading} />;
  if (query.isError) {
    return (
      <Alert color="yellow" variant="outline" py={6}>
        {texts.usesUnknown}
      </Alert>
    );
  }
  const uses = query.data;
  const through = uses.ThroughRoles?.Count ?? 0;
  const parts = [
    ...KINDS.flatMap(({ member, one, many }) => {
      const found = uses[member];
      if (found === undefined || found.Count === 0) return [];
      return [texts.usesCount(found.Count, found.More === true, one, many)];
    }),
    ...contentOf(uses).map(([noun, count]) => counted(count, noun)),
  ];
  const isNamespace = of === "namespace";
  return (
    <Stack gap="xs">
      {parts.length === 0 ? (
        <Text size="sm">{isNamespace ? texts.namespaceEmpty : texts.usesNone}</Text>
      ) : (
        <Alert color="red" variant="outline" py={8} icon={<Icon name="alert" />}>
          {isNamespace ? texts.namespaceLoss : LOSS[of]}
          <b>{texts.usesList(parts)}</b>
          {through > 0 && texts.usesThroughToo(through, uses.ThroughRoles?.More === true)}.
        </Alert>
      )}
      {uses.Hidden === true && <HiddenNote />}
    </Stack>
  );
}

const LOSS = {
  policy: texts.permissionLoss,
  role: texts.permissionLoss,
  "auth-method": texts.authMethodLoss,
} as const;

function HiddenNote() {
  return (
    <Text size="xs" c="dimmed">
      <Icon name="lock" size={13} /> {texts.usesHidden}
    </Text>
  );
}

function contentOf({ Content = {} }: UsesAnswer): readonly (readonly [string, number])[] {
  return Object.entries(Content)
    .filter(([, count]) => count > 0)
    .map(([table, count]) => [table.replaceAll("_", "-"), count]);
}

/** Returns a text such as `1 auth method` or `2 policies`. */
function counted(count: number, noun: string): string {
  const many = noun.replaceAll("-", " ");
  return texts.usesCount(count, false, many.replace(/ies$/, "y").replace(/s$/, ""), many);
}

function contentPath(place: Place, namespace: string, noun: string): string {
  const inside = placeOf({ partition: place.scope.partition, namespace });
  const known = KINDS.some((kind) => kind.noun === noun) || ["policies", "auth-methods"].includes(noun);
  return known ? inside.path(noun) : place.path("namespaces", namespace);
}

function pathOf(
  place: Place,
  { Namespace, Partition }: { Namespace: string | undefined; Partition: string | undefined },
  noun: string,
  id: string,
): string {
  if (Namespace === undefined || noun === "namespaces") return place.path(noun, id);
  return placeOf({ partition: Partition ?? place.scope.partition, namespace: Namespace }).path(noun, id);
}
