/** Parts of a list that a saved view keeps, and the address that it leads to. */
import { expect, it } from "vitest";
import { isAsViewed, searchOf, stateOf } from "../../console/src/kit/view-state.ts";
import { severalNames } from "../../console/src/kit/filter.ts";

const LIST = {
  filters: [
    { name: "policy", title: "Policy" },
    { name: "tags", title: "Tags", several: severalNames("tags") },
  ],
};
const SEARCH = { q: "web", policy: "p", sort: "-Name", columns: "name,id", to: "m", other: "x", tags: "" };
const STATE = { Query: { policy: "p", q: "web" }, Sort: "-Name", Columns: ["name", "id"], Density: "compact" };

it("keeps search, filters, order, columns and density, and nothing else of the address", () => {
  expect(stateOf(LIST, SEARCH, "name,id", "compact")).toEqual(STATE);
  expect(stateOf(LIST, {}, "", "comfortable")).toEqual({ Query: {}, Sort: "", Columns: [], Density: "comfortable" });
});

it("replaces all that the address has of these, and takes over no other parameter", () => {
  const view = { ...STATE, Query: { tags: "a,b", columns: "secret", other: "y" } };
  expect(searchOf(LIST, view, SEARCH)).toEqual({
    q: "",
    policy: "",
    tags: "a,b",
    sort: "-Name",
    columns: "name,id",
    to: "",
  });
});

it("is shown while the list is as it was saved, in any density where the view has none", () => {
  const view = { ...STATE, Query: { q: "web", policy: "p" } };
  expect(isAsViewed(LIST, view, stateOf(LIST, SEARCH, "name,id", "compact"))).toBe(true);
  expect(isAsViewed(LIST, view, stateOf(LIST, SEARCH, "name,id", "comfortable"))).toBe(false);
  expect(isAsViewed(LIST, { ...view, Density: "" }, stateOf(LIST, SEARCH, "name,id", "comfortable"))).toBe(true);
  expect(isAsViewed(LIST, view, stateOf(LIST, { ...SEARCH, sort: "" }, "name,id", "compact"))).toBe(false);
  expect(isAsViewed(LIST, view, stateOf(LIST, { ...SEARCH, q: "" }, "name,id", "compact"))).toBe(false);
});
