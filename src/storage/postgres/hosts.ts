/**
 * URLs of PostgreSQL that name several servers, as libpq has them:
 * `postgres://user@a:5432,b:5432/name?target_session_attrs=read-write`, or with
 * the hosts and ports in the parameters `host` and `port`. The driver knows one.
 */

const ATTRIBUTES = "target_session_attrs";

/**
 * The URLs of the single servers, in their order. `target_session_attrs` is left
 * out: what a connection is for says which server will do.
 */
export function splitHosts(url: string): string[] {
  const { scheme, credentials, hosts, path, parameters } = takeApart(url);
  // Of a parameter given twice nobody knows which one counts.
  const countOf = (name: string) => parameters.filter((text) => text.startsWith(`${name}=`)).length;
  if (countOf("host") > 1 || countOf("port") > 1) return [url];
  const named = valuesOf(parameters, "host");
  const ports = valuesOf(parameters, "port");
  const others = parameters.filter((text) => !/^(?:host|port|target_session_attrs)=/.test(text));
  return Array.from({ length: Math.max(named.length, hosts.length) }, (_, number) => {
    const own = [...others];
    if (named.length > 0) own.push(`host=${encodeURIComponent(named[number] ?? "")}`);
    if (ports.length > 0) own.push(`port=${ports[number] ?? ports[0] ?? ""}`);
    const host = (named.length > 0 ? hosts[0] : hosts[number]) ?? "";
    return `${scheme}${credentials}${host}${path}${own.length > 0 ? `?${own.join("&")}` : ""}`;
  });
}

/** What the URL's `target_session_attrs` say; undefined without. */
export function targetSession(url: string): string | undefined {
  return valuesOf(takeApart(url).parameters, ATTRIBUTES)[0];
}

function takeApart(url: string) {
  const [, scheme = "", credentials = "", hosts = "", rest = ""] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(.*)$/.exec(url) ?? [];
  const at = rest.indexOf("?");
  const path = at === -1 ? rest : rest.slice(0, at);
  // Not through URLSearchParams: it writes a blank as "+", which the driver takes literally.
  const parameters = at === -1 ? [] : rest.slice(at + 1).split("&");
  return { scheme, credentials, hosts: hosts.split(","), path, parameters: parameters.filter((text) => text !== "") };
}

/** The entries of a parameter's list; none without the parameter. */
function valuesOf(parameters: readonly string[], name: string): string[] {
  const found = parameters.find((text) => text.startsWith(`${name}=`));
  if (found === undefined) return [];
  const text = found.slice(name.length + 1);
  try {
    return decodeURIComponent(text).split(",");
  } catch {
    return [text];
  }
}
