import { ListScreen } from "../../kit/list-screen.tsx";
import { AUTH_METHOD_LIST } from "./list-of-auth-methods.tsx";

/** All auth methods of the scope. */
export function AuthMethodList() {
  return <ListScreen list={AUTH_METHOD_LIST} />;
}
