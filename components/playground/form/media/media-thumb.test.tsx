import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useMediaDescription } from "./media-thumb";

const id = "upl_01jd0000000000000000000001";
const requests = vi.fn<typeof fetch>();

beforeEach(() => vi.stubGlobal("fetch", requests));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function describeUpload() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useMediaDescription(`upload://${id}`), { wrapper });
  const settled = () => waitFor(() => expect(client.isFetching()).toBe(0));
  return { result, settled };
}

it("says that an upload is gone only when the gateway says so", async () => {
  requests.mockImplementation(async () => Response.json({}, { status: 502 }));
  const troubled = describeUpload();
  await troubled.settled();
  expect(troubled.result.current).toMatchObject({ label: id, problem: null });
  requests.mockImplementation(async () => Response.json({}, { status: 404 }));
  const gone = describeUpload();
  await waitFor(() => expect(gone.result.current.problem).toContain("no longer there"));
});
