import { ListScreen } from "../../kit/list-screen.tsx";
import { BINDING_RULE_LIST } from "./list-of-binding-rules.tsx";

/** All binding rules of the scope. */
export function BindingRuleList() {
  return <ListScreen list={BINDING_RULE_LIST} />;
}
