import { readdirSync, readFileSync } from "node:fs";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ChapterText } from "./chapter-text.tsx";

afterEach(cleanup);

it("draws no raw HTML, no pictures and no links that run scripts", () => {
  const { container } = render(
    <ChapterText
      text={
        '<script>alert(1)</script>\n\n<b onclick="x()">bold</b> ![p](https://example.com/p.png) [a](javascript:alert(1))'
      }
    />,
  );
  expect(container.querySelector("script, b, img, a[href^=javascript]")).toBeNull();
});

it("leads to chapters, to places on the page and to other sites, and not to other files of the repository", () => {
  render(
    <ChapterText
      text={
        "## Set `prices` & more\n\n[a](money.md#usage) [b](#x) [c](https://example.com) [d](../deploy/) [e](README.md) [f](../media.md)"
      }
    />,
  );
  const targets = screen.getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(targets).toEqual([
    "/public/help/money#usage",
    "#x",
    "https://example.com",
    "/public/help/README",
    "/public/help/media",
  ]);
  expect(screen.getByRole("heading").id).toBe("set-prices--more");
});

it.each(readdirSync("docs").filter((name) => name.endsWith(".md")))("draws %s with one title", (name) => {
  const { container } = render(<ChapterText text={readFileSync(`docs/${name}`, "utf8")} />);
  expect(container.querySelectorAll("h1")).toHaveLength(1);
  const anchors = [...container.querySelectorAll("a[href^='#']")].map(
    (link) => link.getAttribute("href") ?? "",
  );
  for (const anchor of anchors) expect(container.querySelector(anchor), anchor).not.toBeNull();
});
