import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { queryKeys } from "@/lib/query-keys";
import { OutputActions } from "./output-actions.tsx";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => "/" }));

afterEach(cleanup);

const words = () =>
  [...screen.queryAllByRole("link"), ...screen.queryAllByRole("button")].map(
    ({ textContent }) => textContent,
  );

function show(url: string) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(queryKeys.outputsOf("gen_1"), {
    data: [{ id: "out_1", position: 1, keepable: true, kept: null }],
  });
  render(
    <QueryClientProvider client={client}>
      <OutputActions url={url} fileName="heron.png" name="the heron" />
    </QueryClientProvider>,
  );
}

it("offers to download, keep and share a stored file", () => {
  const url = "http://g/v1/files/outputs/gen_1/1.png?signature=x";
  show(url);
  expect(words()).toEqual(["Download", "Keep", "Share"]);
  const link = screen.getByRole("link", { name: "Download the heron" });
  expect([link.getAttribute("href"), link.getAttribute("download")]).toEqual([url, "heron.png"]);
});

it("only downloads a file that the gateway did not store", () => {
  show("blob:speech");
  expect(words()).toEqual(["Download"]);
});
