/** Included resources of project documents: the keys and values that apply to them. */
import type { Context } from "../context.ts";
import { readInclude, type QueryParameters } from "../http/query.ts";
import { ownAsEffective } from "../tags/holders/bindings/effective.ts";
import { effectiveRenderer, identifierOf } from "../tags/holders/bindings/render.ts";
import { listBindingsOfProjects } from "../tags/holders/bindings/store.ts";
import { renderProject } from "./render.ts";
import type { Project } from "./store.ts";

/** The resources of projects, with what `include` asks for. @throws AppError `bad_parameter` on another name in it */
export async function renderProjects(
  { db, actor }: Context,
  projects: readonly Project[],
  query: QueryParameters,
): Promise<{ data: object[]; included: object[] | undefined }> {
  if (!readInclude(query, ["effective_tag_bindings"]).has("effective_tag_bindings")) {
    return { data: projects.map((project) => renderProject(actor, project)), included: undefined };
  }
  const ids = projects.map(({ id }) => id);
  const effective = Map.groupBy(await listBindingsOfProjects(db, ids), ({ holder }) => holder);
  const rendered = projects.map((project) => {
    const own = ownAsEffective(effective.get(project.id) ?? []).map(
      effectiveRenderer({ actor }, project.organizationName),
    );
    return { project: renderProject(actor, project, own.map(identifierOf)), own };
  });
  return { data: rendered.map(({ project }) => project), included: rendered.flatMap(({ own }) => own) };
}
