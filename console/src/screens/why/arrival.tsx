/** From the request ID of a refusal to the screen that says why, in the scope where one was last. */
import { Navigate, useSearch } from "@tanstack/react-router";
import { inScope, type Search } from "../../base/address.ts";
import { usePlaces } from "../../kit/places.ts";
import { asLink } from "../../kit/link.tsx";

export function WhyArrival() {
  const { request = "" } = useSearch({ strict: false }) as Search;
  const { scope } = usePlaces();
  return <Navigate {...asLink({ to: inScope(scope, "why"), search: { tab: "request", request } })} replace />;
}
