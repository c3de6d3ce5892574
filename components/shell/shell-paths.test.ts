import { globSync } from "node:fs";
import { expect, it } from "vitest";
import { pages } from "@/lib/resource-pages";
import { goToId } from "@/lib/resources";
import { english } from "@/scripts/testing/english";
import { crumbsOf } from "./crumbs.ts";
import { destinations, groupKeys, isCurrent } from "./navigation.ts";

const titles = english("pages");

const id = (prefix: string) => `${prefix}_01k9z7m3q4r5s6t7v8w9x0y1z2`;

it("finds the page of an id, also when it was pasted with blanks", () => {
  expect(goToId(id("pred"))?.href).toBe(`/predictions/${id("pred")}`);
  expect(goToId(` ${id("we")} `)?.href).toBe(`/webhooks/endpoints/${id("we")}`);
  expect(goToId(id("evt"))?.href).toBe(`/webhooks/deliveries?event_id=${id("evt")}`);
});

it.each(["pred_", "prediction", "key_01k9z7m3q4r5s6t7v8w9x0y1z2", "pred_../../keys", id("upl")])(
  "does not accept %s as an id",
  (text) => expect(goToId(text)).toBeNull(),
);

it("names the steps to a page", () => {
  expect(crumbsOf(titles, "/").map((crumb) => crumb.label)).toEqual(["Home"]);
  expect(crumbsOf(titles, `/webhooks/deliveries/${id("dlv")}`)).toEqual([
    { label: "Deliveries", href: "/webhooks/deliveries" },
    { label: "dlv_01k9…x0y1z2", href: null },
  ]);
  expect(crumbsOf(titles, "/playground/svc/chat-1/chat-completions").map((crumb) => crumb.href)).toEqual([
    "/catalog",
    "/catalog/svc/chat-1",
    null,
  ]);
});

it("names the steps to a page that is not in the rail", () => {
  expect(crumbsOf(titles, "/operator/first-steps/connect")).toEqual([
    { label: "Instance", href: null },
    { label: "First steps", href: "/operator/first-steps" },
    { label: "Connect a provider", href: null },
  ]);
});

it("links back to the filtered list, and does not treat a tab of a page as a filter", () => {
  const hrefs = (path: string, search: string) => crumbsOf(titles, path, search).map((crumb) => crumb.href);
  expect(hrefs("/predictions/pred_1", "status=failed")).toEqual(["/predictions?status=failed", null]);
  expect(hrefs("/catalog/svc/chat-1", "tab=schema")).toEqual(["/catalog", "/catalog/svc/chat-1"]);
});

it("marks one page of the rail", () => {
  const current = (path: string) =>
    destinations.filter((entry) => isCurrent(entry, path)).map((entry) => titles.text(entry.title));
  expect(current("/")).toEqual(["Home"]);
  expect(current("/playground/svc/chat-1/chat-completions")).toEqual(["Catalog"]);
  expect(current("/webhooks/endpoints/we_1")).toEqual(["Endpoints"]);
  expect(current("/settings/team")).toEqual(["Team"]);
  expect(current("/settings/profile")).toEqual(["Settings"]);
  expect(current("/keysmith")).toEqual([]);
});

it.each([
  ["/settings/team", ["Team"]],
  ["/settings/profile", ["Settings", "Your profile"]],
  ["/webhooks/event-types", ["Event types"]],
  ["/library/check-a-file", ["Library", "Check a file"]],
])("starts with the page of the rail: %s", (path, labels) => {
  expect(crumbsOf(titles, path).map((crumb) => crumb.label)).toEqual(labels);
});

const addresses = globSync("app/(console)/**/page.tsx").map(
  (file) => file.replace(/^app|\/page\.tsx$|\/\([^)]*\)/g, "") || "/",
);

it("names every page in the breadcrumbs: by its place in the rail, or by a word of its own", () => {
  const plain = addresses.filter((address) => !address.includes("["));
  expect(plain.length).toBeGreaterThan(40);
  const unnamed = plain.filter(
    (address) => crumbsOf(titles, address).at(-1)?.label === address.split("/").at(-1),
  );
  expect(unnamed).toEqual([]);
});

it("opens every page with an id by that id", () => {
  const lists = addresses.flatMap((address) => /^\/(?!operator\/)(.*)\/\[id\]$/.exec(address)?.[1] ?? []);
  const opened = Object.values(pages).flatMap((page) =>
    "prefix" in page && "rail" in page ? page.rail.href.slice(1) : [],
  );
  // A comparison has the id of its batch, and a connection that of its key.
  const others = ["compare", "settings/connections"];
  expect(lists.filter((list) => !opened.includes(list) && !others.includes(list))).toEqual([]);
});

it.each(["title", "href"] as const)("gives every page its own %s", (name) => {
  expect(new Set(destinations.map((entry) => entry[name])).size).toBe(destinations.length);
});

it("opens each part of the rail by G and a letter of its own", () => {
  expect(Object.fromEntries(groupKeys)).toEqual({
    h: "home",
    b: "build",
    r: "results",
    d: "developers",
    a: "account",
    e: "help",
    i: "instance",
  });
});

it.each(destinations)(
  "uses the same name for $title in the rail, the breadcrumb and the address",
  ({ title, href }) => {
    const label = titles.text(title);
    expect(crumbsOf(titles, href).at(-1)?.label).toBe(label);
    if (href !== "/") expect(href.split("/").at(-1)).toBe(label.toLowerCase().replaceAll(" ", "-"));
  },
);
