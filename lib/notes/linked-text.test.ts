import { expect, it } from "vitest";
import { linkedText } from "./linked-text.ts";

const linksIn = (text: string) =>
  linkedText(text)
    .filter(({ isLink }) => isLink)
    .map((part) => part.text);

it("makes links of https addresses only", () => {
  expect(linksIn("See https://a.example/x?y=1#z, then (https://b.example).")).toEqual([
    "https://a.example/x?y=1#z",
    "https://b.example",
  ]);
  for (const text of [
    "http://a.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "//a.example",
    "https://",
    "https:a.example",
    "<a href='javascript:alert(1)'>",
  ])
    expect(linksIn(text), text).toEqual([]);
});

it("loses nothing of the text", () => {
  for (const text of ["", "one\ntwo", "https://a.example", "a https://a.example. b https:// c", "<b>x</b>"])
    expect(
      linkedText(text)
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
});
