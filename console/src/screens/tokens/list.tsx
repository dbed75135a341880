import { ListScreen } from "../../kit/list-screen.tsx";
import { TOKEN_LIST } from "./list-of-tokens.tsx";

/** All tokens of the scope. */
export function TokenList() {
  return <ListScreen list={TOKEN_LIST} />;
}
