/** Incident 74: each pair of parameters of a list finds what both say, inherited or not, and counts what the token may see. */
import { expect, it } from "vitest";
import { bindings, tagNames, useApi } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";

/** A workspace as it was made. */
interface Made extends Holder {
  project: string;
  flat: string[];
}

interface Holder {
  id: string;
  name: string;
  /** Keys that apply. */
  effective: Record<string, string>;
}

type Fits<H = Made> = (made: H) => boolean;

const carries =
  (name: string): Fits =>
  ({ flat, effective }) =>
    flat.includes(name) || name in effective;

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  async function fill() {
    const org = await api.organization();
    const all: Made[] = [];
    const ids: Record<string, string> = {};
    for (const [project, keys] of Object.entries({ plain: {}, front: { shelf: "upper", zone: "a" } })) {
      const answer = await api.post(`/organizations/${org}/projects`, {
        data: { type: "projects", attributes: { name: project } },
      });
      const id = (ids[project] = String(answer.body.data.id));
      await api.patch(`/projects/${id}/tag-bindings`, bindings(...Object.entries(keys)));
      for (let i = 0; i < 12; i++) {
        const name = `${i % 3 === 0 ? "spare" : "unit"}-${project}-${i}`;
        const own: Record<string, string> = {
          ...(i % 4 === 0 && { shelf: "lower" }),
          ...(i % 2 === 0 && { level: "2" }),
        };
        const flat = i % 5 === 0 ? ["rare"] : i % 5 === 1 ? ["zone"] : [];
        const made = await api.post(`/organizations/${org}/workspaces`, {
          data: {
            type: "workspaces",
            attributes: { name },
            relationships: {
              project: { data: { type: "projects", id } },
              "tag-bindings": bindings(...Object.entries(own)),
            },
          },
        });
        expect(made.status, made.text).toBe(201);
        if (flat.length > 0) await api.post(`/workspaces/${made.body.data.id}/relationships/tags`, tagNames(...flat));
        all.push({ id: String(made.body.data.id), name, project, flat, effective: { ...keys, ...own } });
      }
    }
    const parameters: [string, Fits][] = [
      ["search[name]=spare", ({ name }) => name.includes("spare")],
      ["search[wildcard-name]=*-front-*", ({ project }) => project === "front"],
      ["search[tags]=shelf", carries("shelf")],
      ["search[tags]=zone,level", (made) => carries("zone")(made) && carries("level")(made)],
      ["search[tags]=rare", carries("rare")],
      ["search[exclude-tags]=shelf", (made) => !carries("shelf")(made)],
      ["search[exclude-tags]=rare,zone", (made) => !carries("rare")(made) && !carries("zone")(made)],
      [`filter[project][id]=${ids["front"]}`, ({ project }) => project === "front"],
      [`filter[id-prefix]=${all[0]?.id.slice(0, 11)}`, (made) => made === all[0]],
      ["filter[tagged][0][key]=level", ({ effective }) => "level" in effective],
      ["filter[tagged]=shelf&filter[tagged][value]=upper", ({ effective }) => effective["shelf"] === "upper"],
      [
        "filter[tagged][0][key]=zone&filter[tagged][1][key]=level&filter[tag-union]=true",
        ({ effective }) => "zone" in effective || "level" in effective,
      ],
    ];
    return { org, all, parameters };
  }

  /** Projects, each with its keys. */
  async function fillProjects() {
    const org = await api.organization();
    const all: Holder[] = [];
    for (let i = 0; i < 12; i++) {
      const name = `${i % 3 === 0 ? "Spare" : "Unit"} ${i}`;
      const keys: Record<string, string> = {
        ...(i % 2 === 0 && { zone: i % 4 === 0 ? "a" : "b" }),
        ...(i % 5 === 0 && { level: "" }),
      };
      const data = {
        type: "projects",
        attributes: { name },
        relationships: { "tag-bindings": bindings(...Object.entries(keys)) },
      };
      const made = await api.post(`/organizations/${org}/projects`, { data });
      expect(made.status, made.text).toBe(201);
      all.push({ id: String(made.body.data.id), name, effective: keys });
    }
    // The one that each organization has.
    const [last] = (await api.get(`/organizations/${org}/projects`)).body.data.slice(-1);
    all.push({ id: last.id, name: last.attributes.name, effective: {} });
    const parameters: [string, Fits<Holder>][] = [
      ["q=spare", ({ name }) => name.includes("Spare")],
      ["filter[names]=Spare 0,unit 2,none", ({ name }) => ["Spare 0", "Unit 2"].includes(name)],
      [`filter[id-prefix]=${all[4]?.id.slice(0, 12)}`, (made) => made === all[4]],
      ["filter[tagged]=zone", ({ effective }) => "zone" in effective],
      ["filter[tagged][0][key]=zone&filter[tagged][0][value]=b", ({ effective }) => effective["zone"] === "b"],
      ["filter[permissions][update]=true", () => true],
      ["filter[permissions][create-workspace]=false", () => false],
      ["sort=-name", () => true],
    ];
    return { org, all, parameters };
  }

  async function walk(path: string, token?: string): Promise<{ names: string[]; totals: number[] }> {
    const names: string[] = [];
    const totals: number[] = [];
    for (let page: number | null = 1; page !== null;) {
      const { status, body, text } = await api.get(`${path}&page[size]=5&page[number]=${page}`, token);
      expect(status, text).toBe(200);
      names.push(...body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name));
      totals.push(body.meta.pagination["total-count"]);
      page = body.meta.pagination["next-page"];
    }
    return { names, totals };
  }

  async function checkPairs<H extends Holder>(
    path: string,
    all: readonly H[],
    parameters: [string, Fits<H>][],
    token?: string,
  ) {
    const nameOf = (parameter: string) => parameter.split("=")[0]?.replace("[0][key]", "") ?? "";
    for (const [first, fitsFirst] of parameters) {
      for (const [second, fitsSecond] of parameters) {
        if (first !== second && nameOf(first) === nameOf(second)) continue;
        const query = first === second ? first : `${first}&${second}`;
        const { names, totals } = await walk(`${path}?${query}`, token);
        const wanted = all.filter((made) => fitsFirst(made) && fitsSecond(made)).map(({ name }) => name);
        expect([query, names.toSorted()]).toEqual([query, wanted.toSorted()]);
        expect([query, [...new Set(totals)]]).toEqual([query, [wanted.length]]);
      }
    }
  }

  it("finds what both say, and the total is that of the rows over all pages", async () => {
    const { org, all, parameters } = await fill();
    await checkPairs(`/organizations/${org}/workspaces`, all, parameters);
  });

  it("finds and counts of that what the token may see", async () => {
    const { org, all, parameters } = await fill();
    const token = api.tokenWith(
      { kind: "organization", segment: org, policy: "read" },
      { kind: "workspace_prefix", segment: `${org}/spare-`, policy: "deny" },
    );
    const seen = all.filter(({ name }) => name.startsWith("unit-"));
    await checkPairs(`/organizations/${org}/workspaces`, seen, parameters, token);
  });

  it("of projects as well", async () => {
    const { org, all, parameters } = await fillProjects();
    await checkPairs(`/organizations/${org}/projects`, all, parameters);
  });
});
