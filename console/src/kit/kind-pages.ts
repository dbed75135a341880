/** The four pages of a kind of objects. */
import type { Page } from "./screen.ts";
import { oneQuery, type Named } from "./kind.ts";
import type { List } from "./list.ts";
import * as texts from "../texts/kit-objects.ts";

interface Views {
  readonly list: Page["view"];
  readonly create: Page["view"];
  readonly object: Page["view"];
  readonly edit: Page["view"];
}

/** Its list, the forms of a new one and of an edit, and the page of one; `key` is in their paths. The list is loaded when it is asked for. */
export function kindPages<T, Row>(named: Named<T>, list: () => Promise<List<Row>>, views: Views): readonly Page[] {
  const { noun, singular, plural } = named;
  const title = singular.charAt(0).toUpperCase() + singular.slice(1);
  const one: NonNullable<Page["load"]> = async ({ place, read, params }) =>
    read(oneQuery(named, place, params["key"] ?? ""));
  return [
    { path: noun, title: plural, view: views.list, load: async ({ readList }) => readList(await list()) },
    {
      path: `${noun}/new`,
      title: texts.newTitle(singular),
      view: views.create,
      load: async ({ place, read, search }) =>
        search["from"] === undefined ? undefined : read(oneQuery(named, place, search["from"])),
    },
    { path: `${noun}/$key`, title, view: views.object, load: one },
    { path: `${noun}/$key/edit`, title: texts.editTitle(singular), view: views.edit, load: one },
  ];
}
