import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rememberedIds, rememberId } from "@/lib/browser/remembered-ids";
import { finishedPrediction } from "@/lib/timeline/testing/samples";
import { RememberedPredictions } from "./remembered-predictions.tsx";

const push = vi.fn();
vi.mock("next/navigation", () => ({ useRouter: () => ({ push }), usePathname: () => "/" }));

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <RememberedPredictions />
    </QueryClientProvider>,
  );
}

describe("predictions of a gateway without a list", () => {
  beforeEach(() => {
    localStorage.clear();
    push.mockReset();
    vi.stubGlobal("fetch", async (url: string) =>
      url.endsWith("pred_gone")
        ? Response.json({ error: { code: "prediction_not_found", message: "Gone." } }, { status: 404 })
        : Response.json(finishedPrediction({ id: "pred_kept" })),
    );
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it("explains that, and shows the predictions that this browser remembers", async () => {
    rememberId("prediction", "pred_kept");
    show();
    expect(screen.getByText("This gateway does not offer a list of predictions")).toBeTruthy();
    expect((await screen.findByRole("link", { name: "a lighthouse" })).getAttribute("href")).toBe(
      "/predictions/pred_kept",
    );
  });

  it("forgets predictions that the gateway does not have", async () => {
    rememberId("prediction", "pred_gone");
    show();
    await waitFor(() => expect(rememberedIds("prediction")).toEqual([]));
  });

  it("opens any prediction by its id, and shows the form of an id", async () => {
    const user = userEvent.setup();
    show();
    await user.type(screen.getByLabelText("Prediction id"), "not an id{Enter}");
    expect(screen.getByText(/Enter an id like/)).toBeTruthy();
    await user.clear(screen.getByLabelText("Prediction id"));
    await user.type(screen.getByLabelText("Prediction id"), " pred_1 {Enter}");
    expect(push).toHaveBeenCalledWith("/predictions/pred_1");
  });
});
