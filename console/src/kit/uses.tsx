/** Uses of an object, counted by the server among the objects that the token may read. */
import { Alert, Loader, Stack, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import { placeOf, usePlace, type Place } from "../base/place.ts";
import { scopedKey } from "../base/queries.ts";
import { Icon } from "./icons.tsx";
import { A } from "./link.tsx";
import { Card, Cards } from "./object-screen.tsx";
import { Refusal } from "./refusal.tsx";
import { ObjectSkeleton } from "./skeletons.tsx";

export type UsesOf = "policy" | "role" | "auth-method" | "namespace";
type Answer = BodyOf<"listUses">;

const KINDS = [
  { member: "Tokens", noun: "tokens", one: "token", many: "tokens" },
  { member: "Roles", noun: "roles", one: "role", many: "roles" },
  { member: "BindingRules", noun: "binding-rules", one: "binding rule", many: "binding rules" },
  { member: "Namespaces", noun: "namespaces", one: "namespace", many: "namespaces" },
] as const;

/** Query for the uses of an object. Its key has no noun of its own: any change in the scope may affect a use. */
export function usesQuery(place: Place, of: UsesOf, id: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "overview", "uses", of, id),
    queryFn: async ({ signal }) => {
      const { body } = await place.client.request<Answer>("listUses", { query: { [of]: id }, signal });
      return body;
    },
  });
}

/** Uses of an object as cards. */
export function Uses({ of, id }: { of: UsesOf; id: string }) {
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
          {of === "namespace" ? "Nothing lies in it." : "Nothing that you may see uses it."}
        </Text>
      )}
      {content.length > 0 && (
        <Card title="What lies in it">
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
          <Card
            key={member}
            title={`${found.Count.toLocaleString()}${found.More === true ? "+" : ""} ${found.Count === 1 ? one : many}`}
          >
            <Stack gap={2} component="ul" m={0} p={0} style={{ listStyle: "none" }}>
              {found.First.map(({ ID, Name, Namespace, Partition }) => (
                <Text key={`${Namespace ?? ""} ${ID}`} size="sm" component="li" truncate>
                  <A to={pathOf(place, { Namespace, Partition }, noun, ID)}>{Name ?? ID}</A>
                  {Namespace !== undefined && Namespace !== place.scope.namespace && (
                    <Text span c="dimmed" size="xs">
                      {" "}
                      in {Namespace}
                    </Text>
                  )}
                </Text>
              ))}
            </Stack>
            {found.Count > found.First.length && (
              <Text size="xs" c="dimmed" mt={6}>
                The first {found.First.length} are shown.
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
  if (query.isPending) return <Loader size="xs" role="img" aria-label="Looking for what uses it" />;
  if (query.isError) {
    return (
      <Alert color="yellow" variant="outline" py={6}>
        It is not known what uses it: asking failed.
      </Alert>
    );
  }
  const uses = query.data;
  const parts = [
    ...KINDS.flatMap(({ member, one, many }) => {
      const found = uses[member];
      if (found === undefined || found.Count === 0) return [];
      return [`${found.Count.toLocaleString()}${found.More === true ? "+" : ""} ${found.Count === 1 ? one : many}`];
    }),
    ...contentOf(uses).map(([noun, count]) => counted(count, noun)),
  ];
  const isNamespace = of === "namespace";
  return (
    <Stack gap="xs">
      {parts.length === 0 ? (
        <Text size="sm">{isNamespace ? "It is empty." : "Nothing that you may see uses it."}</Text>
      ) : (
        <Alert color="red" variant="outline" py={8} icon={<Icon name="alert" />}>
          {isNamespace ? "With it goes all that lies in it: " : LOSS[of]}
          <b>{inWords(parts)}</b>.
        </Alert>
      )}
      {uses.Hidden === true && <HiddenNote />}
      <Text size="sm">This cannot be undone.</Text>
    </Stack>
  );
}

/** Joins parts to a text such as `5 tokens, 2 roles and 1 binding rule`. */
function inWords(parts: readonly string[]): string {
  return [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter((part) => part !== "").join(" and ");
}

const LOSS = {
  policy: "What it allows is lost at once by ",
  role: "What it allows is lost at once by ",
  "auth-method": "Nobody logs in by it any more, and with it go ",
} as const;

function HiddenNote() {
  return (
    <Text size="xs" c="dimmed">
      <Icon name="lock" size={13} /> There is more, which your token may not see.
    </Text>
  );
}

function contentOf({ Content = {} }: Answer): readonly (readonly [string, number])[] {
  return Object.entries(Content)
    .filter(([, count]) => count > 0)
    .map(([table, count]) => [table.replaceAll("_", "-"), count]);
}

/** Returns a text such as `1 auth method` or `2 policies`. */
function counted(count: number, noun: string): string {
  const many = noun.replaceAll("-", " ");
  return `${count.toLocaleString()} ${count === 1 ? many.replace(/ies$/, "y").replace(/s$/, "") : many}`;
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
