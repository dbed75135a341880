import { BlockList } from "node:net";
import { describe, expect, test } from "vitest";
import { randomOfRun } from "../../test/support/seeded.ts";
import { parseAddress, covers, parseCidr } from "./cidr.ts";
import { refuseAddress } from "./reach.ts";

const random = randomOfRun();

const NOBODY = { allow: [], mayUsePrivate: false };
const PRIVATE = { allow: [], mayUsePrivate: true };
const EVERYWHERE = { allow: ["0.0.0.0/0", "::/0"].map(parseCidr), mayUsePrivate: true };
const ALLOW = "; allow it with --outbound-allow";

describe("an address", () => {
  test.each([
    "1.1.1.1",
    "93.184.215.14",
    "172.15.255.255",
    "172.32.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "192.167.255.255",
    "169.253.255.255",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450::1",
    "::ffff:1.1.1.1",
    "::FFFF:101:101",
    "64:ff9b::101:101",
  ])("that is public is open to all: %s", (address) => {
    expect(refuseAddress(address, NOBODY)).toBeUndefined();
  });

  test.each<[address: string, name: string]>([
    ["10.0.0.1", "a private address"],
    ["10.255.255.255", "a private address"],
    ["172.16.0.1", "a private address"],
    ["172.31.255.255", "a private address"],
    ["192.168.1.1", "a private address"],
    ["100.64.0.1", "a shared address"],
    ["100.127.255.255", "a shared address"],
    ["192.0.0.1", "a reserved address"],
    ["192.0.2.1", "an address of documentation"],
    ["198.51.100.1", "an address of documentation"],
    ["203.0.113.1", "an address of documentation"],
    ["198.18.0.1", "an address of benchmarks"],
    ["198.19.255.255", "an address of benchmarks"],
    ["192.88.99.1", "a relay's address"],
    ["240.0.0.1", "a reserved address"],
    ["255.255.255.254", "a reserved address"],
    ["fc00::1", "a private address"],
    ["fdff::1", "a private address"],
    ["fec0::1", "a private address"],
    ["100::1", "a reserved address"],
    ["4000::1", "a reserved address"],
    ["5f00::1", "a reserved address"],
    ["2001:2::1", "a reserved address"],
    ["2001:db8::1", "an address of documentation"],
    ["3fff::1", "an address of documentation"],
    ["64:ff9b:1::101:101", "a private address"],
    ["2002:101:101::1", "a relay's address"],
    ["::ffff:10.0.0.1", "a private address"],
    ["::ffff:0a00:1", "a private address"],
    ["64:ff9b::10.0.0.1", "an address that maps to a private address"],
  ])("that is private is open to who may use those: %s", (address, name) => {
    expect(refuseAddress(address, NOBODY)).toBe(name + ALLOW);
    expect(refuseAddress(address, PRIVATE)).toBeUndefined();
    expect(refuseAddress(address, { ...EVERYWHERE, mayUsePrivate: false })).toBeUndefined();
  });

  test.each<[address: string, name: string]>([
    ["127.0.0.1", "a loopback address"],
    ["127.255.255.255", "a loopback address"],
    ["::1", "a loopback address"],
    ["0:0:0:0:0:0:0:1", "a loopback address"],
    ["::ffff:127.0.0.1", "a loopback address"],
    ["::ffff:7f00:1", "a loopback address"],
    ["::127.0.0.1", "an address that maps to a loopback address"],
    ["::ffff:0:127.0.0.1", "an address that maps to a loopback address"],
    ["64:ff9b::127.0.0.1", "an address that maps to a loopback address"],
    ["64:ff9b:1::127.0.0.1", "an address that maps to a loopback address"],
    ["2002:7f00:1::", "an address that maps to a loopback address"],
    ["2001:0:7f00:1::1", "an address that maps to a loopback address"],
    ["2001:0:101:101::80ff:fffe", "an address that maps to a loopback address"],
  ])("that is the machine's own is open only where it is allowed: %s", (address, name) => {
    expect(refuseAddress(address, PRIVATE)).toBe(name + ALLOW);
    expect(refuseAddress(address, EVERYWHERE)).toBeUndefined();
  });

  test.each<[address: string, name: string]>([
    ["169.254.169.254", "a cloud's metadata address"],
    ["100.100.100.200", "a cloud's metadata address"],
    ["192.0.0.192", "a cloud's metadata address"],
    ["168.63.129.16", "a cloud's metadata address"],
    ["fd00:ec2::254", "a cloud's metadata address"],
    ["fd00:ec2:0:0:0:0:0:254", "a cloud's metadata address"],
    ["::ffff:169.254.169.254", "a cloud's metadata address"],
    ["::ffff:a9fe:a9fe", "a cloud's metadata address"],
    ["64:ff9b::a9fe:a9fe", "an address that maps to a cloud's metadata address"],
    ["2002:a9fe:a9fe::1", "an address that maps to a cloud's metadata address"],
    ["2001:0:a9fe:a9fe::1", "an address that maps to a cloud's metadata address"],
    ["2001:0:101:101::5601:5601", "an address that maps to a cloud's metadata address"],
    ["169.254.0.1", "a link-local address"],
    ["fe80::1", "a link-local address"],
    ["fe80::1%eth0", "a link-local address"],
    ["febf::1", "a link-local address"],
    ["0.0.0.0", "an unspecified address"],
    ["0.255.0.1", "an unspecified address"],
    ["::", "an unspecified address"],
    ["::ffff:0.0.0.0", "an unspecified address"],
    ["224.0.0.1", "a multicast address"],
    ["239.255.255.255", "a multicast address"],
    ["ff02::1", "a multicast address"],
    ["255.255.255.255", "the broadcast address"],
  ])("that is dangerous is open to nobody, whatever is allowed: %s", (address, name) => {
    expect(refuseAddress(address, EVERYWHERE)).toBe(`${name}, which is never allowed`);
  });

  test.each<[address: string, name: string]>([
    ["::1.1.1.1", "a reserved address"],
    ["::101:101", "a reserved address"],
    ["::ffff:0:1.1.1.1", "a reserved address"],
    ["64:ff9b:1::1.1.1.1", "a private address"],
  ])("that only leads to a public one is not public itself: %s", (address, name) => {
    expect(refuseAddress(address, NOBODY)).toBe(name + ALLOW);
  });

  test("that stands for an IPv4 address is no less guarded than that one, whatever it is", () => {
    const levels = [NOBODY, PRIVATE, EVERYWHERE];
    const openTo = (text: string): number => levels.filter((who) => refuseAddress(text, who) === undefined).length;
    const wrong: string[] = [];
    for (let round = 0; round < 2000; round++) {
      const octets = randomOctets();
      const [a, b] = hextets(octets);
      const [c, d] = hextets(octets.map((octet) => 255 - octet));
      const own = openTo(octets.join("."));
      if (openTo(`::ffff:${a}:${b}`) !== own) wrong.push(`::ffff:${a}:${b}`);
      const leading = [
        `::ffff:0:${a}:${b}`,
        `64:ff9b::${a}:${b}`,
        `64:ff9b:1::${a}:${b}`,
        `2002:${a}:${b}::1`,
        `2001:0:${a}:${b}::1`,
        `2001:0:101:101::${c}:${d}`,
        // The machine itself is one of these, and leads nowhere.
        ...(octets.join(".") === "0.0.0.1" ? [] : [`::${a}:${b}`]),
      ];
      wrong.push(...leading.filter((text) => openTo(text) > own));
    }
    expect(wrong).toEqual([]);
  });

  test.each([
    "",
    "localhost",
    "1.2.3",
    "1.2.3.4.5",
    "::g",
    "1::2::3",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "127.0.0.01",
    " 127.0.0.1",
    "127.0.0.1 ",
    "::ffff:0177.0.0.1",
    "::ffff:127.1",
    "[::1]",
    "%eth0",
  ])("is none: %j", (text) => {
    expect(refuseAddress(text, EVERYWHERE)).toBe("not an IP address");
  });
});

