import { globSync, readFileSync } from "node:fs";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, it, vi } from "vitest";
import { listView } from "@/lib/list-view";
import type { SearchParams } from "@/lib/page-props";
import type { Part } from "@/messages/words";
import { english } from "@/scripts/testing/english";
import { headOf, listPage, page } from "./console-page.tsx";

const visitor = vi.hoisted(() => ({ session: null as object | null }));
const answers = vi.hoisted(() => ({ next: {} as object }));
vi.mock("@/lib/server/session", () => ({
  requireSession: async () => visitor.session ?? redirect("/sign-in"),
  addressedAccount: async () => "acct_1",
}));
vi.mock("@/lib/server/gateway/request", () => ({ requestRoute: async () => answers.next }));
vi.mock("@/lib/server/words", () => ({ words: async (part: Part) => english(part) }));
vi.mock("./with-words.tsx", () => ({ WithWords: ({ children }: { children: ReactNode }) => children }));
vi.mock("next/navigation", () => ({
  redirect(to: string): never {
    throw new Error(`redirect to ${to}`);
  },
  notFound(): never {
    throw new Error("not found");
  },
}));
vi.mock("@/components/ui/page/error-panel", () => ({
  LoadFailure: ({ error }: { error: { code: string } }) => <p>failed: {error.code}</p>,
}));

beforeEach(() => {
  visitor.session = { accountId: "acct_1" };
});

const failed = (status: number, code: string) => ({ ok: false, error: { status, code, message: code } });

async function draw(drawn: ReturnType<typeof page>, search: SearchParams = {}): Promise<string> {
  return renderToStaticMarkup(
    await drawn({ params: Promise.resolve({}), searchParams: Promise.resolve(search) }),
  );
}

const head = headOf({
  title: "keys",
  parts: ["keys"],
  description: "oneModelPerLineAnd",
  notOffered: <p>no keys here</p>,
});
const keys = page(head, async ({ requestRoute, need }) => {
  const { data } = await need(requestRoute("GET /keys"));
  return <p>{data.length} keys</p>;
});

it("sends a visitor without a session away before anything is read", async () => {
  visitor.session = null;
  const reads = vi.fn();
  await expect(draw(page(head, reads))).rejects.toThrow("redirect to /sign-in");
  expect(reads).not.toHaveBeenCalled();
});

it("begins with its header, and shows what it read", async () => {
  answers.next = { ok: true, data: { data: [1, 2] } };
  const html = await draw(keys);
  expect(html).toMatch(
    /<h1[^>]*>Keys<\/h1>.*One model per line, and its number\..*2 keys.*href="\/public\/help\/keys-and-limits"/s,
  );
});

it("keeps its heading when the gateway fails", async () => {
  answers.next = failed(503, "service_unavailable");
  expect(await draw(keys)).toMatch(/<h1[^>]*>Keys<\/h1>.*failed: service_unavailable/s);
});

it("says what the gateway does not offer", async () => {
  answers.next = failed(404, "route_not_found");
  const html = await draw(keys);
  expect(html).toContain("no keys here");
  expect(html).not.toContain("failed");
  expect(
    await draw(page({ title: "keys", parts: ["keys"] }, ({ need }) => need(answers.next as never))),
  ).toContain("failed");
});

it("is not found if the gateway does not know its id", async () => {
  answers.next = failed(404, "api_key_not_found");
  await expect(draw(keys)).rejects.toThrow("not found");
});

it("does not hide an error of its own", async () => {
  const broken = page(head, () => {
    throw new Error("broken");
  });
  await expect(draw(broken)).rejects.toThrow("broken");
});

it("leads to another page of the account in the address", async () => {
  const moved = page(head, ({ redirectTo }) => redirectTo("/usage"));
  await expect(draw(moved)).rejects.toThrow("redirect to /a/acct_1/usage");
});

it("reads a list's view from the address, and names the filters that the list does not have", async () => {
  const list = listView(["search"]);
  const listed = listPage({ ...head, list }, ({ view, query }) => (
    <p>{JSON.stringify([view.search, query])}</p>
  ));
  const html = await draw(listed, { search: "prod", colour: "red" });
  expect(html).toContain("This page has no filter “colour”");
  expect(html).toContain("[&quot;prod&quot;,{&quot;search&quot;:&quot;prod&quot;,&quot;limit&quot;:50}]");
  expect(await draw(listed)).not.toContain("no filter");
});

it("draws every page of the console, so that each checks the session", () => {
  const pages = globSync("app/(console)/**/page.tsx");
  expect(pages.length).toBeGreaterThan(70);
  const others = pages.filter(
    (file) => !/^export default (page|listPage|operationPage)\b/m.test(readFileSync(file, "utf8")),
  );
  // An unknown address shows no data.
  expect(others).toEqual(["app/(console)/[...rest]/page.tsx"]);
});
