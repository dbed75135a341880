/** What stands at the side of every page. A test compares it with what lies in docs/. */

interface Item {
  text: string;
  link: string;
}

/** The order in which one would read. */
export const SIDEBAR: readonly { text: string; collapsed?: boolean; items: Item[] }[] = [
  {
    text: "Guides",
    items: [
      { text: "Start in five minutes", link: "/guides/start" },
      { text: "What it is", link: "/about" },
      { text: "Login of CI: GitHub Actions", link: "/guides/github-actions" },
      { text: "Kubernetes", link: "/guides/kubernetes" },
      { text: "Terraform", link: "/guides/terraform" },
      { text: "From a repository (GitOps)", link: "/guides/gitops" },
      { text: "Moving from Consul", link: "/guides/from-consul" },
      { text: "Moving from HCP Terraform", link: "/guides/from-hcp-terraform" },
    ],
  },
  {
    text: "Organization tags",
    items: [
      { text: "Organizations", link: "/api/organizations" },
      { text: "Workspaces", link: "/api/workspaces" },
      { text: "Tags", link: "/api/tags" },
      { text: "Search the tag list", link: "/tags/pool" },
      { text: "Tag policy", link: "/tags/rules" },
      { text: "Bulk jobs", link: "/tags/jobs" },
      { text: "Export and import", link: "/tags/export" },
      { text: "Events and webhooks", link: "/tags/events" },
    ],
  },
  {
    text: "Access control",
    items: [
      { text: "Tokens, policies and roles", link: "/api/access-control" },
      { text: "Policy language", link: "/rules" },
      { text: "Selector language", link: "/selectors" },
      { text: "Binding rule templates", link: "/templates" },
      { text: "Auth methods and login", link: "/api/login" },
      { text: "Namespaces and partitions", link: "/api/namespaces" },
      { text: "Access checks and explanations", link: "/api/why" },
      { text: "Decision point", link: "/api/decisions" },
      { text: "Blocking queries and streams", link: "/api/watching" },
      { text: "Audit API", link: "/api/audit" },
    ],
  },
  {
    text: "Tools",
    items: [
      { text: "Web console", link: "/console" },
      { text: "The command line", link: "/cli" },
      { text: "Declared files", link: "/declared" },
      { text: "TypeScript client", link: "/client" },
      { text: "Clients of others", link: "/clients" },
      { text: "Its package", link: "/client-package" },
    ],
  },
  {
    text: "Reference",
    items: [
      { text: "Options", link: "/reference/options" },
      { text: "Commands", link: "/cli#global-options" },
      { text: "Commands beside a database", link: "/reference/commands" },
      { text: "API", link: "/reference/api" },
      { text: "OpenAPI document", link: "/api/openapi" },
      { text: "Errors", link: "/errors" },
      { text: "Error codes", link: "/reference/errors" },
      { text: "Limits", link: "/limits" },
      { text: "Bounds of options and members", link: "/reference/limits" },
      { text: "Metrics", link: "/reference/metrics" },
      { text: "Glossary", link: "/glossary" },
      { text: "What stays as it is", link: "/stability" },
    ],
  },
  {
    text: "Operations",
    items: [
      { text: "Installing", link: "/operations/install" },
      { text: "Keys", link: "/operations/keys" },
      { text: "PostgreSQL", link: "/operations/postgresql" },
      { text: "High availability", link: "/operations/high-availability" },
      { text: "Processes and threads", link: "/operations/processes" },
      { text: "Scale", link: "/operations/scale" },
      { text: "Limits per caller", link: "/operations/limits" },
      { text: "Watching it run", link: "/operations/monitoring" },
      { text: "Audit", link: "/operations/audit" },
      { text: "Records of refusals", link: "/operations/audit-refusals" },
      { text: "Backup and restore", link: "/operations/backup" },
      { text: "Damage and loss", link: "/operations/damage" },
      { text: "Upgrades", link: "/operations/upgrades" },
      { text: "Performance", link: "/performance" },
      { text: "Security", link: "/security" },
      { text: "Changelog", link: "/changelog" },
    ],
  },
  {
    text: "For developers",
    collapsed: true,
    items: [
      { text: "Contributing", link: "/contributing" },
      { text: "Architecture", link: "/architecture" },
      { text: "Style guide", link: "/style" },
      { text: "Decisions", link: "/decisions/" },
      { text: "Releasing", link: "/operations/release" },
    ],
  },
];
