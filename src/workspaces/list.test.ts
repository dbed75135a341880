import { describe, expect, it } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { useApi, type Api } from "../../test/support/api.ts";

function namesOf(answer: { body: { data: { attributes: { name: string } }[] } }): string[] {
  return answer.body.data.map((workspace) => workspace.attributes.name);
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  describe("the list of workspaces", () => {
    async function sample(): Promise<string> {
      const org = await api.organization();
      await api.workspace(org, "hashi-prod", ["foo", "tagtest"]);
      await api.workspace(org, "Hashi_dev", ["bar"]);
      await api.workspace(org, "prod-other", ["foo", "bar"]);
      return org;
    }

    it("searches by name, wildcard, tags, excluded tags and project, all together", async () => {
      const org = await sample();
      const list = async (query: string) => namesOf(await api.get(`/organizations/${org}/workspaces?${query}`));
      expect(await list("")).toEqual(["hashi-prod", "Hashi_dev", "prod-other"]);
      expect(await list("sort=-name")).toEqual(["prod-other", "Hashi_dev", "hashi-prod"]);
      expect(await list("sort=latest-change-at")).toEqual(["hashi-prod", "Hashi_dev", "prod-other"]);
      expect(await list("search[name]=HASHI")).toEqual(["hashi-prod", "Hashi_dev"]);
      expect(await list("search[name]=_")).toEqual(["Hashi_dev"]);
      expect(await list("search[wildcard-name]=*-prod")).toEqual(["hashi-prod"]);
      expect(await list("search[wildcard-name]=prod*")).toEqual(["prod-other"]);
      expect(await list("search[wildcard-name]=*prod*")).toEqual(["hashi-prod", "prod-other"]);
      expect(await list("search[wildcard-name]=hashi-prod")).toEqual(["hashi-prod"]);
      expect(await list("search[wildcard-name]=hashi?prod")).toEqual([]);
      expect(await list("search[wildcard-name]=*_*")).toEqual(["Hashi_dev"]);
      expect(await list("search[tags]=foo")).toEqual(["hashi-prod", "prod-other"]);
      expect(await list("search[tags]=FOO&sort=-name")).toEqual(["prod-other", "hashi-prod"]);
      expect(await list("search[tags]=foo,bar")).toEqual(["prod-other"]);
      expect(await list("search[tags]=foo,unknown")).toEqual([]);
      expect(await list("search[exclude-tags]=foo")).toEqual(["Hashi_dev"]);
      expect(await list("search[exclude_tags]=foo,unknown")).toEqual(["Hashi_dev"]);
      expect(await list("search[tags]=foo&search[exclude-tags]=foo")).toEqual([]);
      expect(await list("search[tags]=foo&search[name]=prod&search[exclude-tags]=bar")).toEqual(["hashi-prod"]);
      expect(await list("filter[tagged][0][key]=a")).toEqual([]);
      expect(await list("filter[current-run][status]=applied")).toEqual([]);
      expect(await list("page[number]=999&page[size]=100")).toEqual([]);
      expect(await list("filter[project][id]=prj-none")).toEqual([]);
      const counted = await api.get(`/organizations/${org}/workspaces?search[tags]=foo&page[size]=1&page[number]=2`);
      expect(namesOf(counted)).toEqual(["prod-other"]);
      expect(counted.body.meta.pagination["total-count"]).toBe(2);
      const many = Array.from({ length: 101 }, (_, i) => `t${i}`).join(",");
      for (const parameter of ["search[tags]", "search[exclude-tags]"]) {
        expect((await api.get(`/organizations/${org}/workspaces?${parameter}=${many}`)).status).toBe(400);
      }
      const include = await api.get(`/organizations/${org}/workspaces?include=no_such_thing`);
      expect(include.status).toBe(400);
      expect(include.text).toContain("include parameter");
      // All that published clients have names for beside a workspace and is not served here, and what lies below.
      const { id } = (await api.get(`/organizations/${org}/workspaces`)).body.data[0];
      for (const name of [
        "agent_pool",
        "current_assessment_result",
        "current_configuration_version.ingress_attributes",
        "current_run,current_run.plan",
        "current_run.configuration_version.ingress_attributes",
        "current-state-version",
        "outputs",
        "readme",
        "current_run.apply",
        "current-run.configuration-version.ingress-attributes",
        "current_state_version.resources_processed",
        "current_state_version.outputs,latest_run,readme,vars",
        "no_code_module_version,ssh_key",
      ]) {
        for (const path of [`/workspaces/${id}`, `/organizations/${org}/workspaces`])
          expect(await api.get(`${path}?include=${name}`), name).toMatchObject({ status: 200, body: { included: [] } });
      }
    });

    it("holds and counts what the token may see: exact before longest prefix before the organization", async () => {
      const org = await api.organization();
      for (const name of ["a", "prod-db", "prod-web", "prod-web-2", "zed"]) await api.workspace(org, name);
      const list = async (...rules: Parameters<Api["tokenWith"]>) => {
        const answer = await api.get(`/organizations/${org}/workspaces`, api.tokenWith(...rules));
        if (answer.status === 404) return 404;
        expect(answer.body.meta.pagination["total-count"]).toBe(answer.body.data.length);
        return namesOf(answer).join(" ");
      };
      const read = { kind: "organization", segment: org, policy: "read" } as const;
      const prefix = (segment: string, policy: "read" | "write" | "deny") =>
        ({ kind: "workspace_prefix", segment: `${org}/${segment}`, policy }) as const;
      const exact = (segment: string, policy: "read" | "write" | "deny") =>
        ({ kind: "workspace", segment: `${org}/${segment}`, policy }) as const;
      expect(await list(read)).toBe("a prod-db prod-web prod-web-2 zed");
      expect(await list(read, prefix("PROD", "deny"))).toBe("a zed");
      expect(await list(read, prefix("prod", "deny"), prefix("prod-web", "read"))).toBe("a prod-web prod-web-2 zed");
      expect(await list(read, prefix("prod", "deny"), exact("prod-db", "read"))).toBe("a prod-db zed");
      expect(await list(prefix("prod", "write"), exact("prod-web", "deny"))).toBe("prod-db prod-web-2");
      expect(await list(exact("zed", "read"))).toBe("zed");
      expect(await list(exact("missing", "read"))).toBe(404);
      expect(await list({ kind: "organization_prefix", segment: "", policy: "read" }, prefix("", "deny"))).toBe("");
      expect(await list()).toBe(404);
      const many = Array.from({ length: 300 }, (_, i) => prefix(`none-${i}`, "read"));
      expect(await list(...many, prefix("prod-w", "read"))).toBe("prod-web prod-web-2");
    });
  });
});
