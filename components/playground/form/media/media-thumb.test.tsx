import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, renderHook, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FormContext } from "../form-context.tsx";
import { MediaValueRow } from "./media-list.tsx";
import { useMediaDescription } from "./media-thumb.tsx";

const id = "upl_01jd0000000000000000000001";
const requests = vi.fn<typeof fetch>();

beforeEach(() => vi.stubGlobal("fetch", requests));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const withClient = new QueryClient();

function showValue(text: string, baseUrl: string) {
  const form = {
    baseUrl,
    problems: [],
    disabled: false,
    onUploading: () => {},
    onUnreadable: () => () => {},
  };
  return render(
    <QueryClientProvider client={withClient}>
      <FormContext value={form}>
        <MediaValueRow text={text} media="image" actions={null} />
      </FormContext>
    </QueryClientProvider>,
  );
}

const kept = "/v1/files/inputs/pred_1/0?expires=1900000000&signature=abc";

it("shows the preview of an input that the gateway stored, also on plain http", () => {
  for (const origin of ["http://10.0.0.5:4000", "https://gateway.example"]) {
    const { container } = showValue(`${origin}${kept}`, `${origin}/v1`);
    const preview = `${origin}${kept}`.replace("/files/", "/previews/");
    expect(screen.getByRole("img").getAttribute("src")).toBe(preview);
    expect(container.textContent).toContain("inputs/pred_1/0");
    expect(container.textContent).not.toContain("https URL");
    cleanup();
  }
});

it("refuses plain http from other hosts and loads no file from them", () => {
  const base = "http://10.0.0.5:4000/v1";
  const plain = showValue(`http://10.0.0.50${kept}`, base);
  expect(plain.container.textContent).toContain("Choose an upload or enter an https URL.");
  cleanup();
  showValue("https://elsewhere.example/cat.png", base);
  expect(screen.queryByRole("img")).toBeNull();
});

function describeUpload() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useMediaDescription(`upload://${id}`, "image"), { wrapper });
  const settled = () => waitFor(() => expect(client.isFetching()).toBe(0));
  return { result, settled };
}

it("reports a missing upload only when the gateway confirms it", async () => {
  requests.mockImplementation(async () => Response.json({}, { status: 502 }));
  const troubled = describeUpload();
  await troubled.settled();
  expect(troubled.result.current).toMatchObject({ label: id, problem: null });
  requests.mockImplementation(async () => Response.json({}, { status: 404 }));
  const gone = describeUpload();
  await waitFor(() => expect(gone.result.current.problem).toContain("no longer exists"));
});
