import { beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { bearer } from "../../../test/support/login.ts";
import {
  at,
  contentOf,
  idOf,
  KEY,
  KINDS,
  LISTS,
  makeIn,
  makeNamespace,
  makePartition,
  secretIn,
  type Kind,
} from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

const AXES = [
  { what: "namespace", parameter: "ns", header: "x-service-namespace", member: "Namespace" },
  { what: "partition", parameter: "partition", header: "x-service-partition", member: "Partition" },
] as const;

/** Sources of a place, by precedence. Each names a place that has the name of the source. */
const SOURCES = ["body", "query", "header", "token"] as const;
const PLACES = [...SOURCES, "default"] as const;
type Source = (typeof SOURCES)[number];
type Place = (typeof PLACES)[number];

const COMBINATIONS: readonly (readonly Source[])[] = Array.from({ length: 16 }, (_, bits) =>
  SOURCES.filter((_source, i) => (bits & (1 << i)) !== 0),
);

type Ask = (method: "GET" | "PUT" | "PATCH" | "POST" | "DELETE", path: string, body?: object) => Promise<Answer>;
type Ids = Record<Place, string>;

/** Result of an operation in each place. */
interface Outcome {
  /** Answers to the same request for the object of each place. */
  answers?: Record<Place, Answer>;
  /** Places of all objects that were shown, changed, created or deleted. */
  touched: readonly string[];
  /** The answer, where there is only one. */
  answer?: Answer;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  describe.each(AXES)("the $what of", ({ what, parameter, header, member }) => {
    const inPlace = (place: Place) => ({ [what]: place });
    const whole = {} as Record<Kind, Ids>;
    let ownSecret = "";

    beforeAll(async () => {
      for (const place of SOURCES) {
        if (what === "partition") await makePartition(v1, place);
        else await makeNamespace(v1, { namespace: place });
      }
      for (const kind of KINDS) whole[kind] = await makeEverywhere(kind, `here-${what}`);
      if (what === "partition") {
        ownSecret = await secretIn(v1, { partition: "token" }, `acl = "write"`);
      } else {
        // A token of one namespace that may write in all: its namespace's defaults lie in `default`.
        const rules = `namespace_prefix "" { acl = "write" }`;
        const { ID } = await makeIn(v1, {}, "policy", { Name: "everywhere", Rules: rules });
        await makeNamespace(v1, { namespace: "token" }, { ACLs: { PolicyDefaults: [{ ID }] } });
        ownSecret = String((await makeIn(v1, { namespace: "token" }, "token", {})).SecretID);
      }
    });

    /** An object in each place, all of one name, that tells where it lies. */
    async function makeEverywhere(kind: Kind, name: string): Promise<Ids> {
      const ids = {} as Ids;
      for (const place of PLACES) {
        const content = { Name: name, Description: `of ${place}`, ...ofMethod(kind) };
        ids[place] = idOf(await makeIn(v1, inPlace(place), kind, content));
      }
      return ids;
    }
    /** Rules are of the method that there is in each place. */
    const ofMethod = (kind: Kind) => (kind === "binding-rule" ? { AuthMethod: `here-${what}` } : {});

    /** Objects of these IDs as they are stored: where, and what they say. */
    async function stored(kind: Kind, ids: readonly string[]): Promise<{ place: string; description: string }[]> {
      const { sql } = v1.db;
      const rows = await {
        policy: () => sql.selectFrom("policies").selectAll().where("id", "in", ids).execute(),
        role: () => sql.selectFrom("roles").selectAll().where("id", "in", ids).execute(),
        token: () => sql.selectFrom("tokens").selectAll().where("accessor_id", "in", ids).execute(),
        "auth-method": () => sql.selectFrom("auth_methods").selectAll().where("name", "in", ids).execute(),
        "binding-rule": () => sql.selectFrom("binding_rules").selectAll().where("id", "in", ids).execute(),
      }[kind]();
      return rows.map((row) => ({ place: row[what], description: row.description }));
    }

    function asker(sources: readonly Source[]): Ask {
      const has = (source: Source) => sources.includes(source);
      const secret = has("token") ? ownSecret : MANAGEMENT;
      return (method, path, body = {}) =>
        v1.send({
          method,
          url: `/v1${path}${has("query") ? `?${parameter}=query` : ""}`,
          headers: { "x-service-token": secret, ...(has("header") ? { [header]: "header" } : {}) },
          // Also where bodies are not read: there they say nothing.
          payload: JSON.stringify({ ...body, ...(has("body") ? { [member]: "body" } : {}) }),
        });
    }

    async function forAll(
      ids: Ids,
      ask: (id: string) => Promise<Answer>,
    ): Promise<Pick<Outcome, "answers" | "answer">> {
      // Methods are asked for by their name, which is one in all places.
      if (new Set(Object.values(ids)).size === 1) return { answer: await ask(ids.default) };
      const answers = await Promise.all(PLACES.map(async (place) => [place, await ask(ids[place])] as const));
      return { answers: Object.fromEntries(answers) as Record<Place, Answer> };
    }
    const allOf = ({ answers, answer }: Pick<Outcome, "answers" | "answer">): Answer[] => [
      ...Object.values(answers ?? {}),
      ...(answer === undefined ? [] : [answer]),
    ];

    const read = async (kind: Kind, ask: Ask): Promise<Outcome> => {
      const answers = await forAll(whole[kind], (id) => ask("GET", `/acl/${kind}/${id}`));
      return { ...answers, touched: shown(allOf(answers)) };
    };
    const readByName = async (kind: Kind, ask: Ask): Promise<Outcome> => {
      const answer = await ask("GET", `/acl/${kind}/name/HERE-${what}`);
      return { answer, touched: shown([answer]) };
    };
    const list = async (kind: Kind, ask: Ask): Promise<Outcome> => {
      const answer = await ask("GET", `/acl/${LISTS[kind]}`);
      const entries = (answer.body ?? []) as Record<string, string>[];
      const ids = Object.values(whole[kind]);
      expect(entries.filter((entry) => ids.includes(idOf(entry)))).toHaveLength(answer.status === 200 ? 1 : 0);
      return { answer, touched: [...new Set(entries.map((entry) => entry[member] ?? ""))] };
    };
    const change =
      (method: "PUT" | "PATCH") =>
      async (kind: Kind, ask: Ask): Promise<Outcome> => {
        const ids = whole[kind];
        const Description = v1.unique("changed");
        const replaced = contentOf(kind, { Name: `here-${what}`, Description, ...ofMethod(kind) });
        const content = method === "PATCH" ? { Description } : replaced;
        const answers = await forAll(ids, (id) => ask(method, `/acl/${kind}/${id}`, content));
        const rows = await stored(kind, Object.values(ids));
        expect(rows).toHaveLength(PLACES.length);
        return { ...answers, touched: placesOf(rows.filter((row) => row.description === Description)) };
      };
    const create = async (kind: Kind, ask: Ask): Promise<Outcome> => {
      const content = contentOf(kind, { Name: v1.unique("new"), ...ofMethod(kind) });
      const answer = await ask("PUT", `/acl/${kind}`, content);
      const rows = answer.status === 200 ? await stored(kind, [idOf(answer.body)]) : [];
      expect(shown([answer])).toEqual(placesOf(rows));
      return { answer, touched: placesOf(rows) };
    };
    const remove = async (kind: Kind, ask: Ask): Promise<Outcome> => {
      const ids = await makeEverywhere(kind, v1.unique("victim"));
      const answers = await forAll(ids, (id) => ask("DELETE", `/acl/${kind}/${id}`));
      const left = placesOf(await stored(kind, Object.values(ids)));
      return { ...answers, touched: PLACES.filter((place) => !left.includes(place)) };
    };
    const clone = async (_kind: Kind, ask: Ask): Promise<Outcome> => {
      const before = await countTokens();
      const answers = await forAll(whole.token, (id) => ask("PUT", `/acl/token/${id}/clone`));
      const made = allOf(answers).filter(({ status }) => status === 200);
      expect(await countTokens()).toBe(before + made.length);
      const rows = await stored("token", ["", ...made.map(({ body }) => idOf(body))]);
      expect(shown(made)).toEqual(placesOf(rows));
      return { ...answers, touched: placesOf(rows) };
    };
    const logIn = async (_kind: Kind, ask: Ask): Promise<Outcome> => {
      const answer = await ask("POST", "/acl/login", { AuthMethod: `HERE-${what}`, BearerToken: bearer(KEY) });
      expect(answer.body).toMatchObject({ AuthMethod: `here-${what}` });
      const rows = await stored("token", [idOf(answer.body)]);
      return { answer, touched: placesOf(rows) };
    };
    const countTokens = async () => (await v1.db.sql.selectFrom("tokens").select("accessor_id").execute()).length;
    const shown = (answers: readonly Answer[]) =>
      answers.flatMap(({ status, body }) => (status === 200 ? [String(body[member])] : []));

    const replace = change("PUT");
    const patch = change("PATCH");
    const verbs = {
      create,
      read,
      "read by name": readByName,
      replace,
      patch,
      delete: remove,
      list,
      clone,
      "log in by": logIn,
    };
    const only: Partial<Record<keyof typeof verbs, readonly Kind[]>> = {
      clone: ["token"],
      "log in by": ["auth-method"],
      "read by name": ["policy", "role"],
    };
    const reads: readonly string[] = ["read", "read by name", "list", "delete"];
    const cases = KINDS.flatMap((kind) =>
      (Object.keys(verbs) as (keyof typeof verbs)[])
        .filter((verb) => only[verb]?.includes(kind) ?? true)
        .map((verb) => ({ verb, kind })),
    );

    describe.each(cases)("$verb $kind", ({ verb, kind }) => {
      test.each(COMBINATIONS.map((sources) => [sources.join(", ") || "nobody", sources] as const))(
        "is the strongest when it is named by: %s",
        async (_what, named) => {
          // A token that is sent with a login says nothing.
          const sources = verb === "log in by" ? named.filter((source) => source !== "token") : named;
          const takesBody = !reads.includes(verb);
          const chosen = sources.find((source) => source !== "body" || takesBody) ?? "default";
          // Policies of a partition never reach another one.
          const isRefused = what === "partition" && sources.includes("token") && chosen !== "token";
          const { answers, answer, touched } = await verbs[verb](kind, asker(named));
          expect(touched).toEqual(isRefused ? [] : [chosen]);
          const told = answers === undefined ? [[chosen, answer] as const] : Object.entries(answers);
          for (const [place, each] of told) {
            if (isRefused) {
              expect([place, each?.status]).toEqual([place, 403]);
              const where = chosen === "default" ? "'" : `' in partition "${chosen}"`;
              expect(each?.text).toMatch(new RegExp(`lacks permission 'acl:(read|write)${where}$`));
            } else {
              expect([place, each?.status, each?.text]).toEqual([place, place === chosen ? 200 : 404, each?.text]);
            }
          }
        },
      );
    });

    test("is told by the object itself, wherever it is shown", async () => {
      for (const kind of KINDS) {
        for (const place of PLACES) {
          const { body } = await v1.get(at(`/acl/${kind}/${whole[kind][place]}`, inPlace(place)));
          expect(body).toMatchObject({ Namespace: "default", Partition: "default", [member]: place });
        }
      }
    });
  });
});

function placesOf(rows: readonly { place: string }[]): string[] {
  return rows.map(({ place }) => place);
}
