/** What stands at the side of every page. A test compares it with what lies in docs/. */

interface Item {
  text: string;
  link: string;
}

/** The order in which one would read. */
export const SIDEBAR: readonly { text: string; collapsed?: boolean; items: Item[] }[] = [
  {
    text: "Tutorials",
    items: [
      { text: "Get started", link: "/guides/start" },
      { text: "Get started with curl", link: "/guides/start-with-curl" },
      { text: "About Tessera", link: "/about" },
    ],
  },
  {
    text: "How-to guides",
    items: [
      { text: "Log in from GitHub Actions", link: "/guides/github-actions" },
      { text: "Log in from Kubernetes", link: "/guides/kubernetes" },
      { text: "Use Terraform", link: "/guides/terraform" },
      { text: "Use the command line", link: "/cli" },
      { text: "Manage access control with Git", link: "/guides/gitops" },
      { text: "Test policies", link: "/guides/policy-tests" },
      { text: "Replay a draft", link: "/guides/replay" },
      { text: "Migrate from Consul", link: "/guides/from-consul" },
      { text: "Migrate from HCP Terraform", link: "/guides/from-hcp-terraform" },
      { text: "Use the console", link: "/console" },
      { text: "Export and import tags", link: "/tags/export" },
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
      { text: "Events and webhooks", link: "/tags/events" },
    ],
  },
  {
    text: "Access control",
    items: [
      { text: "Tokens, policies and roles", link: "/api/access-control" },
      { text: "Token operations", link: "/api/tokens" },
      { text: "Policy language", link: "/rules" },
      { text: "Selector language", link: "/selectors" },
      { text: "Binding rule templates", link: "/templates" },
      { text: "Auth methods and login", link: "/api/login" },
      { text: "Namespaces and partitions", link: "/api/namespaces" },
      { text: "Access checks and explanations", link: "/api/why" },
      { text: "Decision point", link: "/api/decisions" },
      { text: "Use of permissions", link: "/api/use" },
      { text: "Replay API", link: "/api/replay" },
      { text: "Blocking queries and streams", link: "/api/watching" },
      { text: "Audit API", link: "/api/audit" },
      { text: "Session API", link: "/api/sessions" },
    ],
  },
  {
    text: "Reference",
    items: [
      { text: "CLI", link: "/reference/cli" },
      { text: "Options", link: "/reference/options" },
      { text: "Server commands", link: "/reference/commands" },
      { text: "HTTP API", link: "/reference/api" },
      { text: "OpenAPI document", link: "/api/openapi" },
      { text: "Declared files", link: "/declared" },
      { text: "TypeScript client", link: "/client" },
      { text: "Client package", link: "/client-package" },
      { text: "Tested clients", link: "/clients" },
      { text: "Errors", link: "/errors" },
      { text: "Error codes", link: "/reference/errors" },
      { text: "Limits", link: "/limits" },
      { text: "Limits of options and members", link: "/reference/limits" },
      { text: "Metrics", link: "/reference/metrics" },
      { text: "Audit log", link: "/reference/audit-log" },
      { text: "Records of denied requests", link: "/reference/denied-requests" },
      { text: "Glossary", link: "/glossary" },
      { text: "Compatibility and support", link: "/stability" },
    ],
  },
  {
    text: "Operations",
    items: [
      { text: "Install", link: "/operations/install" },
      { text: "Set up the console", link: "/operations/console" },
      { text: "Manage the master key", link: "/operations/keys" },
      { text: "PostgreSQL", link: "/operations/postgresql" },
      { text: "Use Citus", link: "/operations/citus" },
      { text: "High availability", link: "/operations/high-availability" },
      { text: "Processes and threads", link: "/operations/processes" },
      { text: "Scale", link: "/operations/scale" },
      { text: "Rate limits and quotas", link: "/operations/limits" },
      { text: "Monitor", link: "/operations/monitoring" },
      { text: "Operate the audit log", link: "/operations/audit" },
      { text: "Investigate denied requests", link: "/operations/audit-refusals" },
      { text: "Back up and restore", link: "/operations/backup" },
      { text: "Restore to a point in time", link: "/operations/point-in-time" },
      { text: "Move a database", link: "/operations/move" },
      { text: "Recover from storage failures", link: "/operations/damage" },
      { text: "Fix a wrong clock", link: "/operations/clock" },
      { text: "Upgrade", link: "/operations/upgrades" },
      { text: "Security", link: "/security" },
      { text: "Changelog", link: "/changelog" },
    ],
  },
  {
    text: "Explanation",
    items: [
      { text: "Architecture", link: "/architecture" },
      { text: "Performance", link: "/performance" },
      { text: "Fair shares", link: "/fair-shares" },
      { text: "Failover", link: "/operations/failover" },
      { text: "Decisions", link: "/decisions/" },
    ],
  },
  {
    text: "For developers",
    collapsed: true,
    items: [
      { text: "Contributing", link: "/contributing" },
      { text: "Style guide", link: "/style" },
      { text: "Schema migrations", link: "/migrations" },
      { text: "Releasing", link: "/operations/release" },
    ],
  },
];
