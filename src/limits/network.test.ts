import { expect, test } from "vitest";
import { networkOf, wideNetworkOf } from "./network.ts";

test.each([
  ["10.1.2.3", "10.1.2.3"],
  ["::ffff:10.1.2.3", "10.1.2.3"],
  ["::FFFF:10.1.2.3", "10.1.2.3"],
  ["::ffff:0a01:0203", "10.1.2.3"],
  ["0:0:0:0:0:ffff:10.1.2.3", "10.1.2.3"],
  ["10.1.2.3:50412", "10.1.2.3"],
  ["[2001:db8::1]:50412", "2001:db8:0:0::/64"],
  ["[2001:db8::1]", "2001:db8:0:0::/64"],
  [" 10.1.2.3", "10.1.2.3"],
  ["::1", "0:0:0:0::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:0DB8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"],
  ["2001:db8:0:1::", "2001:db8:0:1::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["1:2:3:4:5:6:192.0.2.1", "1:2:3:4::/64"],
  ["1::3:4:5:6:7:8", "1:0:3:4::/64"],
])("the address %s stands for %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([["x".repeat(10_000)], ["unknown"], [""], ["1.2.3.4.5"], ["1.2.3:4"], ["[x]:1"], ["1.2.3.4:x"]])(
  "what a proxy wrote that is no address counts for all of these: %s",
  (text) => {
    expect(networkOf(text)).toBe("unknown");
  },
);

test.each([
  ["192.0.2.1", "192.0.0.0/16"],
  ["::ffff:192.0.2.1", "192.0.0.0/16"],
  ["2001:db8:1:2::3", "2001:db8::/32"],
  ["no address", "unknown"],
])("the address %s is of the wide network %s", (address, network) => {
  expect(wideNetworkOf(address)).toBe(network);
});
