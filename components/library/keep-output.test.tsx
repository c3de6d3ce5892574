import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { queryKeys } from "@/lib/query-keys";
import { KeepOutput } from "./keep-output.tsx";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => "/" }));

const page = (client: QueryClient) => (
  <QueryClientProvider client={client}>
    <KeepOutput runId="pred_1" index={0} />
  </QueryClientProvider>
);

it("is hydrated late without a browser warning, when other parts of the page have already loaded the files", async () => {
  const container = document.body.appendChild(document.createElement("div"));
  container.innerHTML = renderToString(page(new QueryClient()));
  const known = new QueryClient();
  known.setQueryData(queryKeys.outputsOf("pred_1"), {
    data: [{ id: "out_1", position: 1, keepable: true, kept: null }],
  });
  const wrong = vi.fn();
  const root = await act(() => hydrateRoot(container, page(known), { onRecoverableError: wrong }));
  expect(wrong).not.toHaveBeenCalled();
  expect(container.querySelector("button")?.textContent).toBe("Keep");
  act(() => root.unmount());
  container.remove();
});
