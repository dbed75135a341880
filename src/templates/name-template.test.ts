import { describe, expect, test } from "vitest";
import { idIn, makeName, placeOfId, readNameTemplate } from "./name-template.ts";

const values = (all: Readonly<Record<string, string>>) => (variable: string) => all[variable];
const made = (template: string, all: Readonly<Record<string, string>>) =>
  makeName(readNameTemplate(template), values(all));

describe("a name template", () => {
  test.each([
    ["records/${id}", { id: "Größe 1" }, "records/Größe 1"],
    ["gateway${id}", { id: "/todos/{todoId}" }, "gateway/todos/{todoId}"],
    ["${properties.team}/${id}", { "properties.team": "Web", id: "a/b" }, "Web/a/b"],
    ["constant", {}, "constant"],
    ["a$$${id}", { id: "b" }, "a$b"],
  ])("%s with %j makes %s, in the case of its values", (template, all, name) => {
    expect(made(template, all)).toEqual({ name });
  });

  test.each([
    ["records/${id}", { id: "" }, "id is missing or empty"],
    ["${properties.team}/${id}", { id: "a" }, "properties.team is missing or empty"],
    ["${properties.team}/${id}", { "properties.team": "a/b", id: "c" }, 'properties.team contains "/"'],
    ["records/${id}/purge", { id: "1/purge" }, 'id contains "/"'],
    ["records/${id}", { id: "a\0b" }, "id is not valid text"],
    ["records/${id}", { id: "\ud800" }, "id is not valid text"],
    ["records/${id}", { id: "x".repeat(1024) }, "the name is longer than 1024 characters"],
  ])("%s with %j makes none", (template, all, fault) => {
    expect(made(template, all)).toEqual({ fault });
  });

  test.each([
    ["${name}", "unknown variable name"],
    ["${properties.}", "unknown variable properties."],
    ["${slug(id)}", "slug is not supported here"],
    ["${id}/${id}", "can occur only once"],
    ["${properties.a}${id}", "expected text between"],
    ["${id", 'expected "}"'],
  ])("%s is rejected", (template, message) => {
    expect(() => readNameTemplate(template)).toThrow(message);
  });

  test.each([
    ["records/${id}", "records/1", "1"],
    ["records/${id}", "records/", undefined],
    ["records/${id}", "purges/1", undefined],
    ["${id}", "1", "1"],
    ["a/${id}/b", "a/1/b", "1"],
    ["a/${id}/b", "a/1/2/b", undefined],
    ["a/${id}/b", "a/b", undefined],
    ["${properties.team}/${id}", "web/1", "1"],
    ["${properties.team}/${id}", "ops/1", undefined],
    ["${properties.other}/${id}", "ops/1", undefined],
    ["constant", "constant", undefined],
  ])("%s finds the ID in %s: %s", (text, name, id) => {
    const template = readNameTemplate(text);
    const place = placeOfId(template, values({ "properties.team": "web" }));
    expect(place && idIn(place, name)).toBe(id);
  });
});
