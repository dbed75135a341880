import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { startNameServer, type NameServer } from "../../test/support/name-server.ts";
import { createResolve, parseHosts, parseResolverFile, spellingsOf } from "./resolver.ts";

const KNOWN = new Map([
  ["idp.test", "192.0.2.7"],
  ["api.default.svc.cluster.test", "192.0.2.8"],
  ["only4.test", "192.0.2.9"],
]);
const AAAA = 28;

let server: NameServer;
beforeAll(async () => {
  server = await startNameServer(KNOWN, (name, type) => name === "only4.test" && type === AAAA);
});
afterAll(() => server.close());

const never = new AbortController().signal;

function files({ hosts = "", resolver = "" }) {
  const directory = temporaryDirectory();
  const [hostsFile, resolverFile] = [join(directory, "hosts"), join(directory, "resolv.conf")];
  writeFileSync(hostsFile, hosts);
  writeFileSync(resolverFile, resolver);
  return { servers: [server.address], hostsFile, resolverFile };
}

describe("a name", () => {
  test("is looked up at the server, and not found where it is not", async () => {
    const resolve = createResolve(files({}));
    expect(await resolve("idp.test", never)).toEqual([{ address: "192.0.2.7", family: 4 }]);
    await expect(resolve("nobody.test", never)).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  test("of the hosts file is not asked for, also after the file was changed", async () => {
    const options = files({ hosts: "192.0.2.1 idp.test other # a comment\n2001:db8::1 IDP.test\n" });
    const resolve = createResolve(options);
    const asked = server.asked.length;
    expect(await resolve("Idp.Test", never)).toEqual([
      { address: "192.0.2.1", family: 4 },
      { address: "2001:db8::1", family: 6 },
    ]);
    expect(await resolve("other", never)).toHaveLength(1);
    writeFileSync(options.hostsFile, "192.0.2.200 idp.test\n");
    expect(await resolve("idp.test", never)).toEqual([{ address: "192.0.2.200", family: 4 }]);
    expect(server.asked.length).toBe(asked);
  });

  test("that is localhost, or below it, is this machine and asked of nobody", async () => {
    const resolve = createResolve({ ...files({}), hostsFile: "/nowhere" });
    const asked = server.asked.length;
    for (const name of ["localhost", "LOCALHOST", "localhost.", "a.localhost"]) {
      expect((await resolve(name, never)).map(({ address }) => address)).toEqual(["127.0.0.1", "::1"]);
    }
    expect(server.asked.length).toBe(asked);
  });

  test("is completed by the search domains", async () => {
    const resolve = createResolve(files({ resolver: "search svc.cluster.test cluster.test\noptions ndots:5\n" }));
    expect(await resolve("api.default", never)).toEqual([{ address: "192.0.2.8", family: 4 }]);
    expect(await resolve("api.default.svc", never)).toEqual([{ address: "192.0.2.8", family: 4 }]);
    expect(await resolve("idp.test", never)).toEqual([{ address: "192.0.2.7", family: 4 }]);
    await expect(resolve("api.default.", never)).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  test("whose server is silent about IPv6 is found all the same", async () => {
    expect(await createResolve(files({}))("only4.test", never)).toEqual([{ address: "192.0.2.9", family: 4 }]);
  });

  test("incident 45: that is never answered is given up at once when nobody waits any more", async () => {
    const ending = new AbortController();
    const found = createResolve(files({}))("hung.test", ending.signal);
    await expect.poll(() => server.asked).toContain("hung.test");
    ending.abort(new Error("too late"));
    await expect(found).rejects.toThrow();
    await expect(createResolve(files({}))("idp.test", ending.signal)).rejects.toThrow("too late");
  });
});

describe("the files of a system", () => {
  test("are read as others read them", () => {
    expect([...parseHosts("127.0.0.1\tlocalhost a\n#192.0.2.1 b\nnonsense c\n::1 localhost\n").keys()]).toEqual([
      "localhost",
      "a",
    ]);
    const read = parseResolverFile(
      "nameserver 10.0.0.1\ndomain a.test.\nsearch b.test c.test\noptions edns0 ndots:99\n",
    );
    expect(read).toEqual({ domains: ["b.test", "c.test"], dots: 15 });
    expect(parseResolverFile("; empty\n")).toEqual({ domains: [], dots: 1 });
  });

  test("say in which order names are completed", () => {
    const rules = { domains: ["a", "b"], dots: 2 };
    expect(spellingsOf("x", rules)).toEqual(["x.a", "x.b", "x"]);
    expect(spellingsOf("x.y.z", rules)).toEqual(["x.y.z", "x.y.z.a", "x.y.z.b"]);
    expect(spellingsOf("x.", rules)).toEqual(["x"]);
  });
});