describe("a range", () => {
  const holds = (range: string, address: string): boolean =>
    covers(parseCidr(range), parseAddress(address) ?? expect.fail(`no address: ${address}`));

  test.each<[range: string, inside: string, outside: string]>([
    ["10.0.0.0/8", "10.255.255.255", "11.0.0.0"],
    ["10.1.2.3/8", "10.0.0.0", "9.255.255.255"],
    ["127.0.0.1", "::ffff:127.0.0.1", "127.0.0.2"],
    ["127.0.0.1/32", "127.0.0.1", "127.0.0.0"],
    ["0.0.0.0/0", "255.255.255.255", "2000::1"],
    ["::/0", "ff00::1", "1.2.3.4"],
    ["::1", "0:0::1", "::2"],
    ["fd00::/8", "fdff:ffff::1", "fe00::1"],
    ["2001:db8:1:2::/63", "2001:db8:1:3::1", "2001:db8:1:4::1"],
    ["::ffff:10.0.0.0/104", "10.2.3.4", "11.0.0.0"],
    ["::ffff:0:0/95", "::fffe:1:2", "10.0.0.1"],
  ])("%s holds %s, not %s", (range, inside, outside) => {
    expect([holds(range, inside), holds(range, outside)]).toEqual([true, false]);
  });

  test("holds what the system says that it holds, whatever the range and the address are", () => {
    const wrong: string[] = [];
    for (let round = 0; round < 5000; round++) {
      const [one, other] = [randomOctets(), randomOctets()];
      const isV6 = round % 2 === 1;
      const family = isV6 ? "ipv6" : "ipv4";
      const length = Math.floor(random() * (isV6 ? 129 : 33));
      const spell = (octets: number[]) => (isV6 ? `2001:db8::${hextets(octets).join(":")}` : octets.join("."));
      const list = new BlockList();
      list.addSubnet(spell(one), length, family);
      const range = `${spell(one)}/${length}`;
      const address = spell([...one.slice(0, round % 5), ...other.slice(round % 5)]);
      if (holds(range, address) !== list.check(address, family)) wrong.push(`${range} ${address}`);
    }
    expect(wrong).toEqual([]);
  });

  test.each([
    "",
    "10.0.0.0/33",
    "0177.0.0.1",
    "10.1/8",
    "0x0a.0.0.0/8",
    "10.0.0/8",
    "::/129",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "fe80::1%eth0",
    "a/8",
  ])("is refused with one line: %j", (text) => {
    expect(() => parseCidr(text)).toThrow(
      `invalid address range ${JSON.stringify(text)}: expected CIDR notation, such as 10.0.0.0/8`,
    );
  });
});

/** Half of them in a range that is not public. */
function randomOctets(): number[] {
  const octets = Array.from({ length: 4 }, () => Math.floor(random() * 256));
  const first = [0, 10, 100, 127, 169, 172, 192, 198, 224, 255];
  if (random() < 0.5) octets[0] = first[Math.floor(random() * first.length)] ?? 0;
  if (octets[0] === 169 || random() < 0.1) octets[1] = 254;
  return octets;
}

function hextets([a = 0, b = 0, c = 0, d = 0]: readonly number[]): [string, string] {
  return [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)];
}
