import { createClient } from "@tessera-server/client";

const tessera = createClient({
  address: process.env.TESSERA_ADDR ?? "http://127.0.0.1:8500",
  token: process.env.TESSERA_TOKEN,
});

await tessera.organizations.create({
  body: { data: { type: "organizations", attributes: { name: "acme", email: "ops@acme.example" } } },
});
await tessera.tags.create({
  organization: "acme",
  body: { data: [{ type: "tags", attributes: { name: "production" } }] },
});
for await (const tag of tessera.tags.list({ organization: "acme" }).items()) {
  console.log(tag.attributes.name);
}
