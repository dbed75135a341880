/**
 * The Helm chart: linted by helm, rendered with several values, compared with what was rendered before (`golden/`), and decoded by
 * Kubernetes' own types, strictly. Needs Go, which builds helm and the decoder; kubeconform could be had the same way, but not the schemas
 * that it compares with.
 *
 *     npm run test:chart
 *     npm run test:chart -- --update     writes golden/ anew
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const here = import.meta.dirname;
const chart = resolve(here, "../../../deploy/helm");
const KUBERNETES = ["1.27.0", "1.34.0"];

const TLS = ["tlsSecret=tessera-tls"];
const POSTGRES = [...TLS, "database=postgres", "postgres.urlSecret.name=db", "masterKeySecret.name=tessera-key"];

/** Values by the name of the file that has what is made of them. */
const RENDERED: Readonly<Record<string, readonly string[]>> = {
  "sqlite-behind-proxy": ["options.allow-insecure=true"],
  sqlite: [...TLS, "masterKeySecret.name=tessera-key", "sqlite.storageClass=fast", "environmentSecret=first-token"],
  postgres: POSTGRES,
  "postgres-all": [
    ...POSTGRES,
    "postgres.replicas=3",
    "image.digest=sha256:" + "ab".repeat(32),
    "serviceMonitor.enabled=true",
    "serviceMonitor.labels.release=prometheus",
    "serviceMonitor.tokenSecret.name=scrape",
    "networkPolicy.enabled=true",
    "networkPolicy.from[0].namespaceSelector.matchLabels.team=platform",
    "networkPolicy.egress[0].to[0].ipBlock.cidr=10.0.0.0/8",
    "options.datacenter=dc2",
    "options.audit-retention=90d",
    "topologySpreadConstraints[0].maxSkew=1",
    "topologySpreadConstraints[0].topologyKey=kubernetes.io/hostname",
    "topologySpreadConstraints[0].whenUnsatisfiable=ScheduleAnyway",
  ],
};

/** Values that must not be installed, and a word of the reason. */
const REFUSED: readonly [values: readonly string[], reason: string][] = [
  [[], "tlsSecret is missing"],
  [[...TLS, "database=postgres"], "postgres.urlSecret.name is missing"],
  [[...TLS, "database=postgres", "postgres.urlSecret.name=db"], "masterKeySecret.name is missing"],
  [[...TLS, "database=mysql"], "database"],
  [[...TLS, "options.database=x"], "options"],
  [[...TLS, "image.digest=latest"], "digest"],
  [[...TLS, "replicas=3"], "replicas"],
];

const scratch = mkdtempSync(join(tmpdir(), "tessera-chart-"));
let failures = 0;

function fail(what: string, output: string): void {
  failures += 1;
  console.error(`FAILED ${what}\n${output}`);
}

function run(command: string, args: readonly string[], input?: string) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: here, encoding: "utf8", input });
  return { status, stdout: stdout ?? "", output: `${error?.message ?? ""}${stdout ?? ""}${stderr ?? ""}` };
}

function build(name: string, of: string): string {
  const target = join(scratch, name);
  const { status, output } = run("go", ["build", "-o", target, of]);
  if (status !== 0) throw new Error(`go build ${of} failed: ${output}`);
  return target;
}

const settings = (values: readonly string[]): string[] => values.flatMap((value) => ["--set", value]);

try {
  const helm = build("helm", "helm.sh/helm/v3/cmd/helm");
  const decoder = build("manifests", ".");
  const template = (values: readonly string[], version: string) =>
    run(helm, ["template", "release", chart, "--namespace", "tessera", "--kube-version", version, ...settings(values)]);
  for (const [name, values] of Object.entries(RENDERED)) {
    const linted = run(helm, ["lint", chart, "--strict", "--kube-version", "1.34.0", ...settings(values)]);
    if (linted.status !== 0) fail(`helm lint, ${name}`, linted.output);
    const [oldest, newest] = KUBERNETES.map((version) => template(values, version));
    if (oldest?.status !== 0 || newest?.status !== 0)
      fail(`helm template, ${name}`, `${oldest?.output}${newest?.output}`);
    if (oldest?.stdout !== newest?.stdout) fail(`${name} is another for other versions`, "");
    const decoded = run(decoder, [], newest?.stdout);
    const odd = decoded.stdout
      .split("\n")
      .filter((line) => line.startsWith("unknown") && !line.includes("ServiceMonitor"));
    if (decoded.status !== 0 || odd.length > 0) fail(`the manifests of ${name}`, decoded.output);
    compare(join(here, "golden", `${name}.yaml`), newest?.stdout ?? "");
    console.log(`${name}: ${decoded.stdout.split("\n").filter((line) => line.startsWith("right")).length} manifests`);
  }
  for (const [values, reason] of REFUSED) {
    const { status, output } = template(values, "1.34.0");
    if (status === 0 || !output.includes(reason)) fail(`${values.join(" ")} is not refused for ${reason}`, output);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (failures > 0) process.exitCode = 1;
else console.log("the chart is as it was, and right");

function compare(file: string, rendered: string): void {
  if (process.argv.includes("--update")) {
    mkdirSync(join(here, "golden"), { recursive: true });
    writeFileSync(file, rendered);
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== rendered) {
    const { output } = run("diff", [file, "-"], rendered);
    fail(`${file} is not what is rendered; -- --update writes it anew, and git diff shows what changed`, output);
  }
}
