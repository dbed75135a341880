import { describe, expect, it } from "vitest";
import { splitHosts, targetSession } from "./hosts.ts";

describe("splitHosts", () => {
  it.each<[url: string, single: string[]]>([
    ["postgres://localhost/x", ["postgres://localhost/x"]],
    ["postgres:///x", ["postgres:///x"]],
    ["postgres:///x?host=/var/run", ["postgres:///x?host=%2Fvar%2Frun"]],
    ["postgres://a:1,b:2/x", ["postgres://a:1/x", "postgres://b:2/x"]],
    ["postgres://a,b,c/x", ["postgres://a/x", "postgres://b/x", "postgres://c/x"]],
    [
      "postgresql://u:p%40@[::1]:1,b/x?sslmode=verify-full&target_session_attrs=read-write",
      ["postgresql://u:p%40@[::1]:1/x?sslmode=verify-full", "postgresql://u:p%40@b/x?sslmode=verify-full"],
    ],
    [
      "postgres://u@/x?host=a,b&port=1,2&options=-c%20search_path=s",
      [
        "postgres://u@/x?options=-c%20search_path=s&host=a&port=1",
        "postgres://u@/x?options=-c%20search_path=s&host=b&port=2",
      ],
    ],
    ["postgres:///x?host=a,b&port=7", ["postgres:///x?host=a&port=7", "postgres:///x?host=b&port=7"]],
    ["postgres://a:1,b:2/x?target_session_attrs=primary", ["postgres://a:1/x", "postgres://b:2/x"]],
    ["postgres:///x?host=a&host=b", ["postgres:///x?host=a&host=b"]],
    ["postgres:///x?host=%zz", ["postgres:///x?host=%25zz"]],
  ])("%s", (url, single) => {
    expect(splitHosts(url)).toEqual(single);
  });
});

it("targetSession tells what the URL wants", () => {
  expect(targetSession("postgres://a,b/x?a=b&target_session_attrs=read-write")).toBe("read-write");
  expect(targetSession("postgres://a,b/x")).toBeUndefined();
});
