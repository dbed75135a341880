/** Uses what was generated against a server: named by its types, in both families. */
import { client } from "./client/client.gen.js";
import {
  createOrganization,
  createPolicy,
  createTags,
  deleteOrganization,
  deletePolicy,
  listTags,
} from "./client/sdk.gen.js";

const { TESSERA_ADDRESS: baseUrl = "", TESSERA_TOKEN: token = "" } = process.env;
client.setConfig({ baseUrl, auth: () => token, throwOnError: true });
const organization_name = "typescript";

await createOrganization({
  body: { data: { type: "organizations", attributes: { name: organization_name, email: "a@example.com" } } },
  throwOnError: true,
});
const made = await createTags({
  path: { organization_name },
  body: { data: [{ type: "tags", attributes: { name: "network" } }] },
  throwOnError: true,
});
const [tag] = made.data.data;
if (made.response?.status !== 201 || tag?.attributes.name !== "network") throw new Error("the tag was not made");
const { data: page } = await listTags({ path: { organization_name }, throwOnError: true });
if (page.meta.pagination["total-count"] !== 1) throw new Error("the tag is not listed");
// A body that says nothing, so that the media type is sent.
const gone = await deleteOrganization({ path: { organization_name }, body: {}, throwOnError: true });
if (gone.response?.status !== 204) throw new Error("the organization was not deleted");

const { data: policy } = await createPolicy({
  body: { Name: "typescript", Rules: 'service "web" { policy = "read" }' },
  throwOnError: true,
});
await deletePolicy({ path: { id: policy.ID }, throwOnError: true });

const wrong = await fetch(`${baseUrl}/api/v2/organizations/acme/tags`, {
  method: "POST",
  headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  body: "{}",
});
if (wrong.status !== 415 || !(await wrong.text()).includes("must be application/vnd.api+json"))
  throw new Error("the refusal of another media type does not name the one that is wanted");
