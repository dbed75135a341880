import { ListScreen } from "../../kit/list-screen.tsx";
import { TEMPLATE_LIST } from "./list-of-templates.tsx";

/** All templated policies. */
export function TemplateList() {
  return <ListScreen list={TEMPLATE_LIST} />;
}
