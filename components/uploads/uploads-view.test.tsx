import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Deleted } from "#contract/list.ts";
import type { Upload } from "#contract/upload.ts";
import { ToastProvider } from "@/components/ui/toast";
import { act as callRoute } from "@/lib/gateway/act";
import { type ActionResult, type GatewayResult, localFailure } from "@/lib/gateway/result";
import { useDeleteWithUndo } from "./uploads-view.tsx";

const upload = { id: "upl_1", filename: "cat.png" } as Upload;

function Page() {
  const { hidden, deleteSoon } = useDeleteWithUndo();
  return (
    <>
      {!hidden.has(upload.id) && <p>cat.png is listed</p>}
      <button type="button" onClick={() => deleteSoon(upload)}>
        Delete
      </button>
    </>
  );
}

vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));
/** Requests of a page that the user is leaving. */
const requests = vi.fn<typeof fetch>();
const removals = vi.mocked(callRoute as (...call: unknown[]) => ActionResult<Deleted>);
const deleted: GatewayResult<Deleted> = {
  ok: true,
  data: { id: upload.id, object: "upload", deleted: true },
};

function show() {
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>
        <Page />
      </ToastProvider>
    </QueryClientProvider>,
  );
}

describe("deleting an upload", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    requests.mockReset().mockImplementation(async () => Response.json(deleted));
    removals.mockReset().mockImplementation(async () => ({ answer: Promise.resolve(deleted) }));
    vi.stubGlobal("fetch", requests);
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("hides the upload at once and deletes it after the time to undo", async () => {
    show();
    fireEvent.click(screen.getByText("Delete"));
    expect(screen.queryByText("cat.png is listed")).toBeNull();
    expect(removals).not.toHaveBeenCalled();
    await act(() => vi.advanceTimersByTimeAsync(6500));
    expect(removals).toHaveBeenCalledTimes(1);
    expect(removals).toHaveBeenCalledWith("DELETE /uploads/{id}", { params: { id: "upl_1" } });
  });

  it("sends nothing when the user undoes the deletion", async () => {
    show();
    fireEvent.click(screen.getByText("Delete"));
    fireEvent.click(screen.getByText("Undo"));
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(removals).not.toHaveBeenCalled();
    expect(screen.getByText("cat.png is listed")).toBeTruthy();
  });

  it("waits as long as Undo has the focus", async () => {
    show();
    fireEvent.click(screen.getByText("Delete"));
    fireEvent.focus(screen.getByText("Undo"));
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(removals).not.toHaveBeenCalled();
    fireEvent.click(screen.getByText("Undo"));
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(removals).not.toHaveBeenCalled();
    expect(screen.getByText("cat.png is listed")).toBeTruthy();
  });

  it("takes place at once when its message is closed, and only once", async () => {
    show();
    fireEvent.click(screen.getByText("Delete"));
    fireEvent.click(screen.getByRole("button", { name: "Close message" }));
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(removals).toHaveBeenCalledTimes(1);
  });

  it("takes place when newer messages push its message away", async () => {
    show();
    for (let count = 0; count < 5; count += 1) fireEvent.click(screen.getByText("Delete"));
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(removals).toHaveBeenCalledTimes(1);
  });

  it("takes place when the user leaves the page earlier, by a request that outlives the page", () => {
    show();
    fireEvent.click(screen.getByText("Delete"));
    window.dispatchEvent(new Event("pagehide"));
    expect(requests).toHaveBeenCalledWith("/api/gateway/uploads/upl_1", {
      method: "DELETE",
      keepalive: true,
      headers: {},
    });
    expect(removals).not.toHaveBeenCalled();
  });

  it("restores the upload and shows the reason when the gateway refuses", async () => {
    const refusal = { ...localFailure("insufficient_scope", "No."), status: 403 };
    removals.mockImplementation(async () => ({ answer: Promise.resolve({ ok: false, error: refusal }) }));
    show();
    fireEvent.click(screen.getByText("Delete"));
    await act(() => vi.advanceTimersByTimeAsync(6500));
    expect(screen.getByText("cat.png is listed")).toBeTruthy();
    await vi.waitFor(() => expect(screen.getByText(/^Not deleted/)).toBeTruthy());
  });
});
