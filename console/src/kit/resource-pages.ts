/** The four pages of a kind of objects of an organization. */
import type { Page } from "./screen.ts";
import type { List } from "./list.ts";
import { resourceQuery, type NamedResource, type ResourceRow } from "./resource.ts";
import * as texts from "../texts/kit-objects.ts";

interface Views {
  readonly list: Page["view"];
  readonly create: Page["view"];
  readonly object: Page["view"];
  readonly edit: Page["view"];
}

/** Its list, the forms of a new one and of an edit, and the page of one; `key` is in their paths. The list is loaded when it is asked for. */
export function resourcePages<Row extends ResourceRow>(
  named: NamedResource<Row>,
  list: () => Promise<List<Row>>,
  views: Views,
  more?: NonNullable<Page["load"]>,
): readonly Page[] {
  const { noun, singular, plural } = named;
  const title = singular.charAt(0).toUpperCase() + singular.slice(1);
  const one: NonNullable<Page["load"]> = async ({ place, read, params }) =>
    read(resourceQuery(named, place, params["key"] ?? ""));
  return [
    { path: noun, title: plural, view: views.list, load: async ({ readList }) => readList(await list()) },
    { path: `${noun}/new`, title: texts.newTitle(singular), view: views.create },
    {
      path: `${noun}/$key`,
      title,
      view: views.object,
      load: async (loading) => Promise.all([one(loading), more?.(loading)]),
    },
    { path: `${noun}/$key/edit`, title: texts.editTitle(singular), view: views.edit, load: one },
  ];
}
