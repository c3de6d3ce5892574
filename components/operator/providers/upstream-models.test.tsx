import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { OperatorModelCreate } from "#contract/operator/models.ts";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import { ProviderTestPanel, UpstreamModels } from "./upstream-models.tsx";

const names = ["acme/one", "acme/two", "acme/three", "acme/four"];
const asked: string[] = [];
let release = () => {};
let held: Promise<void> = Promise.resolve();
vi.mock("next/navigation", () => ({
  usePathname: () => "/operator/providers/replicate",
  useRouter: () => ({}),
  unstable_rethrow: () => {},
}));
vi.mock("@/lib/browser/fetch-from-gateway", () => ({
  failureBehind: () => null,
  fetchRoute: async () => ({ data: names.map((id) => ({ id, description: null })), has_more: false }),
}));
const tested = vi.fn();
vi.mock("@/lib/operator/actions", () => ({
  tryProvider: async () => ({ answer: Promise.resolve({ ok: true, data: tested() }) }),
  addModel: async ({ id, import: source }: OperatorModelCreate) => ({
    answer: (async () => {
      const name = source?.name ?? "";
      asked.push(name);
      await held;
      if (name === "acme/one") return { ok: true, data: { data: { id }, changeId: null } };
      const code = name === "acme/two" ? "model_exists" : "upstream_error";
      return { ok: false, error: { code, message: `${name} has no schema.`, status: 502 } };
    })(),
  }),
}));
afterEach(cleanup);

function show() {
  const provider = {
    id: "prv_1",
    name: "replicate",
    protocol: "replicate",
    credentials: [],
  } as unknown as OperatorProvider;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <UpstreamModels provider={provider} />
    </QueryClientProvider>,
  );
}

it("imports the ticked models one after the other, shows each result, and can be stopped", async () => {
  held = new Promise((resolve) => {
    release = resolve;
  });
  show();
  for (const name of names) fireEvent.click(await screen.findByRole("checkbox", { name: `Tick ${name}` }));
  fireEvent.click(screen.getByRole("checkbox", { name: "Tick acme/four" }));
  fireEvent.click(screen.getByRole("button", { name: "Import 3 models" }));
  await waitFor(() => expect(screen.getByText(/Importing 1 of 3/)).toBeTruthy());
  expect(asked).toEqual(["acme/one"]);
  release();
  await waitFor(() => expect(screen.getByText("Import ended: 1 model added, 1 not")).toBeTruthy());
  expect(asked).toEqual(["acme/one", "acme/two", "acme/three"]);
  const words = [...document.querySelectorAll("li")].map((line) => line.textContent);
  expect(words).toContain("acme/oneadded as acme/one");
  expect(words).toContain("acme/twoalready existed: acme/two");
  expect(words).toContain("acme/threeacme/three has no schema. Import this model by hand");

  held = new Promise((resolve) => {
    release = resolve;
  });
  for (const name of ["acme/three", "acme/four"])
    fireEvent.click(screen.getByRole("checkbox", { name: `Tick ${name}` }));
  fireEvent.click(screen.getByRole("button", { name: "Import 2 models" }));
  await waitFor(() => expect(asked).toHaveLength(4));
  fireEvent.click(screen.getByRole("button", { name: "Stop after this one" }));
  release();
  await waitFor(() => expect(screen.getByText(/Import ended/)).toBeTruthy());
  expect(asked).toHaveLength(4);
  expect(screen.getByText("not imported, because you stopped the import")).toBeTruthy();
});

it("shows equal answers of several regions as one line", async () => {
  const answer = (region: string, latency_ms: number, ok = true) => ({
    region,
    key: null,
    ok,
    latency_ms,
    message: ok ? "It lists 3 models." : "It refused the key.",
  });
  const test = async (...regions: ReturnType<typeof answer>[]) => {
    cleanup();
    tested.mockReturnValue({ ok: true, regions });
    render(<ProviderTestPanel id="prv_1" testNow={false} fix={null} />);
    fireEvent.click(screen.getByRole("button", { name: "Test now" }));
    return (await screen.findAllByRole("listitem")).map(({ textContent }) => textContent);
  };
  expect(await test(answer("us-oregon", 20), answer("us-virginia", 40))).toEqual([
    "It lists 3 models.all 2 regions, 40 ms",
  ]);
  expect(await test(answer("us-oregon", 20), answer("us-virginia", 40, false))).toEqual([
    "It lists 3 models.us-oregon, 20 ms",
    "It refused the key.us-virginia, 40 ms",
  ]);
  expect(await test(answer("us-oregon", 20))).toEqual(["It lists 3 models.20 ms"]);
});
