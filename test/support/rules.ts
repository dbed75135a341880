/** Rules of most kinds, some of them about the same names, for tests that draw policies at random. */
export const RULES = [
  'workspace "acme/prod" { policy = "write" }',
  'workspace "acme/prod" { policy = "deny" }',
  'workspace_prefix "acme/" { policy = "read" }',
  'organization "acme" { policy = "write" }',
  'organization_prefix "" { policy = "read" }',
  'key_prefix "a" { policy = "list" }',
  'key "a/b" { policy = "deny" }',
  'key_prefix "a/" { policy = "write" }',
  'namespace "team" { key "a/b" { policy = "read" } acl = "read" }',
  'namespace_prefix "te" { policy = "write" key_prefix "a" { policy = "write" } }',
  'service_prefix "" { policy = "read" intentions = "write" }',
  'service "web" { policy = "write" }',
  'operator = "write"',
  'acl = "read"',
];
